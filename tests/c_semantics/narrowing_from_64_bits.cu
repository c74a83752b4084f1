// [conv.integral]: the low 32 bits of a long long.
extern "C" __global__ void narrowing_from_64_bits(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    long long wide = (1ll << 33) + m[i];
    int low = wide;
    unsigned high = wide >> 32;
    s = sinf(s) * x[low] * x[high];
    wide = -wide;
    low = wide;
    s *= x[-low];
    unsigned all = wide;
    s *= x[all % 16];
    y[i] = s;
}
