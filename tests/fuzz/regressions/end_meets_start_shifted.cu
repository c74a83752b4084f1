// As the places move on with the iterations.
extern "C" __global__ void end_meets_start_shifted(const float *x, float *y)
{
    int t = threadIdx.x;
    float acc = 0;
    __shared__ float s[16];
    for (int q = t; q < 16; q += blockDim.x) s[q] = sinf(x[q]);
    __syncthreads();
    for (int k = 0; k < 3; ++k) {
        acc += s[t + k] * s[t + k];
        __syncthreads();
        acc += 0.5f * s[t + k];
    }
    y[t] = acc;
}
//--
// kernel = "end_meets_start_shifted"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 1
// block = 4
// [args]
// x = {shape="16", fill="uniform(0.2,1.2)"}
// y = {shape="32", fill="uniform(-1,1)"}
