// Sparse solvers: tridiagonal systems by parallel cyclic reduction, one system per block, in shared memory.
// After Y. Zhang, J. Cohen and J. Owens, "Fast tridiagonal solvers on the GPU", PPoPP 2010.

// s2sad: --of x --wrt lower,diag,upper,rhs
template <int N>
__global__ void pcr(const float *__restrict__ lower, const float *__restrict__ diag,
                    const float *__restrict__ upper, const float *__restrict__ rhs, float *__restrict__ x)
{
    __shared__ float a[N], b[N], c[N], d[N];
    const int i = threadIdx.x;
    const int row = blockIdx.x * N + i;

    a[i] = i > 0 ? lower[row] : 0.0f;
    b[i] = diag[row];
    c[i] = i < N - 1 ? upper[row] : 0.0f;
    d[i] = rhs[row];
    __syncthreads();

    // Each step couples a row to the rows twice as far away.
    for (int stride = 1; stride < N; stride *= 2) {
        float an = 0.0f, bn = b[i], cn = 0.0f, dn = d[i];
        if (i >= stride) {
            const float k = a[i] / b[i - stride];
            an = -k * a[i - stride];
            bn -= k * c[i - stride];
            dn -= k * d[i - stride];
        }
        if (i + stride < N) {
            const float k = c[i] / b[i + stride];
            bn -= k * a[i + stride];
            cn = -k * c[i + stride];
            dn -= k * d[i + stride];
        }
        __syncthreads();
        a[i] = an;
        b[i] = bn;
        c[i] = cn;
        d[i] = dn;
        __syncthreads();
    }
    x[row] = d[i] / b[i];
}

void solve(const float *lower, const float *diag, const float *upper, const float *rhs, float *x, int systems)
{
    pcr<32><<<systems, 32>>>(lower, diag, upper, rhs, x);
}
