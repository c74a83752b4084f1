// As or_after_return, with values of neighbours.
extern "C" __global__ void or_with_neighbours(const float *x, float *y, int n)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    if (i >= n)
        return;
    s[t] = x[i];
    __syncthreads();
    for (int k = 0; k < 6; ++k) {
        float v = s[t] * s[(t + 1) % 8];
        if (!__syncthreads_or(v > 0.1f))
            break;
        s[t] = 0.5f * v;
        __syncthreads();
    }
    y[i] = s[t];
}
//--
// kernel = "or_with_neighbours"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// x = {shape="100", fill="uniform(0.1,1.2)"}
// y = {shape="100", fill="uniform(-1,1)"}
// n = 40
