// s2sad: --of y --wrt x,c --bound 11=limit
// The caller of s2sad knows how many trips there are at most: a tape will do.
extern "C" __global__ void bounded_while(const double *x, const double *c, double *y, int n, int limit)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i];
    int k = 0;
    // Stops by itself, or at the limit.
    while (v < 10.0 && k < limit) {
        v = v * v + c[k];
        ++k;
    }
    y[i] = v / (1 + k);
}
