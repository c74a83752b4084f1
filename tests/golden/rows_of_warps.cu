// s2sad: --of y --wrt x --assume sorted:start
// The lanes of a warp walk a row of a sparse matrix, whose elements only they store.
extern "C" __global__ void rows_of_warps(const float *x, float *y, const int *start, int rows)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    int lane = threadIdx.x & 31;
    if (row >= rows)
        return;
    for (int k = start[row] + lane; k < start[row + 1]; k += 32)
        y[k] = x[k] * sinf(x[k]);
}
