// s2sad: --of y --wrt x,z
// Roots and powers at zero, where partials are infinite: a zero adjoint contributes zero.
extern "C" __global__ void singular_points(const double *x, const double *z, const int *on, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = on[i] ? x[i] : 0.0;
    double r = sqrt(v * v);
    double h = hypot(v, v * z[i]);
    double c = cbrt(v);
    double p = pow(fabs(v), 0.5);
    double f = z[i] * z[i];
    if (r > 1e-6)
        f += 1.0 / r + h * h + c * p;
    y[i] = f;
}
