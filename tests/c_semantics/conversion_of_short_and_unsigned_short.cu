// [expr.arith.conv]: both fit an int, so a comparison of short and unsigned short is that of the values.
extern "C" __global__ void conversion_of_short_and_unsigned_short(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    short a = -m[i];
    unsigned short b = 3;
    if (a < b)
        s = sinf(s) * x[b - a];
    if (a * b <= 0)
        s *= x[-(a * b)];
    y[i] = s;
}
