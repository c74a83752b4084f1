// conv1d_adj: adjoint of conv1d (conv1d.cu:4).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform conv1d.cu --of out --wrt in,w,bias
//
// Call with in and w as they were before conv1d. Seed adj_out with dJ/dout: it is left
// alone, because conv1d stores each element of out at most once. dJ/din is added to
// adj_in; dJ/dw is added to adj_w; dJ/dbias is added to adj_bias. out is neither read
// nor written.
//
// What the reverse sweep needs, and where it finds it:
//   sum             reloaded     still in its variable
//   j               recomputed   from values at hand, in the reversed iteration
//   in[..], w[..]   reloaded     nothing stores to it
//
// How adjoints are added up:
//   adj_w[..]    reduced per block   every thread reads the same w[k + RADIUS]
//   adj_in[..]   atomicAdd           not proved that two threads never meet in in[j]
//   adj_bias     reduced per block   every thread has its share in it
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#define RADIUS 2

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

extern "C" __global__ void conv1d_adj(const float *in, float *adj_in,
                                      const float *w, float *adj_w,
                                      float bias, float *adj_bias,
                                      float *out, const float *adj_out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float adj_sum = 0.0f;
    if (i < n) {
        // ---- forward sweep ------------------------------------------------------

        float sum = bias;
        for (int k = -RADIUS; k <= RADIUS; ++k) {
            int j = i + k;
            if (j >= 0 && j < n)
                sum += w[k + RADIUS] * in[j];
        }

        // ---- reverse sweep ------------------------------------------------------

        // 15:  out[i] = sum > 0.0f ? sum : 0.01f * sum
        float g = adj_out[i];
        if (sum > 0.0f)
            adj_sum = g;
        else
            adj_sum = 0.01f * g;
    }
    for (int k = -RADIUS; k <= RADIUS; ++k) {
        float adj_w_sum = 0.0f;
        if (i < n) {
            int j = i + k;
            if (j >= 0 && j < n) {
                // 13:  sum += w[k + RADIUS] * in[j]
                adj_w_sum = in[j] * adj_sum;
                atomicAdd(&adj_in[j], w[k + RADIUS] * adj_sum);
            }
        }
        block_add(&adj_w[k + RADIUS], adj_w_sum);
    }

    // 9:  float sum = bias
    block_add(adj_bias, adj_sum);
}
