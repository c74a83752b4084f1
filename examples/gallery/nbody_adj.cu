// nbody_adj: adjoint of nbody (nbody.cu:23).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform nbody.cu --of accel --wrt bodies,softening2
//
// Call with bodies as it was before nbody. Seed adj_accel with dJ/daccel: it is left
// alone, because nbody stores each element of accel at most once. dJ/dbodies is added
// to adj_bodies; dJ/dsoftening2 is added to adj_softening2. accel is neither read nor
// written.
//
// What the reverse sweep needs, and where it finds it:
//   mine.x, mine.y, mine.z    reloaded     still in its variable
//   j, bj.w, r.x, r.y, r.z,   recomputed   from values at hand, in the reversed
//                                          iteration
//   inv, s
//
// How adjoints are added up:
//   adj_bodies[..].x   atomicAdd           not proved that two threads never meet in
//                                          bodies[i] and bodies[j]
//   adj_bodies[..].y   atomicAdd           not proved that two threads never meet in
//                                          bodies[i] and bodies[j]
//   adj_bodies[..].z   atomicAdd           not proved that two threads never meet in
//                                          bodies[i] and bodies[j]
//   adj_bodies[..].w   atomicAdd           every block reads the same bodies[j]
//   adj_tile[..].x     reduced per block   every thread reads the same shared[k]
//   adj_tile[..].y     reduced per block   every thread reads the same shared[k]
//   adj_tile[..].z     reduced per block   every thread reads the same shared[k]
//   adj_tile[..].w     reduced per block   every thread reads the same shared[k]
//   adj_softening2     reduced per block   every thread has its share in it
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#define TILE 32

// Adds what all threads of the block bring, as one atomicAdd. All of them call it.
static __device__ void block_add(float *where, float value)
{
    __shared__ float sums[32];
    for (int d = 16; d > 0; d /= 2) {
        float above = __shfl_down_sync(0xffffffffu, value, d);
        if (threadIdx.x + d < blockDim.x)  // the last warp may be short
            value += above;
    }
    __syncthreads();  // the sums of the last call have been read
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int warp = 1; 32 * warp < blockDim.x; ++warp)
            value += sums[warp];
        if (value != 0.0f)  // an element that no thread reads needn't exist
            atomicAdd(where, value);
    }
}

extern "C" __global__ void nbody_adj(const float4 *__restrict__ bodies, float4 *adj_bodies,
                                     float3 *__restrict__ accel, const float3 *adj_accel,
                                     float softening2, float *adj_softening2, int n)
{
    __shared__ float4 tile[TILE];
    __shared__ float4 adj_tile[TILE];
    for (int q = threadIdx.x; q < TILE; q += blockDim.x) {
        adj_tile[q].x = 0.0f;
        adj_tile[q].y = 0.0f;
        adj_tile[q].z = 0.0f;
        adj_tile[q].w = 0.0f;
    }
    const int i = blockIdx.x * TILE + threadIdx.x;
    float4 mine;
    mine.x = i < n ? bodies[i].x : 0.0f;
    mine.y = i < n ? bodies[i].y : 0.0f;
    mine.z = i < n ? bodies[i].z : 0.0f;

    float3 adj_a = {};
    if (i < n) {
        // 38:  accel[i] = a
        adj_a = adj_accel[i];
    }
    float4 adj_mine = {};
    float adj_softening2_sum = 0.0f;
    for (int start = (n + 31) / TILE * TILE - 32; start >= 0; start -= TILE) {
        const int j = start + threadIdx.x;
        tile[threadIdx.x] = make_float4(j < n ? bodies[j].x : 0.0f, j < n ? bodies[j].y : 0.0f,
                                        j < n ? bodies[j].z : 0.0f, j < n ? bodies[j].w : 0.0f);
        __syncthreads();

        // 34:  a = tile_calculation(mine, a, tile, softening2)
        #pragma unroll 8
        for (int k = TILE - 1; k >= 0; --k) {
            float4 bj = tile[k];
            const float3 r = make_float3(bj.x - mine.x, bj.y - mine.y, bj.z - mine.z);
            const float inv = rsqrtf(r.x * r.x + r.y * r.y + r.z * r.z + softening2);
            float s = bj.w * inv * inv * inv;

            // 18:  a = body_body(mine, shared[k], a, eps2)
            float adj_s = r.z * adj_a.z + r.y * adj_a.y + r.x * adj_a.x;
            float3 adj_r = make_float3(s * adj_a.x, s * adj_a.y, s * adj_a.z);

            // 10:  const float inv = rsqrtf(dot(r, r) + eps2)
            float g = -0.5f * inv * inv * inv * 3.0f * bj.w * inv * inv * adj_s;
            adj_r.x += 2.0f * r.x * g;
            adj_r.y += 2.0f * r.y * g;
            adj_r.z += 2.0f * r.z * g;
            adj_softening2_sum += g;

            // 9:  const float3 r = xyz(bj) - xyz(bi)
            adj_mine.x -= adj_r.x;
            adj_mine.y -= adj_r.y;
            adj_mine.z -= adj_r.z;

            // 18:  shared[k]
            block_add(&adj_tile[k].x, adj_r.x);
            block_add(&adj_tile[k].y, adj_r.y);
            block_add(&adj_tile[k].z, adj_r.z);
            block_add(&adj_tile[k].w, inv * inv * inv * adj_s);
        }

        // 34:  a
        __syncthreads();

        // 32:  tile[threadIdx.x] = j < n ? bodies[j] : make_float4(0.0f, 0.0f, 0.0f, 0.0f)
        if (j < n)
            atomicAdd(&adj_bodies[j].w, adj_tile[threadIdx.x].w);
        adj_tile[threadIdx.x].w = 0.0f;
        if (j < n)
            atomicAdd(&adj_bodies[j].z, adj_tile[threadIdx.x].z);
        adj_tile[threadIdx.x].z = 0.0f;
        if (j < n)
            atomicAdd(&adj_bodies[j].y, adj_tile[threadIdx.x].y);
        adj_tile[threadIdx.x].y = 0.0f;
        if (j < n)
            atomicAdd(&adj_bodies[j].x, adj_tile[threadIdx.x].x);
        adj_tile[threadIdx.x].x = 0.0f;
    }

    // 27:  const float4 mine = i < n ? bodies[i] : make_float4(0.0f, 0.0f, 0.0f, 0.0f)
    if (i < n) {
        atomicAdd(&adj_bodies[i].x, adj_mine.x);
        atomicAdd(&adj_bodies[i].y, adj_mine.y);
        atomicAdd(&adj_bodies[i].z, adj_mine.z);
    }
    block_add(adj_softening2, adj_softening2_sum);
}
