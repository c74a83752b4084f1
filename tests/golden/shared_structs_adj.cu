// pairs_adj: adjoint of pairs (shared_structs.cu:9).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform shared_structs.cu --of energy --wrt sites
//
// Call with sites as it was before pairs. Seed adj_energy with dJ/denergy: it is left
// alone, because pairs stores each element of energy at most once. dJ/dsites is added
// to adj_sites. energy is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   e            reloaded     still in its variable
//   dx, dy       recomputed   from values at hand, in the reversed iteration
//   tile[..].q   reloaded     no later store goes to it
//
// How adjoints are added up:
//   adj_sites[..].x   +=, one owner       one thread per element
//   adj_sites[..].y   +=, one owner       one thread per element
//   adj_sites[..].q   +=, one owner       one thread per element
//   adj_tile[..].x    reduced per block   every thread reads the same tile[k].x
//   adj_tile[..].x    atomicAdd           other threads add to tile[t].x too
//   adj_tile[..].y    reduced per block   every thread reads the same tile[k].y
//   adj_tile[..].y    atomicAdd           other threads add to tile[t].y too
//   adj_tile[..].q    reduced per block   every thread reads the same tile[k].q
//   adj_tile[..].q    atomicAdd           other threads add to tile[t].q too
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#define BLOCK 32

struct Site {
    float x, y;
    float q;
};

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

__global__ void pairs_adj(const Site *sites, Site *adj_sites,
                          float *energy, const float *adj_energy, int n)
{
    __shared__ Site tile[BLOCK];
    __shared__ Site adj_tile[BLOCK];
    for (int q = threadIdx.x; q < BLOCK; q += blockDim.x) {
        adj_tile[q].x = 0.0f;
        adj_tile[q].y = 0.0f;
        adj_tile[q].q = 0.0f;
    }

    // ---- forward sweep ------------------------------------------------------

    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    Site nobody = {0.0f, 0.0f, 0.0f};
    tile[t].x = i < n ? sites[i].x : nobody.x;
    tile[t].y = i < n ? sites[i].y : nobody.y;
    tile[t].q = i < n ? sites[i].q : nobody.q;
    __syncthreads();

    float e = 0.0f;
    for (int k = 0; k < BLOCK; ++k) {
        float dx = tile[k].x - tile[t].x;
        float dy = tile[k].y - tile[t].y;
        e += tile[k].q * expf(-(dx * dx + dy * dy));
    }

    // ---- reverse sweep ------------------------------------------------------

    float adj_e = 0.0f;
    if (i < n) {
        // 25:  energy[i] = tile[t].q * e
        float g = adj_energy[i];
        atomicAdd(&adj_tile[t].q, e * g);
        adj_e += tile[t].q * g;
    }
    for (int k = 0; k < BLOCK; ++k) {
        float dx = tile[k].x - tile[t].x;
        float dy = tile[k].y - tile[t].y;

        // 22:  e += tile[k].q * expf(-(dx * dx + dy * dy))
        block_add(&adj_tile[k].q, expf(-(dx * dx + dy * dy)) * adj_e);
        float g = -(tile[k].q * expf(-(dx * dx + dy * dy)) * adj_e);
        float adj_dx = 2.0f * dx * g;
        float adj_dy = 2.0f * dy * g;

        // 21:  float dy = tile[k].y - tile[t].y
        block_add(&adj_tile[k].y, adj_dy);
        atomicAdd(&adj_tile[t].y, -adj_dy);

        // 20:  float dx = tile[k].x - tile[t].x
        block_add(&adj_tile[k].x, adj_dx);
        atomicAdd(&adj_tile[t].x, -adj_dx);
    }
    __syncthreads();

    // 15:  tile[t] = i < n ? sites[i] : nobody
    if (i < n) {
        adj_sites[i].x += adj_tile[t].x;
        adj_sites[i].y += adj_tile[t].y;
        adj_sites[i].q += adj_tile[t].q;
    }
}
