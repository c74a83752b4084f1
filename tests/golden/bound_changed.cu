// s2sad: --of y --wrt x
// The bound shrinks while the loop runs, and is reused for something else afterwards.
extern "C" __global__ void bound_changed(const double *x, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double s = x[i];
    int last = m;
    for (int k = 0; k < last; k++) {
        s = s + 0.3 * sin(s) * (k + 1);
        if (s > 1.0)
            last = last - 1;
    }
    last = i % 4;
    for (int k = 0; k < last; k++)
        s = s * s * 0.5;
    last = -1;
    y[i] = s + last;
}
