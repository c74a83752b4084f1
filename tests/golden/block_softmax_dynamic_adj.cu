// block_softmax_dynamic_adj: adjoint of block_softmax_dynamic (block_softmax_dynamic.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform block_softmax_dynamic.cu --of y --wrt x
//
// Call with x as it was before block_softmax_dynamic. Seed adj_y with dJ/dy: it is left
// alone, because block_softmax_dynamic stores each element of y at most once. dJ/dx is
// added to adj_x. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   e, part_0   reloaded   still in its variable
//
// How adjoints are added up:
//   adj_x[..]    +=, one owner   one thread per element
//   adj_part_0   sum per block   each thread's value is in the block's sum once
//   adj_top      none            top cancels: no result changes with it
//
// Assumed: the launch is 1-D, blockDim.x is a power of two, arrays don't overlap, no
// index wraps.

// The sum of what all threads of the block bring, for each of them. All of them call it.
static __device__ float block_sum(float value)
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

extern "C" __global__ void block_softmax_dynamic_adj(const float *x, float *adj_x,
                                                     float *y, const float *adj_y, int columns)
{
    // For blocks of a power of two, so that halves of halves take in all threads; any other gets
    // NaN.
    if ((blockDim.x & (blockDim.x - 1)) != 0) {
        adj_x[0] = nanf("");
        return;
    }
    extern __shared__ float part[];

    // ---- forward sweep ------------------------------------------------------

    int t = threadIdx.x;
    float v = t < columns ? x[blockIdx.x * columns + t] : -3.402823466e+38f;

    part[t] = v;
    __syncthreads();
    for (int d = blockDim.x / 2; d > 0; d /= 2) {
        if (t < d)
            part[t] = fmaxf(part[t], part[t + d]);
        __syncthreads();
    }
    float top = part[0];

    float e = expf(v - top);
    float part_0 = block_sum(e);

    // ---- reverse sweep ------------------------------------------------------

    float adj_part_0 = 0.0f;
    float adj_e = 0.0f;
    if (t < columns) {
        // 28:  y[blockIdx.x * columns + t] = e / part[0]
        float g = adj_y[blockIdx.x * columns + t] / part_0;
        adj_e = g;
        adj_part_0 = -(e / part_0 * g);
    }

    // 20:  part[t] = e
    adj_e += block_sum(adj_part_0);
    // 7:  float v = t < columns ? x[blockIdx.x * columns + t] : -3.402823466e+38f
    if (t < columns)
        adj_x[blockIdx.x * columns + t] += e * adj_e;
}
