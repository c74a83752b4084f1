// [conv.integral]: a value that a short doesn't have is taken modulo 65536.
extern "C" __global__ void narrowing_to_short(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    int wide = 70000 + m[i];
    short narrow = wide;
    unsigned short plain = wide;
    s = sinf(s) * x[(narrow - 4464) & 15];
    s *= x[(short)(wide - 40000) < 0 ? 1 : 2];
    s *= x[plain - 4464];
    y[i] = s;
}
