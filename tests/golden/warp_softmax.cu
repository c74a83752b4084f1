// s2sad: --of y --wrt x
// A row's softmax by one warp: butterflies give each lane the largest entry, then the sum.
extern "C" __global__ void warp_softmax(const float *x, float *y, int rows, int cols)
{
    int lane = threadIdx.x;
    int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= rows)
        return;
    float m = -INFINITY;
    for (int k = lane; k < cols; k += 32)
        m = fmaxf(m, x[row * cols + k]);
    for (int d = warpSize / 2; d > 0; d >>= 1)
        m = fmaxf(m, __shfl_xor_sync(0xffffffff, m, d));
    float s = 0.0f;
    for (int k = lane; k < cols; k += 32)
        s += expf(x[row * cols + k] - m);
    for (int d = warpSize / 2; d > 0; d >>= 1)
        s += __shfl_xor_sync(0xffffffff, s, d);
    for (int k = lane; k < cols; k += 32)
        y[row * cols + k] = expf(x[row * cols + k] - m) / s;
}
