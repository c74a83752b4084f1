// Sparse solvers: a damped Jacobi sweep on a matrix in compressed rows.
// After Y. Saad, "Iterative Methods for Sparse Linear Systems", chapter 4.
typedef double real;

// s2sad: --of x_new --wrt val,b,x,omega
extern "C" __global__ void csr_jacobi(const int rows, const int *__restrict__ row_ptr, const int *__restrict__ col,
                                      const real *__restrict__ val, const real *__restrict__ b,
                                      const real *__restrict__ x, real *__restrict__ x_new, const real omega)
{
    for (int row = blockDim.x * blockIdx.x + threadIdx.x; row < rows; row += blockDim.x * gridDim.x) {
        real sigma = 0, diag = 1;
        const int *c = col + row_ptr[row];
        const real *a = val + row_ptr[row];
        for (int n = row_ptr[row + 1] - row_ptr[row]; n > 0; --n, ++c, ++a) {
            if (*c == row)
                diag = *a;
            else
                sigma += *a * x[*c];
        }
        x_new[row] = (1 - omega) * x[row] + omega * (b[row] - sigma) / diag;
    }
}
