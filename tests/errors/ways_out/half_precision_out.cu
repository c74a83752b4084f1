// help: use float between __half2float(x) and __float2half(x)
// s2sad: --of y --wrt x
#include <cuda_fp16.h>
extern "C" __global__ void wave(const __half *x, __half *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = __half2float(x[i]);
        y[i] = __float2half(fmaxf(v * v + 1.0f, 0.0f));
    }
}
