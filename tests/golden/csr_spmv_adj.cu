// csr_spmv_adj: adjoint of csr_spmv (csr_spmv.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform csr_spmv.cu --of y --wrt val,x
//
// Call with row_start, col, val and x as they were before csr_spmv. Seed adj_y with
// dJ/dy: it is left alone, because csr_spmv stores each element of y at most once.
// dJ/dval is added to adj_val; dJ/dx is added to adj_x. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   x[..], col[..], val[..]   reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_val[..]   atomicAdd   stretches given by row_start may overlap
//   adj_x[..]     atomicAdd   col may repeat
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void csr_spmv_adj(const int *row_start, const int *col,
                                        const float *val, float *adj_val,
                                        const float *x, float *adj_x,
                                        float *y, const float *adj_y, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows)
        return;

    // 12:  y[r] = sum
    float adj_sum = adj_y[r];
    for (int k = row_start[r]; k < row_start[r + 1]; ++k) {
        // 11:  sum += val[k] * x[col[k]]
        atomicAdd(&adj_val[k], x[col[k]] * adj_sum);
        atomicAdd(&adj_x[col[k]], val[k] * adj_sum);
    }
}
