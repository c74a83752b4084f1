// [expr.sub], [expr.arith.conv]: indices in 64 bits; a negative part cancels.
extern "C" __global__ void index_arithmetic_in_size_t(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    size_t at = (size_t)i * 2 + 1;
    ptrdiff_t back = -2;
    unsigned zero = 0;
    s = sinf(s) * x[at] * x[at + back + 1];
    s *= x[zero - 1u + 2u];
    s *= *(x + (m[i] - 8) + 8);
    const float *p = x + 8;
    s *= p[back] * p[-(int)at / 2];
    y[(size_t)i] = s * x[at - (at > 3 ? 3 : 1)];
}
