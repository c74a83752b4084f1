// [lex.icon]: octal, hexadecimal and binary digits, with separators.
extern "C" __global__ void literal_in_each_base(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    s = sinf(s) * x[010] * x[0xF] * x[0b101];
    s *= x[1'0] * x[0x1'1 & 017] * x[00];
    for (int k = 0; k < 03; ++k)
        s = s * x[k | 0x8] + s * s;
    y[i] = s;
}
