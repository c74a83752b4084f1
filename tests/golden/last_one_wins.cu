// s2sad: --of y --wrt x,z
// Iterations overwrite what others stored: only the last one owes, so their order is kept though nothing is summed.
extern "C" __global__ void last_one_wins(const double *x, const double *z, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double w[2] = {1.0, 1.0};
    for (int k = 0; k < m; ++k)
        w[k % 2] = x[i * m + k] * z[k];
    double chosen = 0.0;
    for (int k = 0; k < m; ++k)
        if (x[i * m + k] > 0.0)
            chosen = sin(z[k]);
    y[i] = w[0] * w[1] + chosen;
}
