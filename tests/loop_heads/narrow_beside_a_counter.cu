// An unsigned char that wraps around beside the counter.
#define K 6
extern "C" __global__ void narrow_beside_a_counter(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = 1.0f;
    float t[8];
    for (int a = 0; a < 8; ++a) t[a] = x[i * K + a % 6];
    unsigned char j = 252;
    for (int q = 0; q < 6; ++q) { s = s * 0.9f + 0.1f * s * s * t[j >> 5] * (0.01f * j); j += 3; }
    y[i] = s;
}
