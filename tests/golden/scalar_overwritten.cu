// s2sad: --of y --wrt x,a,b
// By-value parameters that are independents and are overwritten: `a` by itself, `b` in a loop.
extern "C" __global__ void scalar_overwritten(const float *x, float a, float b, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    a = a * x[i];
    for (int k = 0; k < 3; ++k)
        b = b * b + a;
    a += sinf(b);
    y[i] = a * b;
}
