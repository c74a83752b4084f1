// s2sad: --of y --wrt x
// Indices are used by the reverse sweep too, and are overwritten before it comes.
extern "C" __global__ void index_overwritten(const double *x, const int *next, double *y, int n, int hops)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int at = i;
    double s = 0.0;
    for (int k = 0; k < hops; ++k) {
        s += x[at] * (k + 1);
        at = next[at];
        s += sin(x[at]);
        at = (at * 5 + 1) % n;
    }
    y[i] = s;
}
