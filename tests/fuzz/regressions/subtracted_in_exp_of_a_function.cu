// What a function returns is a result, too: h cancels out of nothing.
__device__ float of_h(float h, float r)
{
    float w = 1.4f * tanhf(r - h);
    h = sinf(h) * r;
    w = expf(w - h);
    if (r > 1.0f)
        return w;
    return sinf(h * h);
}

extern "C" __global__ void subtracted_in_exp_of_a_function(int n, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = of_h(x[i], 0.25f);
}

//--
// kernel = "subtracted_in_exp_of_a_function"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 4
// [args]
// n = 7
// x = {shape="n", fill="uniform(-1,1)"}
// y = {shape="n", fill="uniform(-1,1)"}
