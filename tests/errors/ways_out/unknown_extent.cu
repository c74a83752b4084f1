// meets: shared-writer, unknown-extent
// s2sad: --of y --wrt x
// sorted into places of the block
#include <cuda_fp16.h>
extern "C" __global__ void place(const half *x, const int *to, half *y)
{
    extern __shared__ half s[];
    int t = threadIdx.x;
    s[to[t]] = x[t] * x[t];
    __syncthreads();
    y[t] = s[t] * s[t];
}
