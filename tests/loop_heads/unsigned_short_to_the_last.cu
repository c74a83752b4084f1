// A bound that is the largest value of the type, and a break.
#define K 6
extern "C" __global__ void unsigned_short_to_the_last(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = 1.0f;
    int c = 0;
    for (unsigned short j = 65530; j <= 65535; ++j) { s = s * 0.9f + 0.1f * s * s * x[i * K + (j & 3)] + 0.00001f * j * s; if (++c == 12) break; }
    y[i] = s;
}
