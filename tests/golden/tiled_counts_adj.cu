// tiled_counts_adj: adjoint of tiled_counts (tiled_counts.cu:5).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform tiled_counts.cu --of y --wrt x,w
//
// Call with x, w and key as they were before tiled_counts. Seed adj_y with dJ/dy: it is
// left alone, because tiled_counts stores each element of y at most once. dJ/dx is
// added to adj_x; dJ/dw is added to adj_w. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   i                       recomputed   from values at hand, in the reversed iteration
//   w[..], x[..], key[..]   reloaded     nothing stores to it
//   bins[..]                reloaded     no later store goes to it
//
// How adjoints are added up:
//   adj_x[..]      atomicAdd           every block reads the same x[i]
//   adj_w[..]      reduced per block   all threads of a block read the same
//                                      w[blockIdx.x]
//   adj_bins[..]   atomicAdd           not proved that two threads never meet in bins[t
//                                      % BINS]
//   adj_bins[..]   atomicAdd           key may repeat
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#define BINS 4

// Adds what all threads of the block bring, as one atomicAdd. All of them call it, once.
static __device__ void block_add(float *where, float value)
{
    __shared__ float sums[32];
    for (int d = 16; d > 0; d /= 2) {
        float above = __shfl_down_sync(0xffffffffu, value, d);
        if (threadIdx.x + d < blockDim.x)  // the last warp may be short
            value += above;
    }
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

extern "C" __global__ void tiled_counts_adj(const float *x, float *adj_x,
                                            const float *w, float *adj_w, const int *key,
                                            float *y, const float *adj_y, int tiles, int width)
{
    __shared__ float bins[BINS];
    __shared__ float adj_bins[BINS];
    for (int q = threadIdx.x; q < BINS; q += blockDim.x)
        adj_bins[q] = 0.0f;
    int t = threadIdx.x;

    // 22:  y[blockIdx.x * blockDim.x + t] = acc
    float adj_acc = adj_y[blockIdx.x * blockDim.x + t];
    float adj_w_sum = 0.0f;
    for (int k = tiles - 1; k >= 0; --k) {
        int i = k * blockDim.x + t;
        if (t < BINS)
            bins[t] = 0.0f;
        __syncthreads();
        if (t < width)
            atomicAdd(&bins[key[i]], x[i] * w[blockIdx.x]);
        __syncthreads();

        // 19:  acc += bins[t % BINS] * bins[key[i]]
        atomicAdd(&adj_bins[t % BINS], bins[key[i]] * adj_acc);
        atomicAdd(&adj_bins[key[i]], bins[t % BINS] * adj_acc);
        __syncthreads();
        if (t < width) {
            // 17:  atomicAdd(&bins[key[i]], x[i] * w[blockIdx.x])
            float g = adj_bins[key[i]];
            atomicAdd(&adj_x[i], w[blockIdx.x] * g);
            adj_w_sum += x[i] * g;
        }
        __syncthreads();
        if (t < BINS) {
            // 14:  bins[t] = 0.0f
            adj_bins[t] = 0.0f;
        }
    }
    block_add(&adj_w[blockIdx.x], adj_w_sum);
}
