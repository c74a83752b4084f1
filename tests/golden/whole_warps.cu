// s2sad: --of y,total --wrt x
// Who has nothing to do leaves before the lanes of a warp add up: all of a warp, or none.
__global__ void whole_warps(const float *x, float *y, float *total, int n, int rows)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    int row = blockIdx.y;
    if (i >= n || row >= rows)
        return;
    float v = x[row * n + i];
    float sum = v * v;
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, d);
    y[row * n + i] = v / sqrtf(sum);
    for (int k = threadIdx.x; k < n; k += blockDim.x) {
        float part = x[row * n + k];
        part = __shfl_down_sync(0xffffffffu, part, 1) * v;
        if (i == threadIdx.x)
            atomicAdd(&total[row], part);
    }
}
