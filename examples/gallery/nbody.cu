// Particle methods: all pairs of gravitating bodies, tile by tile through shared memory.
// After L. Nyland, M. Harris and J. Prins, "Fast N-body simulation with CUDA", GPU Gems 3, chapter 31.
#include "vec.cuh"

#define TILE 32

__device__ float3 body_body(float4 bi, float4 bj, float3 ai, float eps2)
{
    const float3 r = xyz(bj) - xyz(bi);
    const float inv = rsqrtf(dot(r, r) + eps2);
    return ai + (bj.w * inv * inv * inv) * r;
}

__device__ float3 tile_calculation(float4 mine, float3 a, const float4 *shared, float eps2)
{
#pragma unroll 8
    for (int k = 0; k < TILE; ++k)
        a = body_body(mine, shared[k], a, eps2);
    return a;
}

// s2sad: --of accel --wrt bodies,softening2
extern "C" __global__ void nbody(const float4 *__restrict__ bodies, float3 *__restrict__ accel, float softening2, int n)
{
    __shared__ float4 tile[TILE];
    const int i = blockIdx.x * TILE + threadIdx.x;
    const float4 mine = i < n ? bodies[i] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);

    float3 a = make_float3(0.0f, 0.0f, 0.0f);
    for (int start = 0; start < n; start += TILE) {
        const int j = start + threadIdx.x;
        tile[threadIdx.x] = j < n ? bodies[j] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        __syncthreads();
        a = tile_calculation(mine, a, tile, softening2);
        __syncthreads();
    }
    if (i < n)
        accel[i] = a;
}
