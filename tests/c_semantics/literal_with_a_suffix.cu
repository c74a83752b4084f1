// [lex.icon]: a suffix says the least type; 1u - 2 wraps, 1l - 2 doesn't.
extern "C" __global__ void literal_with_a_suffix(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    if (1u - 2 > 0)
        s = sinf(s) * x[2u];
    if (1l - 2 > 0)
        s = 0.0f;
    if (1ul - m[i] - 1 <= 0)
        s *= x[3LL] + s;
    s *= x[(1u - 2) >> 29] * x[(1ull - 2) >> 60];
    s *= x[sizeof(1) + sizeof(1u)] + x[sizeof(1L)] * sizeof 1ll;
    y[i] = s;
}
