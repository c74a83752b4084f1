// s2sad: --of y --wrt x
// Trigonometric, hyperbolic and special functions and their inverses.
extern "C" __global__ void special_functions(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i];
    double a = asin(v) + acos(v) * atan(v) + asinh(v) + acosh(1.5 + v) * atanh(v);
    double b = sinh(v) * cosh(v) + tan(v) + sinpi(v) * cospi(v) + tgamma(1.5 + v) + lgamma(2.0 + v);
    double c = erf(v) + erfc(v) * erfinv(v) + normcdf(v) + j0(v) * j1(v) + log2(2.0 + v) - log10(2.0 + v);
    y[i] = a * b - c + fma(v, a, b) + rcbrt(1.0 + v) + norm3d(v, a, 1.0);
}
