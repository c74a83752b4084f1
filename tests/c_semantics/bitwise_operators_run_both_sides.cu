// [expr.bit.and]: & of two conditions evaluates both.
extern "C" __global__ void bitwise_operators_run_both_sides(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    int a = m[i];
    int b = 1;
    if ((a++ > 2) & (b++ > 1))
        s = 0.0f;
    s = sinf(s) * x[a] * x[b];
    if ((a-- > 4) | (--b == 1))
        s *= x[a + b];
    bool c = (a > 1) ^ (b > 0);
    y[i] = s * (c + 1) * x[c & 1];
}
