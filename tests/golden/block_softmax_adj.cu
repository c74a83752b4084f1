// softmax_block_adj: adjoint of softmax_block (block_softmax.cu:4).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform block_softmax.cu --of p --wrt x
//
// Call with x as it was before softmax_block. Seed adj_p with dJ/dp: it is left alone,
// because softmax_block stores each element of p at most once. dJ/dx is added to adj_x.
// p is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   m, s    reloaded   still in its variable
//   x[..]   reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]    +=, one owner   each thread has elements of its own
//   adj_part_0   sum per block   each thread's value is in the block's sum once
//   adj_m        none            m cancels: no result changes with it
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#define BLOCK 64

// The sum of what the block's 64 threads bring, for each of them. All of them call it.
static __device__ float block_sum(float value)
{
    __shared__ float sums[2];
    for (int d = 16; d > 0; d /= 2)
        value += __shfl_xor_sync(0xffffffffu, value, d);
    __syncthreads();  // the sums of the last call have been read
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = value;
    __syncthreads();
    value = sums[0];
    for (int warp = 1; warp < 2; ++warp)
        value += sums[warp];
    return value;
}

extern "C" __global__ void softmax_block_adj(const float *__restrict__ x, float *__restrict__ adj_x,
                                             float *__restrict__ p, const float *__restrict__ adj_p,
                                             int cols)
{
    __shared__ float part[BLOCK];

    // ---- forward sweep ------------------------------------------------------

    int t = threadIdx.x;
    float m = -3.4e38f;
    for (int c = t; c < cols; c += BLOCK)
        m = fmaxf(m, x[blockIdx.x * cols + c]);
    part[t] = m;
    __syncthreads();
    for (int d = BLOCK / 2; d > 0; d /= 2) {
        if (t < d)
            part[t] = fmaxf(part[t], part[t + d]);
        __syncthreads();
    }
    m = part[0];

    float s = 0.0f;
    for (int c = t; c < cols; c += BLOCK)
        s += expf(x[blockIdx.x * cols + c] - m);
    s = block_sum(s);

    // ---- reverse sweep ------------------------------------------------------

    float adj_s = 0.0f;
    float per_s = 1.0f / s;
    for (int c = t; c < cols; c += BLOCK) {
        // 34:  p[blockIdx.x * cols + c] = expf(x[blockIdx.x * cols + c] - m) / s
        float g = adj_p[blockIdx.x * cols + c] * per_s;
        adj_x[blockIdx.x * cols + c] += expf(x[blockIdx.x * cols + c] - m) * g;
        adj_s -= expf(x[blockIdx.x * cols + c] - m) * per_s * g;
    }

    // 24:  part[t] = s
    adj_s = block_sum(adj_s);
    for (int c = t; c < cols; c += BLOCK) {
        // 23:  s += expf(x[blockIdx.x * cols + c] - m)
        adj_x[blockIdx.x * cols + c] += expf(x[blockIdx.x * cols + c] - m) * adj_s;
    }
}
