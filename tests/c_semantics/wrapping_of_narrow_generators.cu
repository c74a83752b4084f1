// [conv.integral]: what is stored into an unsigned char or short is taken modulo 256 or 65536.
extern "C" __global__ void wrapping_of_narrow_generators(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    unsigned char a = m[i];
    unsigned short b = m[i];
    for (int k = 0; k < 6; ++k) {
        a = a * 77 + 31;
        b = b * 25173 + 13849;
        s = sinf(s) * x[a >> 4] + s * x[b >> 12];
    }
    y[i] = s;
}
