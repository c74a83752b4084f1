// s2sad: --of y --wrt x
// Local arrays with initialisers of every kind; elements are overwritten at indices from data.
#define M 4

extern "C" __global__ void local_arrays(const double *x, const int *slot, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double a[M] = {x[i], 2.0 * x[i]};
    double b[2][3] = {{1.0, x[i], 0.5}, {x[i] * x[i]}};
    const double c[] = {0.25, -0.5, 0.75, 1.0};
    a[slot[i]] = a[0] * a[1];
    a[(slot[i] + 1) % M] *= a[slot[i]] + c[slot[i]];
    b[1][2] = b[0][1] * a[3];
    b[slot[i] % 2][1] += b[1][2] * b[1][0];
    double s = 0.0;
    for (int r = 0; r < 2; ++r)
        for (int k = 0; k < 3; ++k)
            s += b[r][k] * b[r][k] * c[r + k];
    for (int k = 0; k < M; ++k)
        s += sin(a[k]) * c[k];
    y[i] = s;
}
