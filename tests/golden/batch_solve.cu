// s2sad: --of u,r --wrt d,a,u,r
// Tridiagonal systems side by side, one for each thread: their rows lie n apart.
extern "C" __global__ void batch_solve(const double *d, const double *a, double *u, double *r, int m, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t < n) {
        int last = n * (m - 1) + t;
        u[t] /= d[t];
        r[t] /= d[t];
        for (int i = t + n; i <= last; i += n) {
            double p = d[i] - a[i] * u[i - n];
            u[i] /= p;
            r[i] = (r[i] - a[i] * r[i - n]) / p;
        }
        for (int i = last - n; i >= t; i -= n)
            r[i] -= u[i] * r[i + n];
    }
}
