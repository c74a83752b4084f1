// A sparse matrix in CSR form times a vector, one thread for each row.
// s2sad: --of y --wrt value,x
extern "C" __global__ void spmv_row(const int *row_start, const int *column, const float *value,
                                    const float *x, float *y, int rows)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        float dot = 0.0f;
        for (int k = row_start[row]; k < row_start[row + 1]; ++k)
            dot += value[k] * x[column[k]];
        y[row] = dot;
    }
}
