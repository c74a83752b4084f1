// [conv.prom]: unsigned shorts are multiplied as ints; the product isn't taken modulo 65536.
extern "C" __global__ void promotion_of_unsigned_short_in_a_product(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    unsigned short a = 300 + m[i];
    unsigned short b = 250;
    int whole = a * b;
    unsigned short part = a * b;
    if (whole > 65535)
        s = sinf(s) * x[whole % 16];
    s *= x[part % 13];
    y[i] = s;
}
