// s2sad: --of y --wrt x,gain --assume launch:1d
// Half precision in memory, float in between; the gain is one number for all.
#include <cuda_fp16.h>

__global__ void half_gain(const half *x, const __half *gain, __half *y, float offset, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = __half2float(x[i]) - offset;
        y[i] = __float2half(tanhf(v * __half2float(gain[0])));
    }
}
