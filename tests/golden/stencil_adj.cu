// stencil_adj: adjoint of stencil (stencil.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform stencil.cu --of out --wrt in,c
//
// Call with in and c as they were before stencil. Seed adj_out with dJ/dout: it is left
// alone, because stencil stores each element of out at most once. dJ/din is added to
// adj_in; dJ/dc is added to adj_c. out is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   in[..], c[..]   reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_in[..]   atomicAdd           neighbouring threads share in[i], in[i - 1] and
//                                    in[i + 1]
//   adj_c[..]    reduced per block   every thread reads c[0], c[1] and c[2]
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

extern "C" __global__ void stencil_adj(const float *in, float *adj_in,
                                       const float *c, float *adj_c,
                                       float *out, const float *adj_out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float adj_c_0 = 0.0f;
    float adj_c_1 = 0.0f;
    float adj_c_2 = 0.0f;
    if (i < n)
        if (i == 0 || i == n - 1) {
            // 8:  out[i] = in[i]
            atomicAdd(&adj_in[i], adj_out[i]);
        } else {
            // 10:  out[i] = c[0] * in[i - 1] + c[1] * in[i] + c[2] * in[i + 1]
            float g = adj_out[i];
            adj_c_0 = in[i - 1] * g;
            atomicAdd(&adj_in[i - 1], c[0] * g);
            adj_c_1 = in[i] * g;
            atomicAdd(&adj_in[i], c[1] * g);
            adj_c_2 = in[i + 1] * g;
            atomicAdd(&adj_in[i + 1], c[2] * g);
        }
    block_add(&adj_c[0], adj_c_0);
    block_add(&adj_c[1], adj_c_1);
    block_add(&adj_c[2], adj_c_2);
}
