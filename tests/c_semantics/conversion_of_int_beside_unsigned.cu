// [expr.arith.conv]: an int beside an unsigned int becomes unsigned.
extern "C" __global__ void conversion_of_int_beside_unsigned(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    int a = -m[i] - 1;
    unsigned b = 2;
    if (a + b > 100u || m[i] < 2)
        s = sinf(s) * x[(a + b) & 15];
    if (a < b)
        s = 0.0f;
    s *= x[(a * b) % 16];
    y[i] = s * s;
}
