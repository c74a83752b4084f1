// row: `__syncwarp`, cooperative groups' sync
// expected: right
extern "C" __global__ void warp_barrier(const float *x, float *y, int n)
{
    __shared__ float s[32];
    int t = threadIdx.x, i = blockIdx.x * 32 + t;
    s[t] = i < n ? x[i] * x[i] : 1.0f;
    __syncwarp();
    float v = s[(t + 1) % 32] * s[t];
    __syncwarp();
    s[t] = v * v;
    __syncwarp();
    if (i < n)
        y[i] = s[31 - t];
}
//--
// kernel = "warp_barrier"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = "(n + 31) / 32"
// block = 32
// [args]
// n = 40
// x = { shape = "n", fill = "uniform(-1, 1)" }
// y = { shape = "n", fill = "zeros" }
