// s2sad: --of x --wrt L,b
// Forward substitution with a packed triangle: the inner bound is the outer counter,
// and what is stored is read again.
extern "C" __global__ void triangular(const double *L, const double *b, double *x, int systems, int m)
{
    int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= systems)
        return;
    int base = s * m * (m + 1) / 2;
    for (int r = 0; r < m; ++r) {
        double sum = b[s * m + r];
        for (int c = 0; c < r; ++c)
            sum -= L[base + r * (r + 1) / 2 + c] * x[s * m + c];
        x[s * m + r] = sum / L[base + r * (r + 1) / 2 + r];
    }
}
