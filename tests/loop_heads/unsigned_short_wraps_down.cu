// An unsigned short counts down past zero.
#define K 6
extern "C" __global__ void unsigned_short_wraps_down(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = 1.0f;
    for (unsigned short j = 2; j != 65533; j--) s = s * 0.5f + s * s * x[i * K + (j & 3)];
    y[i] = s;
}
