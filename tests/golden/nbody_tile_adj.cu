// nbody_adj: adjoint of nbody (nbody_tile.cu:4).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform nbody_tile.cu --of ax --wrt px,m
//
// Call with px and m as they were before nbody. Seed adj_ax with dJ/dax: it is left
// alone, because nbody stores each element of ax at most once. dJ/dpx is added to
// adj_px; dJ/dm is added to adj_m. ax is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   xi         reloaded     still in its variable
//   j, d, r2   recomputed   from values at hand, in the reversed iteration
//   sm[..]     reloaded     no later store goes to it
//
// How adjoints are added up:
//   adj_px[..]   atomicAdd           not proved that two threads never meet in px[i]
//                                    and px[j]
//   adj_m[..]    atomicAdd           every block reads the same m[j]
//   adj_sx[..]   reduced per block   every thread reads the same sx[k]
//   adj_sm[..]   reduced per block   every thread reads the same sm[k]
//
// At kinks and singular points:
//   sqrtf: where its partial is infinite a zero adjoint contributes zero
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#define TILE 32

// Adds what all threads of the block bring, as one atomicAdd. All of them call it.
static __device__ void block_add(float *where, float value)
{
    __shared__ float sums[32];
    int threads = blockDim.x * blockDim.y * blockDim.z;
    int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    for (int d = 16; d > 0; d /= 2) {
        float above = __shfl_down_sync(0xffffffffu, value, d);
        value += thread + d < threads ? above : 0.0f;  // the last warp may be short
    }
    __syncthreads();  // the sums of the last call have been read
    if (thread % 32 == 0)
        sums[thread / 32] = value;
    __syncthreads();
    if (thread == 0) {
        for (int warp = 1; 32 * warp < threads; ++warp)
            value += sums[warp];
        if (value != 0.0f)  // an element that no thread reads needn't exist
            atomicAdd(where, value);
    }
}

__global__ void nbody_adj(const float *__restrict__ px, float *__restrict__ adj_px,
                          const float *__restrict__ m, float *__restrict__ adj_m,
                          float *__restrict__ ax, const float *__restrict__ adj_ax, int n)
{
    __shared__ float sx[TILE];
    __shared__ float adj_sx[TILE];
    __shared__ float sm[TILE];
    __shared__ float adj_sm[TILE];
    for (int q = threadIdx.x; q < TILE; q += blockDim.x)
        adj_sx[q] = 0.0f;
    for (int q = threadIdx.x; q < TILE; q += blockDim.x)
        adj_sm[q] = 0.0f;
    int i = blockIdx.x * TILE + threadIdx.x;
    float xi = i < n ? px[i] : 0.0f;
    float adj_acc = 0.0f;
    if (i < n) {
        // 23:  ax[i] = acc
        adj_acc += adj_ax[i];
    }
    float adj_xi = 0.0f;
    for (int tile = (n + 31) / TILE * TILE - 32; tile >= 0; tile -= TILE) {
        int j = tile + threadIdx.x;
        sx[threadIdx.x] = j < n ? px[j] : 0.0f;
        sm[threadIdx.x] = j < n ? m[j] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; ++k) {
            float d = sx[k] - xi;
            float r2 = d * d + 0.01f;

            // 18:  acc += sm[k] * d / (r2 * sqrtf(r2))
            float g = adj_acc / (r2 * sqrtf(r2));
            block_add(&adj_sm[k], d * g);
            float adj_d = sm[k] * g;
            float g_2 = -(sm[k] * d / (r2 * sqrtf(r2)) * g);
            float adj_r2 = sqrtf(r2) * g_2;
            float g_3 = r2 * g_2;
            if (g_3 != 0.0f)
                adj_r2 += 0.5f * g_3 / sqrtf(r2);

            // 17:  float r2 = d * d + 0.01f
            adj_d += 2.0f * d * adj_r2;

            // 16:  float d = sx[k] - xi
            block_add(&adj_sx[k], adj_d);
            adj_xi -= adj_d;
        }
        __syncthreads();

        // 13:  sm[threadIdx.x] = j < n ? m[j] : 0.0f
        if (j < n)
            atomicAdd(&adj_m[j], adj_sm[threadIdx.x]);
        adj_sm[threadIdx.x] = 0.0f;

        // 12:  sx[threadIdx.x] = j < n ? px[j] : 0.0f
        if (j < n)
            atomicAdd(&adj_px[j], adj_sx[threadIdx.x]);
        adj_sx[threadIdx.x] = 0.0f;
    }

    // 8:  float xi = i < n ? px[i] : 0.0f
    if (i < n)
        atomicAdd(&adj_px[i], adj_xi);
}
