// smooth_adj: adjoint of smooth (filter_template.cu:13).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform filter_template.cu --of out --wrt in,w
//
// Call with in and w as they were before smooth. Seed adj_out with dJ/dout: it is left
// alone, because smooth stores each element of out at most once. dJ/din is added to
// adj_in; dJ/dw is added to adj_w. out is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   p_at2      inverted   each iteration adds 1
//   v          reloaded   still in its variable
//   w[..]      reloaded   nothing stores to it
//   tile[..]   reloaded   no later store goes to it
//
// How adjoints are added up:
//   adj_in[..]     atomicAdd           not proved that two threads never meet in in[i],
//                                      in[l] and in[r]
//   adj_w[..]      reduced per block   every thread reads the same w[k + R]
//   adj_tile[..]   +=, by phase        an iteration hits an element once per block,
//                                      with a barrier between any two
//
// Assumed: the launch is 1-D, no two threads store the same out[i], arrays don't
// overlap, no index wraps.

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

__global__ void smooth_adj(const float *in, float *adj_in,
                           const float *w, float *adj_w,
                           float *out, const float *adj_out, int n)
{
    __shared__ float tile[64 + 4];
    __shared__ float adj_tile[64 + 4];
    for (int q = threadIdx.x; q < 64 + 4; q += blockDim.x)
        adj_tile[q] = 0.0f;
    int i = blockIdx.x * 64 + threadIdx.x;
    tile[threadIdx.x + 2] = i < n ? in[i] : 0.0f;
    if (threadIdx.x < 2) {
        int l = i - 2;
        int r = i + 64;
        tile[threadIdx.x] = l >= 0 ? in[l] : 0.0f;
        tile[threadIdx.x + 66] = r < n ? in[r] : 0.0f;
    }
    __syncthreads();
    long tile_at;
    long p_at;
    float adj_v;
    if (i < n) {
        tile_at = threadIdx.x + 2;
        float v = 0.0f;
        p_at = -(long)2;
        long p_at2 = 0;
        for (int k = -2; k <= 2; ++k) {
            v += tile[tile_at + (p_at + p_at2)] * w[k + 2];
            p_at2 += 1;
        }

        // 26:  out[i] = v * expf(-v)
        float g = adj_out[i];
        adj_v = expf(-v) * g - v * expf(-v) * g;
    }
    for (int k = -2; k <= 2; ++k) {
        float adj_w_sum = 0.0f;
        if (i < n) {
            // 10:  s += *p * w[k + R]
            adj_tile[tile_at + (p_at + (k + 2))] += w[k + 2] * adj_v;
            adj_w_sum = tile[tile_at + (p_at + (k + 2))] * adj_v;
        }
        block_add(&adj_w[k + 2], adj_w_sum);
    }
    __syncthreads();
    if (threadIdx.x < 2) {
        int l = i - 2;
        int r = i + 64;

        // 21:  tile[threadIdx.x + 66] = r < n ? in[r] : 0.0f
        if (r < n)
            atomicAdd(&adj_in[r], adj_tile[threadIdx.x + 66]);
        // 20:  tile[threadIdx.x] = l >= 0 ? in[l] : 0.0f
        if (l >= 0)
            atomicAdd(&adj_in[l], adj_tile[threadIdx.x]);
    }

    // 17:  tile[threadIdx.x + 2] = i < n ? in[i] : 0.0f
    if (i < n)
        atomicAdd(&adj_in[i], adj_tile[threadIdx.x + 2]);
}
