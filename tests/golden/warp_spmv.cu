// s2sad: --of y --wrt val,x --assume sorted:row_start
// A sparse matrix times a vector, a warp for each row.
extern "C" __global__ void warp_spmv(const int *row_start, const int *col, const float *val,
                                     const float *x, float *y, int rows)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (row >= rows)
        return;
    int lane = threadIdx.x & 31;
    float sum = 0.0f;
    for (int e = row_start[row] + lane; e < row_start[row + 1]; e += 32)
        sum += val[e] * x[col[e]];
    for (int d = 16; d > 0; d >>= 1)
        sum += __shfl_xor_sync(0xffffffff, sum, d);
    if (lane == 0)
        y[row] = sum * sum;
}
