// s2sad: --of y,z --wrt x
// A variable is overwritten by something passive: in one branch, before it is used, and at
// the end. Its adjoint must be cleared there all the same.
extern "C" __global__ void cleared_where_passive(const double *x, const double *p, double *y, double *z, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double a = x[i] * x[i];
    if (p[i] > 0.0)
        a = p[i];
    double b = sin(x[i]);
    y[i] = a * b;
    b = 2.0 * p[i];
    y[i] += a * b;
    z[i] = y[i] * b;
    if (p[i] > 1.0)
        z[i] = 4.0;
    b = x[i];
    for (int k = 0; k < 3; ++k) {
        y[i] += b * b;
        b = k;
    }
}
