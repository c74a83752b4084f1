// [expr.ass], [expr.arith.conv]: u += -1 subtracts one; a float on the right makes the sum a float.
extern "C" __global__ void compound_assignment_of_an_unsigned(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    unsigned u = m[i] + 2;
    u += -1;
    s = sinf(s) * x[u];
    u *= 2.6f;
    s *= x[u & 15];
    u -= 0.5f;
    s *= x[u & 15];
    int k = -8;
    k /= 2u + m[i] * 0;
    s *= x[(unsigned)k >> 28];
    y[i] = s;
}
