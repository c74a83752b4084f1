// smooth_adj: adjoint of smooth (struct_weights.cu:10).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform struct_weights.cu --of y --wrt x,filter
//
// Call with x as it was before smooth. Seed adj_y with dJ/dy: it is left alone, because
// smooth stores each element of y at most once. dJ/dx is added to adj_x; dJ/dfilter is
// added to adj_filter. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   sum                   reloaded     still in its variable
//   j                     recomputed   from values at hand, in the reversed iteration
//   x[..], filter.w[..]   reloaded     nothing stores to it
//
// How adjoints are added up:
//   adj_filter.w[..]   reduced per block   every thread reads the same filter.w[k]
//   adj_x[..]          atomicAdd           not proved that two threads never meet in
//                                          x[j]
//   adj_filter.bias    reduced per block   every thread has its share in it
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#define TAPS 5

typedef struct {
    float w[TAPS];
    float bias;
    int stride;
} Filter;

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

__global__ void smooth_adj(const float *x, float *adj_x,
                           Filter filter, Filter *adj_filter,
                           float *y, const float *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float adj_sum = 0.0f;
    if (i < n) {
        // ---- forward sweep ------------------------------------------------------

        float sum = filter.bias;
        for (int k = 0; k < TAPS; ++k) {
            int j = i + (k - TAPS / 2) * filter.stride;
            if (j >= 0 && j < n)
                sum += filter.w[k] * x[j];
        }

        // ---- reverse sweep ------------------------------------------------------

        // 21:  y[i] = tanhf(sum)
        float r = tanhf(sum);
        adj_sum = (1.0f - r * r) * adj_y[i];
    }
    for (int k = 0; k < TAPS; ++k) {
        float adj_filter_w_sum = 0.0f;
        if (i < n) {
            int j = i + (k - TAPS / 2) * filter.stride;
            if (j >= 0 && j < n) {
                // 19:  sum += filter.w[k] * x[j]
                adj_filter_w_sum = x[j] * adj_sum;
                atomicAdd(&adj_x[j], filter.w[k] * adj_sum);
            }
        }
        block_add(&adj_filter->w[k], adj_filter_w_sum);
    }

    // 15:  float sum = filter.bias
    block_add(&adj_filter->bias, adj_sum);
}
