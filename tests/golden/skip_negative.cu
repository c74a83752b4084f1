// s2sad: --of y --wrt x
// `continue` in an inner loop, twice, with work before, between and after.
extern "C" __global__ void skip_negative(const double *x, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double s = 1.0;
    for (int k = 0; k < m; ++k) {
        double v = x[i * m + k];
        s += 0.1 * v;
        if (v < 0.0)
            continue;
        s *= 1.0 + 0.2 * v;
        if (s > 1.5) {
            s = 0.5 * s;
            continue;
        }
        s -= v * v * s * 0.1;
    }
    y[i] = s;
}
