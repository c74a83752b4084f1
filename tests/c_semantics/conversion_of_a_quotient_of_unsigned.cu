// [expr.arith.conv], [expr.mul]: minus six by an unsigned two is a large number.
extern "C" __global__ void conversion_of_a_quotient_of_unsigned(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    int a = -6 - m[i];
    unsigned two = 2;
    s = sinf(s) * x[a / two % 16];
    s *= x[a % 5u];
    s *= x[-(a / (int)two)];
    y[i] = s;
}
