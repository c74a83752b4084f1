// csr_jacobi_adj: adjoint of csr_jacobi (csr_jacobi.cu:6).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform csr_jacobi.cu --of x_new --wrt val,b,x,omega
//
// Call with row_ptr, col, val, b and x as they were before csr_jacobi. Seed adj_x_new
// with dJ/dx_new: it is left alone, because csr_jacobi stores each element of x_new at
// most once. dJ/dval is added to adj_val; dJ/db is added to adj_b; dJ/dx is added to
// adj_x; dJ/domega is added to adj_omega. x_new is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   c_at, a_at, diag, sigma    recomputed   from values at hand, in the reversed
//                                           iteration
//   c_at2, a_at2               inverted     each iteration adds 1
//   x[..], col[..], val[..],   reloaded     nothing stores to it
//   b[..]
//
// How adjoints are added up:
//   adj_val[..]   atomicAdd           stretches given by row_ptr may overlap
//   adj_x[..]     atomicAdd           col may repeat
//   adj_b[..]     +=, one owner       each thread has elements of its own
//   adj_omega     reduced per block   every thread has its share in it
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

typedef double real;

// Adds what all threads of the block bring, as one atomicAdd. All of them call it, once.
static __device__ void block_add(double *where, double value)
{
    __shared__ double sums[32];
    for (int d = 16; d > 0; d /= 2) {
        double above = __shfl_down_sync(0xffffffffu, value, d);
        if (threadIdx.x + d < blockDim.x)  // the last warp may be short
            value += above;
    }
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int warp = 1; 32 * warp < blockDim.x; ++warp)
            value += sums[warp];
        if (value != 0.0)  // an element that no thread reads needn't exist
            atomicAdd(where, value);
    }
}

extern "C" __global__ void csr_jacobi_adj(const int rows, const int *__restrict__ row_ptr,
                                          const int *__restrict__ col,
                                          const real *__restrict__ val, real *__restrict__ adj_val,
                                          const real *__restrict__ b, real *__restrict__ adj_b,
                                          const real *__restrict__ x, real *__restrict__ adj_x,
                                          real *__restrict__ x_new,
                                          const real *__restrict__ adj_x_new,
                                          const real omega, real *adj_omega)
{
    real adj_omega_sum = 0.0;
    for (int row = blockDim.x * blockIdx.x + threadIdx.x; row < rows;
         row += blockDim.x * gridDim.x) {
        real sigma = 0;
        real diag = 1;
        const int c_at = row_ptr[row];
        const int a_at = row_ptr[row];
        long c_at2 = 0;
        long a_at2 = 0;
        for (int n = row_ptr[row + 1] - row_ptr[row]; n > 0; --n) {
            if (col[c_at + c_at2] == row)
                diag = val[a_at + a_at2];
            else
                sigma += val[a_at + a_at2] * x[col[c_at + c_at2]];
            ++c_at2;
            ++a_at2;
        }

        // 20:  x_new[row] = (1 - omega) * x[row] + omega * (b[row] - sigma) / diag
        real g = adj_x_new[row];
        adj_omega_sum -= x[row] * g;
        atomicAdd(&adj_x[row], (1 - omega) * g);
        double g_2 = g / diag;
        adj_omega_sum += (b[row] - sigma) * g_2;
        double g_3 = omega * g_2;
        adj_b[row] += g_3;
        real adj_sigma = -g_3;
        real adj_diag = -(omega * (b[row] - sigma) / diag * g_2);
        for (int n = 1; n <= row_ptr[row + 1] - row_ptr[row]; ++n)
            if (col[(long)c_at + (row_ptr[row + 1] - row_ptr[row] - n)] == row) {
                // 16:  diag = *a
                atomicAdd(&adj_val[(long)a_at + (row_ptr[row + 1] - row_ptr[row] - n)], adj_diag);
                adj_diag = 0.0;
            } else {
                // 18:  sigma += *a * x[*c]
                atomicAdd(&adj_val[(long)a_at + (row_ptr[row + 1] - row_ptr[row] - n)],
                          x[col[(long)c_at + (row_ptr[row + 1] - row_ptr[row] - n)]] * adj_sigma);
                atomicAdd(&adj_x[col[(long)c_at + (row_ptr[row + 1] - row_ptr[row] - n)]],
                          val[(long)a_at + (row_ptr[row + 1] - row_ptr[row] - n)] * adj_sigma);
            }
    }
    block_add(adj_omega, adj_omega_sum);
}
