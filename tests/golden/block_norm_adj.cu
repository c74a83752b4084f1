// tree_norm_adj: adjoint of tree_norm (block_norm.cu:4).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform block_norm.cu --of out --wrt x
//
// Call with x as it was before tree_norm. Seed adj_out with dJ/dout: it is left alone,
// because tree_norm stores each element of out at most once. dJ/dx is added to adj_x.
// out is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   v, sum_0   reloaded   still in its variable
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//   adj_sum_0   sum per block   each thread's value is in the block's sum once
//
// At kinks and singular points:
//   sqrtf: where its partial is infinite a zero adjoint contributes zero
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#define BLOCK 64

// The sum of what the block's 64 threads bring, for each of them. All of them call it, once.
static __device__ float block_sum(float value)
{
    __shared__ float sums[2];
    for (int d = 16; d > 0; d /= 2)
        value += __shfl_xor_sync(0xffffffffu, value, d);
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = value;
    __syncthreads();
    value = sums[0];
    for (int warp = 1; warp < 2; ++warp)
        value += sums[warp];
    return value;
}

extern "C" __global__ void tree_norm_adj(const float *__restrict__ x, float *__restrict__ adj_x,
                                         float *__restrict__ out, const float *__restrict__ adj_out,
                                         int n)
{
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    float v = i < n ? x[i] : 0.0f;
    float sum_0 = block_sum(v * v);
    float adj_sum_0 = 0.0f;

    // 18:  out[blockIdx.x] = sqrtf(sum[0])
    float g = adj_out[blockIdx.x];
    if (g != 0.0f)
        adj_sum_0 = 0.5f * g * rsqrtf(sum_0);

    // 9:  float v = i < n ? x[i] : 0.0f
    if (i < n)
        adj_x[i] += 2.0f * v * adj_sum_0;
}
