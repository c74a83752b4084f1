// row: static `__shared__`
// expected: right
extern "C" __global__ void static_shared(const float *x, float *y, int n)
{
    __shared__ float s[16];
    int i = blockIdx.x * 16 + threadIdx.x;
    s[threadIdx.x] = i < n ? x[i] * x[i] : 0.0f;
    __syncthreads();
    if (i < n)
        y[i] = s[15 - threadIdx.x] * s[threadIdx.x];
}
//--
// kernel = "static_shared"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = "(n + 15) / 16"
// block = 16
// [args]
// n = 40
// x = { shape = "n", fill = "uniform(-1, 1)" }
// y = { shape = "n", fill = "zeros" }
