// spmv_row_adj: adjoint of spmv_row (spmv_row.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform spmv_row.cu --of y --wrt value,x
//
// Call with row_start, column, value and x as they were before spmv_row. Seed adj_y
// with dJ/dy: it is left alone, because spmv_row stores each element of y at most once.
// dJ/dvalue is added to adj_value; dJ/dx is added to adj_x. y is neither read nor
// written.
//
// What the reverse sweep needs, and where it finds it:
//   x[..], column[..],   reloaded   nothing stores to it
//   value[..]
//
// How adjoints are added up:
//   adj_value[..]   atomicAdd   stretches given by row_start may overlap
//   adj_x[..]       atomicAdd   column may repeat
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void spmv_row_adj(const int *row_start, const int *column,
                                        const float *value, float *adj_value,
                                        const float *x, float *adj_x,
                                        float *y, const float *adj_y, int rows)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        // 11:  y[row] = dot
        float adj_dot = adj_y[row];
        for (int k = row_start[row]; k < row_start[row + 1]; ++k) {
            // 10:  dot += value[k] * x[column[k]]
            atomicAdd(&adj_value[k], x[column[k]] * adj_dot);
            atomicAdd(&adj_x[column[k]], value[k] * adj_dot);
        }
    }
}
