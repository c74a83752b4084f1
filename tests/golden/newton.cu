// s2sad: --of root --wrt a,b
// Solves r^3 + a r = b by Newton's method; the number of steps differs between threads.
extern "C" __global__ void newton(const double *a, const double *b, double *root, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        double r = b[i];
        double f = r * r * r + a[i] * r - b[i];
        while (fabs(f) > 1e-12) {
            r = r - f / (3.0 * r * r + a[i]);
            f = r * r * r + a[i] * r - b[i];
        }
        root[i] = r;
    }
}
