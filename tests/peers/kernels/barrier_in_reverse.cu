// row: `__syncthreads` in the reverse sweep
// expected: right
extern "C" __global__ void barrier_in_reverse(const float *x, float *y, int n)
{
    __shared__ float s[16];
    int t = threadIdx.x, i = blockIdx.x * 16 + t;
    s[t] = i < n ? x[i] : 1.0f;
    __syncthreads();
    for (int d = 8; d > 0; d /= 2) {
        if (t < d)
            s[t] = s[t] * s[t + d] + s[t];
        __syncthreads();
    }
    if (t == 0)
        y[blockIdx.x] = s[0];
}
//--
// kernel = "barrier_in_reverse"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = "(n + 15) / 16"
// block = 16
// [args]
// n = 40
// x = { shape = "n", fill = "uniform(-1, 1)" }
// y = { shape = 3, fill = "zeros" }
