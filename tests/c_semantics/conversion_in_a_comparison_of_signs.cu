// [expr.rel], [expr.arith.conv]: minus one is greater than an unsigned one; not than an unsigned char.
extern "C" __global__ void conversion_in_a_comparison_of_signs(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    int minus = -1 - m[i];
    unsigned char small = 1;
    if (minus > 1u)
        s = sinf(s) * x[1];
    if (minus > small)
        s = 0.0f;
    if (-1 > 1u)
        s *= x[2];
    if (-1 < 1ul)
        s = 0.0f;
    if (-1 < 1L)
        s *= x[3];
    y[i] = s;
}
