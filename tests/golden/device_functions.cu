// s2sad: --of y --wrt a,b,c
// Functions that call functions, with one, two and three active arguments, locals, and branches.
__device__ double square(double v) { return v * v; }

__device__ double blend(double p, double q, double t)
{
    double s = square(t) * (3.0 - 2.0 * t);
    return p + s * (q - p);
}

__device__ double soft(double v, double width)
{
    if (v > width)
        return v;
    if (v < -width)
        return 0.0;
    double u = v + width;
    u = square(u);
    return u / (4.0 * width);
}

extern "C" __global__ void device_functions(const double *a, const double *b, const double *c, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double m = blend(a[i], square(b[i]), c[i]);
    double s = soft(m, 0.5 + square(c[i]));
    y[i] = s * blend(s, a[i], 0.25) + square(m);
}
