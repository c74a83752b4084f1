// s2sad: --of y --wrt x,c
// Horner's rule in a variable: its tangent is carried, while the coefficients' share goes back through the loop.
extern "C" __global__ void polynomial(const double *x, const double *c, double *y, int n, int terms)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = sin(x[i]), s = 0.0;
    for (int k = 0; k < terms; ++k)
        s = s * v + c[k];
    y[i] = s;
}
