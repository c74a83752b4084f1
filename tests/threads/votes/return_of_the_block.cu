// A whole block returns.
extern "C" __global__ void return_of_the_block(const float *x, float *y, int n)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    if (blockIdx.x * blockDim.x >= n)
        return;
    s[t] = (i < n ? x[i] : 0.0f);
    __syncthreads();
    for (int k = 0; k < 6; ++k) {
        float v = s[t];
        if (!__syncthreads_or(v > 0.3f))
            break;
        s[t] = 0.5f * v * v;
        __syncthreads();
    }
    if (i < n)
        y[i] = s[t];
}
//--
// kernel = "return_of_the_block"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// x = {shape="100", fill="uniform(0.1,1.2)"}
// y = {shape="100", fill="uniform(-1,1)"}
// n = 40
