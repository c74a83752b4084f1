// A bound that an unsigned char never reaches, and a break.
#define K 6
extern "C" __global__ void unsigned_char_below_300(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = 1.0f;
    int c = 0;
    for (unsigned char j = 250; j < 300; ++j) { if (c++ == 9) break; s = s * 0.9f + 0.1f * s * s * x[i * K + (j & 3)] + 0.01f * j * s; }
    y[i] = s;
}
