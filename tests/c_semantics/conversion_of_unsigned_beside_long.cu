// [expr.arith.conv]: an unsigned int beside a long becomes long, which has all its values.
extern "C" __global__ void conversion_of_unsigned_beside_long(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    unsigned a = m[i];
    long b = -5;
    if (a + b < 0)
        s = sinf(s) * x[-(a + b)];
    for (long k = a + b; k < 4; ++k)
        s = s * x[k + 5] + 0.5f * s * s;
    y[i] = s;
}
