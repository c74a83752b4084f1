// Sums over a warp and over a block, as in M. Harris, "Optimizing Parallel Reduction in CUDA" (2007),
// with shuffles.
#pragma once

constexpr int WARP = 32;

template <typename T> __device__ __forceinline__ T warp_sum(T v)
{
#pragma unroll
    for (int offset = WARP / 2; offset > 0; offset /= 2)
        v += __shfl_xor_sync(0xffffffffu, v, offset);
    return v;
}

// The sum over the block; thread 0 has it. BLOCK is a multiple of 32.
template <int BLOCK, typename T> __device__ T block_sum(T v)
{
    __shared__ T partial[BLOCK / WARP];
    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    v = warp_sum(v);
    if (lane == 0)
        partial[warp] = v;
    __syncthreads();
    T total = T(0);
    if (threadIdx.x == 0)
        for (int w = 0; w < BLOCK / WARP; ++w)
            total += partial[w];
    return total;
}
