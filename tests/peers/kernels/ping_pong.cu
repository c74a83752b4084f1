// row: ping-pong buffers
// expected: right
extern "C" __global__ void ping_pong(const float *x, float *y, int n)
{
    __shared__ float a[16], b[16];
    int t = threadIdx.x, i = blockIdx.x * 16 + t;
    a[t] = i < n ? x[i] : 0.0f;
    __syncthreads();
    for (int k = 0; k < 3; ++k) {
        b[t] = a[t] * a[(t + 1) % 16] + 0.5f * a[t];
        __syncthreads();
        a[t] = b[t] - 0.1f * b[(t + 15) % 16] * b[t];
        __syncthreads();
    }
    if (i < n)
        y[i] = a[t];
}
//--
// kernel = "ping_pong"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = "(n + 15) / 16"
// block = 16
// [args]
// n = 40
// x = { shape = "n", fill = "uniform(-1, 1)" }
// y = { shape = "n", fill = "zeros" }
