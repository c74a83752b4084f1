// conv2d_halo_adj: adjoint of conv2d_halo (conv2d_halo.cu:5).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform conv2d_halo.cu --of out --wrt in,k
//
// Call with in and k as they were before conv2d_halo. Seed adj_out with dJ/dout: it is
// left alone, because conv2d_halo stores each element of out at most once. dJ/din is
// added to adj_in; dJ/dk is added to adj_k. out is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   x, y       recomputed   from values at hand, in the reversed iteration
//   tile[..]   reloaded     no later store goes to it
//   k[..]      reloaded     nothing stores to it
//
// How adjoints are added up:
//   adj_in[..]     atomicAdd           threads that differ in threadIdx.x and
//                                      threadIdx.y only read the same in[y * width + x]
//   adj_k[..]      reduced per block   every thread reads the same k[3 * dy + dx]
//   adj_tile[..]   +=, by phase        an iteration hits an element once per block,
//                                      with a barrier between any two
//
// Assumed: the launch is 2-D, no two threads store the same out[y * width + x], arrays
// don't overlap, no index wraps.

#define TILE 8
#define HALO (TILE + 2)

// Adds what all threads of the block bring, as one atomicAdd. All of them call it.
static __device__ void block_add(float *where, float value)
{
    __shared__ float sums[32];
    int threads = blockDim.x * blockDim.y;
    int thread = threadIdx.y * blockDim.x + threadIdx.x;
    for (int d = 16; d > 0; d /= 2) {
        float above = __shfl_down_sync(0xffffffffu, value, d);
        if (thread + d < threads)  // the last warp may be short
            value += above;
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

extern "C" __global__ void conv2d_halo_adj(const float *__restrict__ in, float *__restrict__ adj_in,
                                           const float *__restrict__ k, float *__restrict__ adj_k,
                                           float *__restrict__ out,
                                           const float *__restrict__ adj_out, int height, int width)
{
    __shared__ float tile[HALO][HALO];
    __shared__ float adj_tile[HALO][HALO];
    for (int q = threadIdx.y * blockDim.x + threadIdx.x; q < HALO * HALO;
         q += blockDim.x * blockDim.y)
        adj_tile[q / HALO][q % HALO] = 0.0f;

    // ---- forward sweep ------------------------------------------------------

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int x0 = blockIdx.x * TILE - 1;
    int y0 = blockIdx.y * TILE - 1;
    for (int p = ty * TILE + tx; p < HALO * HALO; p += TILE * TILE) {
        int x = x0 + p % HALO;
        int y = y0 + p / HALO;
        float v = 0.0f;
        if (x >= 0 && x < width && y >= 0 && y < height)
            v = in[y * width + x];
        tile[p / HALO][p % HALO] = v;
    }
    __syncthreads();
    int x = blockIdx.x * TILE + tx;
    int y = blockIdx.y * TILE + ty;

    // ---- reverse sweep ------------------------------------------------------

    float adj_sum;
    if (x < width && y < height) {
        // 29:  out[y * width + x] = sum
        adj_sum = adj_out[y * width + x];
    }
    for (int dy = 0; dy < 3; ++dy)
        for (int dx = 0; dx < 3; ++dx) {
            float adj_k_sum = 0.0f;
            if (x < width && y < height) {
                // 28:  sum += k[3 * dy + dx] * tile[ty + dy][tx + dx]
                adj_k_sum = tile[ty + dy][tx + dx] * adj_sum;
                adj_tile[ty + dy][tx + dx] += k[3 * dy + dx] * adj_sum;
            }
            block_add(&adj_k[3 * dy + dx], adj_k_sum);
        }
    __syncthreads();
    for (int p = ty * TILE + tx; p < HALO * HALO; p += TILE * TILE) {
        int x = x0 + p % HALO;
        int y = y0 + p / HALO;

        // 19:  tile[p / HALO][p % HALO] = v
        if (x >= 0 && x < width && y >= 0 && y < height) {
            // 18:  v = in[y * width + x]
            atomicAdd(&adj_in[y * width + x], adj_tile[p / HALO][p % HALO]);
        }
    }
}
