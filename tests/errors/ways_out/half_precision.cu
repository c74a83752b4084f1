// meets: half-precision
// s2sad: --of y --wrt x
#include <cuda_fp16.h>
extern "C" __global__ void wave(const __half *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = sinf(__half2float(x[i]));
}
