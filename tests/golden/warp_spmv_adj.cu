// warp_spmv_adj: adjoint of warp_spmv (warp_spmv.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform warp_spmv.cu --of y --wrt val,x --assume sorted:row_start
//
// Call with row_start, col, val and x as they were before warp_spmv. Seed adj_y with
// dJ/dy: it is left alone, because warp_spmv stores each element of y at most once.
// dJ/dval is added to adj_val; dJ/dx is added to adj_x. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   x[..], col[..], val[..]   reloaded   nothing stores to it
//   sum                       reloaded   still in its variable
//
// How adjoints are added up:
//   adj_val[..]   +=, one owner   one thread per element: stretches given by row_start
//                                 don't overlap (assumed)
//   adj_x[..]     atomicAdd       col may repeat
//
// Assumed: the launch is 1-D, blockDim.x is a multiple of 32, arrays don't overlap, no
// index wraps, sorted:row_start.

extern "C" __global__ void warp_spmv_adj(const int *row_start, const int *col,
                                         const float *val, float *adj_val,
                                         const float *x, float *adj_x,
                                         float *y, const float *adj_y, int rows)
{
    // For rows of whole warps, as the primal exchanges values among them; any other gets NaN.
    if (blockDim.x % 32 != 0) {
        adj_val[0] = nanf("");
        adj_x[0] = nanf("");
        return;
    }
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (row >= rows)
        return;

    // ---- forward sweep ------------------------------------------------------

    int lane = threadIdx.x & 31;
    float sum = 0.0f;
    for (int e = row_start[row] + lane; e < row_start[row + 1]; e += 32)
        sum += val[e] * x[col[e]];
    for (int d = 16; d > 0; d >>= 1)
        sum += __shfl_xor_sync(0xffffffff, sum, d);

    // ---- reverse sweep ------------------------------------------------------

    float adj_sum = 0.0f;
    if (lane == 0) {
        // 16:  y[row] = sum * sum
        adj_sum = 2.0f * sum * adj_y[row];
    }
    for (int d = 1; d <= 16; d *= 2) {
        // 14:  sum += __shfl_xor_sync(0xffffffff, sum, d)
        adj_sum += __shfl_xor_sync(0xffffffff, adj_sum, d);
    }
    for (int e = row_start[row] + lane; e < row_start[row + 1]; e += 32) {
        // 12:  sum += val[e] * x[col[e]]
        adj_val[e] += x[col[e]] * adj_sum;
        atomicAdd(&adj_x[col[e]], val[e] * adj_sum);
    }
}
