// s2sad: --of y --wrt x,c
// Unsigned counters: the reverse of one that counts up mustn't ask whether it is below zero.
extern "C" __global__ void unsigned_counters(const double *x, const double *c, double *y, unsigned int n, unsigned int m)
{
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double s = x[i];
    for (unsigned int k = 0; k < m; ++k)
        s = s * s * c[k] + 0.3;
    for (unsigned int k = m; k-- > 0;)
        s = sin(s) * c[k];
    for (size_t k = 1; k < m; k += 2)
        s = s + c[k - 1] * s * s;
    y[i] = s;
}
