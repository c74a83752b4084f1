// Some threads return from inside the loop.
extern "C" __global__ void return_in_the_loop(const float *x, float *y, int n)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    if (i >= n)
        return;
    s[t] = x[i];
    __syncthreads();
    for (int k = 0; k < 4; ++k) {
        float v = s[t];
        if (v < 0.2f) {
            y[i] = v;
            return;
        }
        if (!__syncthreads_or(v > 0.3f))
            break;
        s[t] = 0.5f * v * v + 0.1f;
        __syncthreads();
    }
    y[i] = 3.0f * s[t];
}
//--
// kernel = "return_in_the_loop"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// x = {shape="100", fill="uniform(0.1,1.2)"}
// y = {shape="100", fill="uniform(-1,1)"}
// n = 40
