// s2sad: --of y --wrt x
// Sixteen threads for each row, named by a mask, in as many rounds as the row needs.
__global__ void segment_products(const float *x, const int *length, float *y, int rows, int cols)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 16;
    int lane = threadIdx.x % 16;
    unsigned mask = 0xffffu << (threadIdx.x & 16);
    if (row >= rows)
        return;
    float norm = 1.0f;
    for (int start = 0; start < length[row]; start += 16) {
        float v = start + lane < length[row] ? x[row * cols + start + lane] : 0.0f;
        float near = __shfl_up_sync(mask, v, 1, 16);
        v = v * near + v;
        for (int d = 8; d > 0; d /= 2)
            v += __shfl_xor_sync(mask, v, d);
        norm = sqrtf(norm * norm + v * v);
    }
    if (lane == 0)
        y[row] = norm;
}
