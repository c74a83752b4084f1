// s2sad: --of y --wrt x
// Names of inner scopes hide those of outer ones, braces are the author's.
extern "C" __global__ void shadowing(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i];
    {
        double v = 2.0 * x[i];
        v = v * v;
        y[i] = sin(v);
    }
    for (int i = 0; i < 3; ++i) {
        double x = v * (i + 1);
        if (x > 0.5) {
            double v = x * x;
            y[blockIdx.x * blockDim.x + threadIdx.x] += v;
        }
        v = cos(x);
    }
    y[i] += v;
}
