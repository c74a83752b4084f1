// s2sad: --of y,steps --wrt x,c
// A hundred trips and more where nobody knows how many: the snapshots are thinned out three times
// and the stretches between them run again, with an index, a count and conditions in them.
extern "C" __global__ void many_trips(const double *x, const double *c, double *y, double *steps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i], w = 0.5;
    int at = i % 3, count = 0;
    while (v > 0.1) {
        v = v * (1.0 - 0.02 * c[at]) - 0.0005 * w;
        if (v < w)
            w = w * (0.97 + 0.01 * v);
        else
            w += 0.01 * v * v;
        at = (at + 1 + count % 2) % 3;
        ++count;
    }
    y[i] = v * w;
    steps[i] = count * x[i];
}
