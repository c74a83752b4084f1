// s2sad: --of y --wrt x
// On rows this short the first loop doesn't run, and its count is negative: it takes nothing off the tape.
extern "C" __global__ void short_rows(const double *x, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double s = x[i];
    for (int k = 4; k < m; ++k)
        s = sin(s) * x[i] + k;
    for (int k = 0; k <= m; ++k)
        s = s * s * 0.3 + x[i] * s;
    for (int k = m; k > 3; --k)
        s = s * x[i] * s;
    y[i] = s;
}
