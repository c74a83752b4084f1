// shared_walk_adj: adjoint of shared_walk (shared_walk.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform shared_walk.cu --of y --wrt x,w
//
// Call with x and w as they were before shared_walk. Seed adj_y with dJ/dy: it is left
// alone, because shared_walk stores each element of y at most once. dJ/dx is added to
// adj_x; dJ/dw is added to adj_w. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   p_at       inverted   each iteration subtracts 1
//   q_at       inverted   each iteration adds 1
//   s          reloaded   still in its variable
//   tile[..]   reloaded   no later store goes to it
//   w[..]      reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]      atomicAdd           neighbouring threads share x[i] and x[i - 8]
//   adj_w[..]      reduced per block   every thread reads the same *q++
//   adj_tile[..]   +=, by phase        each place hits an element once per block and
//                                      iteration, with barriers between them
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

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

extern "C" __global__ void shared_walk_adj(const float *x, float *adj_x,
                                           const float *w, float *adj_w,
                                           float *y, const float *adj_y, int n, int taps)
{
    __shared__ float tile[24];
    __shared__ float adj_tile[24];
    for (int q = threadIdx.x; q < 24; q += blockDim.x)
        adj_tile[q] = 0.0f;
    int i = blockIdx.x * 16 + threadIdx.x;
    const long own_at = threadIdx.x;
    tile[own_at + 8] = i < n ? x[i] : 0.0f;
    if (threadIdx.x < 8)
        tile[own_at] = i >= 8 ? x[i - 8] : 0.0f;
    __syncthreads();
    float adj_s;
    if (i < n) {
        float s = 0.0f;
        long p_at = 0;
        long q_at = 0;
        for (int k = 0; k < taps; ++k) {
            s += w[q_at] * tile[own_at + 8 + p_at];
            q_at++;
            --p_at;
        }

        // 19:  y[i] = s * own[8]
        float g = adj_y[i];
        adj_s = tile[own_at + 8] * g;
        adj_tile[own_at + 8] += s * g;
    }
    __syncthreads();
    for (int k = 0; k < taps; ++k) {
        float adj_w_sum = 0.0f;
        if (i < n) {
            // 18:  s += *q++ * *p
            adj_w_sum = tile[own_at + 8 + (0L - k)] * adj_s;
            adj_tile[own_at + 8 + (0L - k)] += w[k] * adj_s;
        }
        block_add(&adj_w[k], adj_w_sum);
    }
    __syncthreads();
    if (threadIdx.x < 8) {
        // 10:  *own = i >= 8 ? x[i - 8] : 0.0f
        if (i >= 8)
            atomicAdd(&adj_x[i - 8], adj_tile[own_at]);
    }

    // 8:  own[8] = i < n ? x[i] : 0.0f
    if (i < n)
        atomicAdd(&adj_x[i], adj_tile[own_at + 8]);
}
