// An int counts away from its bound until a break.
#define K 6
extern "C" __global__ void unequal_and_break(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = 1.0f;
    for (int j = 5; j != 3; ++j) { if (j > 8) break; s = s * 0.9f + 0.1f * s * s * x[i * K + j % 6]; }
    y[i] = s;
}
