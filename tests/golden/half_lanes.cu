// s2sad: --of y,total --wrt x,w --assume launch:1d
// A pair read out of single numbers and added atomically, a shuffle of one, and one made an integer.
#include <cuda_fp16.h>

#define FULL 0xffffffffu

__global__ void half_lanes(const half *x, const half *w, half2 *y, half2 *total, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    half2 v = i < n ? reinterpret_cast<const half2 *>(x)[i] : __float2half2_rn(0.0f);
    half s = __shfl_down_sync(FULL, v.x, 2);
    if (i < n) {
        int bin = __half2int_rd(v.y) & 3;
        half2 sum = v * v + __half2half2(w[bin]);
        y[i] = __hmul2(sum, __halves2half2(s, s));
        atomicAdd(&total[0], sum);
    }
}
