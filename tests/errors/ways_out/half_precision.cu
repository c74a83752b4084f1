// meets: half-precision
// s2sad: --of y --wrt x
#include <cuda_fp16.h>
extern "C" __global__ void wave(const __half *x, __half *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = __hfma_relu(x[i], x[i], __float2half(1.0f));
}
