// [lex.icon]: 0xffffffff is unsigned, 4294967295 is a long; so is 2147483648, whose minus is negative.
extern "C" __global__ void literal_beyond_int(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    if (-1 == 0xffffffff)
        s = sinf(s) * x[1];
    if (-1 == 4294967295)
        s = 0.0f;
    if (-2147483648 < 0)
        s *= x[2] + s;
    if (-0x80000000 > 0)
        s *= x[3];
    if (m[i] - 8 < 0x7fffffff)
        s *= x[4];
    if (m[i] - 8 < 0x80000000)
        s = 0.0f;
    y[i] = s * x[037777777777 >> 28];
}
