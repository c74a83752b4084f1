// s2sad: --of y --wrt val,x
// Sparse matrix times vector, one row for each thread; bounds are data, and some rows are empty.
extern "C" __global__ void csr_spmv(const int *row_start, const int *col, const float *val,
                                    const float *x, float *y, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows)
        return;
    float sum = 0.0f;
    for (int k = row_start[r]; k < row_start[r + 1]; k++)
        sum += val[k] * x[col[k]];
    y[r] = sum;
}
