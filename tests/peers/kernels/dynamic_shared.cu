// row: `extern __shared__`
// expected: right
extern "C" __global__ void dynamic_shared(const float *x, float *y, int n)
{
    extern __shared__ float s[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    s[threadIdx.x] = i < n ? x[i] * x[i] : 0.0f;
    __syncthreads();
    if (i < n)
        y[i] = s[blockDim.x - 1 - threadIdx.x];
}
//--
// kernel = "dynamic_shared"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = "(n + 15) / 16"
// block = 16
// shared_bytes = "block * sizeof(float)"
// [args]
// n = 40
// x = { shape = "n", fill = "uniform(-1, 1)" }
// y = { shape = "n", fill = "zeros" }
