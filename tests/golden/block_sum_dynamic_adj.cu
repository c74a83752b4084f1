// block_sum_dynamic_adj: adjoint of block_sum_dynamic (block_sum_dynamic.cu:2).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform block_sum_dynamic.cu --of y --wrt x
//
// Call with x as it was before block_sum_dynamic. Seed adj_y with dJ/dy: it is left
// alone, because block_sum_dynamic stores each element of y at most once. dJ/dx is
// added to adj_x. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   x[..]   reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]    +=, one owner   one thread per element
//   adj_part_0   sum per block   each thread's value is in the block's sum once
//
// Assumed: the launch is 1-D, blockDim.x is a power of two, arrays don't overlap, no
// index wraps.

extern "C" __global__ void block_sum_dynamic_adj(const float *x, float *adj_x,
                                                 float *y, const float *adj_y, int n)
{
    // For blocks of a power of two, so that halves of halves take in all threads; any other gets
    // NaN.
    if ((blockDim.x & (blockDim.x - 1)) != 0) {
        adj_x[0] = nanf("");
        return;
    }
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    float adj_part_0 = 0.0f;

    // 15:  y[blockIdx.x] = part[0]
    adj_part_0 += adj_y[blockIdx.x];
    // 7:  part[t] = i < n ? x[i] * x[i] : 0.0f
    if (i < n)
        adj_x[i] += 2.0f * x[i] * adj_part_0;
}
