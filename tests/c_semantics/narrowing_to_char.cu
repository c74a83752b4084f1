// [conv.integral]: 200 as a signed char is -56, -1 as an unsigned char is 255.
extern "C" __global__ void narrowing_to_char(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    signed char a = 200 + m[i];
    unsigned char b = -1 - m[i];
    s = sinf(s) * x[-a & 15];
    s *= x[255 - b];
    s *= (signed char)(a + b) < 0 ? x[3] : x[4];
    y[i] = s;
}
