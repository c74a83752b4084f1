// [expr.arith.conv]: a long beside an unsigned long becomes unsigned; a long long does, too.
extern "C" __global__ void conversion_of_long_beside_unsigned_long(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    long a = -m[i] - 2;
    unsigned long one = 1;
    long long b = -m[i] - 2;
    if (a + one > 100)
        s = sinf(s) * x[(a + one) & 15];
    if (b * one > 100ul)
        s *= x[(b * one) % 16];
    y[i] = s * s;
}
