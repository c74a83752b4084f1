// scatter_adj: adjoint of scatter (scatter.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform scatter.cu --of out --wrt in,scale --assume injective:target
//
// Call with in and target as they were before scatter. Seed adj_out with dJ/dout: it is
// left alone, because scatter stores each element of out at most once. dJ/din is added
// to adj_in; dJ/dscale is added to adj_scale. out is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   in[..], target[..]   reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_in[..]   +=, one owner       one thread per element
//   adj_scale    reduced per block   every thread has its share in it
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps, injective:target.

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

extern "C" __global__ void scatter_adj(const float *in, float *adj_in, const int *target,
                                       float scale, float *adj_scale,
                                       float *out, const float *adj_out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float adj_scale_sum = 0.0f;
    if (i < n && target[i] % 3 != 0) {
        // 7:  out[target[i]] = scale * in[i] * in[i]
        float g = adj_out[target[i]];
        adj_scale_sum = in[i] * in[i] * g;
        adj_in[i] += 2.0f * scale * in[i] * g;
    }
    block_add(adj_scale, adj_scale_sum);
}
