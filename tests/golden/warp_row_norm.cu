// s2sad: --of y --wrt x
// One warp for each row; its lanes are summed down to lane 0.
extern "C" __global__ void warp_row_norm(const float *x, float *y, int rows, int cols)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    int lane = threadIdx.x % 32;
    if (row >= rows)
        return;
    float s = 0.0f;
    for (int k = lane; k < cols; k += 32)
        s += x[row * cols + k] * x[row * cols + k];
    for (int d = 16; d > 0; d /= 2)
        s += __shfl_down_sync(0xffffffffu, s, d);
    if (lane == 0)
        y[row] = sqrtf(s);
}
