// s2sad: --of total --wrt x,scale --assume launch:1d
// Half precision shared by a block, summed by a tree, and added to atomically.
#include <cuda_fp16.h>

#define BLOCK 64

__global__ void half_bins(const half *x, const half *scale, half *total, int n, int bins)
{
    __shared__ half part[BLOCK];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    half v = half(0);
    if (i < n)
        v = hlog(__hadd(__habs(x[i]), __float2half(1.0f)));
    part[t] = v * scale[i % bins];
    __syncthreads();
    for (int d = BLOCK / 2; d > 0; d /= 2) {
        if (t < d)
            part[t] = part[t] + part[t + d];
        __syncthreads();
    }
    if (t == 0)
        atomicAdd(&total[0], part[0]);
}
