// s2sad: --of y --wrt c,x
// A polynomial by Horner's rule: the loop counts down.
extern "C" __global__ void horner(const double *c, int degree, const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double p = c[degree];
    for (int k = degree - 1; k >= 0; --k)
        p = p * x[i] + c[k];
    y[i] = p;
}
