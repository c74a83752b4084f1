// meets: divergent-warp
// s2sad: --of y --wrt x
// the sum of what is kept; the rest leaves before the lanes add up
extern "C" __global__ void kept(const float *x, const int *keep, float *y)
{
    int i = blockIdx.x * 32 + threadIdx.x;
    if (keep[i] == 0)
        return;
    float v = x[i] * x[i];
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_xor_sync(0xffffffffu, v, d);
    y[i] = v;
}
