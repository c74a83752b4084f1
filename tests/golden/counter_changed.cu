// s2sad: --of y --wrt x
// The counter moves on in the body as well, depending on data: it is no plain loop.
extern "C" __global__ void counter_changed(const double *x, const int *skip, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double s = 1.0;
    for (int k = i; k < i + m; k++) {
        s = s * x[k % n] + 0.5;
        if (skip[k % n])
            k += 2;
    }
    y[i] = s;
}
