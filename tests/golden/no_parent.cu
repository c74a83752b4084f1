// s2sad: --of y --wrt u,x
// Where a row has no entries its parent is none, and no element of it may be touched.
extern "C" __global__ void no_parent(const double *u, const double *x, const int *count, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int parent = count[i] > 0 ? i / 2 : -1000;
    double s = x[i];
    for (int k = 0; k < count[i]; ++k)
        s += u[parent] * x[(i + k) % n];
    y[i] = s;
}
