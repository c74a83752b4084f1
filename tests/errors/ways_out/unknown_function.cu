// meets: unknown-function
// where: DIR=headers
// s2sad: --of y --wrt x
#include <mixing/blend.cuh>

extern "C" __global__ void mixed(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = blend(x[i], 0.5f);
}
