// block_sum_adj: adjoint of block_sum (block_sum.cu:4).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform block_sum.cu --of y --wrt x
//
// Call with x as it was before block_sum. Seed adj_y with dJ/dy: it is left alone,
// because block_sum stores each element of y at most once. dJ/dx is added to adj_x. y
// is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   x[..]   reloaded   nothing stores to it
//   s       reloaded   still in its variable
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//   adj_s       sum per block   each thread's value is in the block's sum once
//
// At kinks and singular points:
//   sqrtf: where its partial is infinite a zero adjoint contributes zero
//
// Assumed: the launch is 1-D, blockDim.x is a multiple of 32, arrays don't overlap, no
// index wraps.

// The sum of what all threads of the block bring, for each of them. All of them call it.
static __device__ float block_sum_(float value)
{
    __shared__ float sums[32];
    for (int d = 16; d > 0; d /= 2)
        if (d < blockDim.x)  // a power of two
            value += __shfl_xor_sync(0xffffffffu, value, d);
    __syncthreads();  // the sums of the last call have been read
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = value;
    __syncthreads();
    value = sums[0];
    for (int warp = 1; 32 * warp < blockDim.x; ++warp)
        value += sums[warp];
    return value;
}

extern "C" __global__ void block_sum_adj(const float *x, float *adj_x,
                                         float *y, const float *adj_y, int n)
{
    // For rows of whole warps, as the primal exchanges values among them; any other gets NaN.
    if (blockDim.x % 32 != 0) {
        adj_x[0] = nanf("");
        return;
    }
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;
    float s = i < n ? x[i] * x[i] : 0.0f;
    s = block_sum_(s);
    float adj_s = 0.0f;
    if (warp == 0)
        if (lane == 0) {
            // 21:  y[blockIdx.x] = sqrtf(s)
            float g = adj_y[blockIdx.x];
            if (g != 0.0f)
                adj_s = 0.5f * g * rsqrtf(s);
        }

    // 11:  for (int d = 16; d > 0; d /= 2)
    adj_s = block_sum_(adj_s);
    // 10:  float s = i < n ? x[i] * x[i] : 0.0f
    if (i < n)
        adj_x[i] += 2.0f * x[i] * adj_s;
}
