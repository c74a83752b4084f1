// s2sad: --of y --wrt x,z
// Where a weight is zero every root here is at its singular point, and nothing hides what comes of it.
extern "C" __global__ void roots_at_zero(const double *x, const double *z, const int *on, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = on[i] * x[i];
    double w = on[i] * z[i];
    double r = sqrt(v * v);
    double h = hypot(v, w);
    double l = norm3d(v, w, 2.0 * v);
    double c = cbrt(v);
    double p = pow(v, 0.5);
    double a = asin(1.0 - 0.2 * v) + acosh(1.0 + w * w);
    double f = z[i] * z[i];
    if (r > 1e-6)
        f += 1.0 / r + h * l + c * p * a;
    y[i] = f;
}
