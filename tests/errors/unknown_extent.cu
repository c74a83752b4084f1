// s2sad: --of y --wrt x --assume injective:to
#include <cuda_fp16.h>
extern "C" __global__ void scattered(const half *x, const int *to, half *y)
{
    extern __shared__ half s[];
    s[to[threadIdx.x]] = x[threadIdx.x];
//  ^^^^^^^^^^^^^^^^^^ unknown-extent: nothing bounds the index `to[threadIdx.x]`
    __syncthreads();
    y[threadIdx.x] = s[threadIdx.x] * s[threadIdx.x];
}
