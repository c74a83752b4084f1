// A signed char counts past 127, modulo 256.
#define K 6
extern "C" __global__ void signed_char_wraps(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = 1.0f;
    for (signed char j = 125; j != -126; ++j) s = s * 0.5f + s * s * x[i * K + (j & 3)];
    y[i] = s;
}
