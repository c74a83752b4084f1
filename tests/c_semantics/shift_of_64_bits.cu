// [expr.shift]: a wide left operand keeps what a narrow one would lose.
extern "C" __global__ void shift_of_64_bits(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    int by = 33 + m[i];
    long long far = 1ll << by;
    s = sinf(s) * x[(far >> 33) & 15];
    unsigned long long top = ~0ull << 60;
    s *= x[top >> 60];
    s *= x[(1ull << 40 >> 38)];
    y[i] = s * s;
}
