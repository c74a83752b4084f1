// stencil3_adj: adjoint of stencil3 (stencil3.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform stencil3.cu --of out --wrt in,weight
//
// Call with in and weight as they were before stencil3. Seed adj_out with dJ/dout: it
// is left alone, because stencil3 stores each element of out at most once. dJ/din is
// added to adj_in; dJ/dweight is added to adj_weight. out is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   in[..], weight[..]   reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_weight[..]   reduced per block   every thread reads weight[0], weight[1] and
//                                        weight[2]
//   adj_in[..]       atomicAdd           not proved that two threads never meet in
//                                        in[left], in[i] and in[right]
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

extern "C" __global__ void stencil3_adj(const float *in, float *adj_in,
                                        const float *weight, float *adj_weight,
                                        float *out, const float *adj_out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float adj_weight_0 = 0.0f;
    float adj_weight_1 = 0.0f;
    float adj_weight_2 = 0.0f;
    if (i < n) {
        int left = i == 0 ? n - 1 : i - 1;
        int right = i == n - 1 ? 0 : i + 1;

        // 11:  out[i] = weight[0] * in[left] + weight[1] * in[i] + weight[2] * in[right]
        float g = adj_out[i];
        adj_weight_0 = in[left] * g;
        atomicAdd(&adj_in[left], weight[0] * g);
        adj_weight_1 = in[i] * g;
        atomicAdd(&adj_in[i], weight[1] * g);
        adj_weight_2 = in[right] * g;
        atomicAdd(&adj_in[right], weight[2] * g);
    }
    block_add(&adj_weight[0], adj_weight_0);
    block_add(&adj_weight[1], adj_weight_1);
    block_add(&adj_weight[2], adj_weight_2);
}
