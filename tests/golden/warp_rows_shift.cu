// s2sad: --of y --wrt x,w
// One row per warp, rows by warp strides: blockDim.x >> 5 is at least one where whole warps exchange.
__global__ void warp_rows_shift(const float *x, const float *w, float *y, int n, int m)
{
    int lane = threadIdx.x & 31;
    int row = blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5);
    for (; row < n; row += gridDim.x * (blockDim.x >> 5)) {
        const float *p = x + row * m;
        float s = 0.0f;
        for (int k = lane; k < m; k += 32)
            s += p[k] * w[k];
        for (int d = 16; d; d >>= 1)
            s += __shfl_xor_sync(0xffffffffu, s, d);
        float q = 0.0f;
        for (int k = lane; k < m; k += 32)
            q += (p[k] - s) * (p[k] - s) * w[k];
        for (int d = 16; d; d >>= 1)
            q += __shfl_down_sync(0xffffffffu, q, d);
        if (lane == 0)
            y[row] = sqrtf(q + 1.0f);
    }
}
