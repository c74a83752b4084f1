// s2sad: --of y --wrt x,z
// Functions with kinks, at them and beside them: the adjoint is that of the branch taken.
extern "C" __global__ void kinks(const double *x, const double *z, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double a = fabs(x[i]) + fmax(x[i], z[i]) * fmin(z[i], 0.5);
    double b = copysign(z[i], x[i]) * fdim(x[i], 0.25);
    double c = floor(3.0 * x[i]) * z[i] + ceil(z[i]) * x[i] + rint(z[i]) * z[i] + trunc(x[i]);
    double d = fmod(x[i], 0.7) + max(x[i], 0.0) - min(z[i] * x[i], 1.0);
    y[i] = a + b * c - d + fmax(2.0, d);
}
