// s2sad: --of y --wrt x
// Counters beside the values, of integers with a sign that are counted as ones without, and halves by their bits.
#include <cuda_fp16.h>

extern "C" __global__ void turning_counts(const __half *x, __half *y, int *turns, long long *count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = x[i] * x[i] * __ushort_as_half(0x4200) + __short_as_half(0x3c00);
        atomicInc((unsigned int *)&turns[i % 3], 4u);
        atomicDec((unsigned int *)(turns + 3), 2u);
        atomicAdd((unsigned long long *)count, 1ull);
    }
}
