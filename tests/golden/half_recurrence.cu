// s2sad: --of y --wrt x,rate --assume launch:1d
// A state of half precision is recorded as it is; its adjoint is a float all along.
#include <cuda_fp16.h>

#define STEPS 6

__global__ void half_recurrence(half *y, const half *x, half rate, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        half s = x[i];
        for (int k = 0; k < STEPS; ++k) {
            s = s + rate * (hsin(s) - s * s * (half)0.25f);
            y[i] += s;
        }
    }
}
