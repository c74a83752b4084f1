// block_log_sum_exp_adj: adjoint of block_log_sum_exp (block_log_sum_exp.cu:4).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform block_log_sum_exp.cu --of loss --wrt logits
//
// Call with logits and target as they were before block_log_sum_exp. Seed adj_loss with
// dJ/dloss: it is left alone, because block_log_sum_exp stores each element of loss at
// most once. dJ/dlogits is added to adj_logits. loss is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   m, part_0                reloaded   still in its variable
//   logits[..], target[..]   reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_logits[..]   atomicAdd       stretches given by target may overlap
//   adj_part_0       sum per block   each thread's value is in the block's sum once
//   adj_m            none            m cancels: no result changes with it
//
// Assumed: classes >= 0, the launch is 1-D, arrays don't overlap, no index wraps.

#define BLOCK 32

// The sum of what the block's 32 threads bring, for each of them. All of them call it.
static __device__ float block_sum(float value)
{
    for (int d = 16; d > 0; d /= 2)
        value += __shfl_xor_sync(0xffffffffu, value, d);
    __syncthreads();
    return value;
}

extern "C" __global__ void block_log_sum_exp_adj(const float *__restrict__ logits,
                                                 float *__restrict__ adj_logits,
                                                 const int *__restrict__ target,
                                                 float *__restrict__ loss,
                                                 const float *__restrict__ adj_loss, int classes)
{
    __shared__ float part[BLOCK];

    // ---- forward sweep ------------------------------------------------------

    int t = threadIdx.x;
    int row = blockIdx.x * classes;
    float m = -1e30f;
    for (int c = t; c < classes; c += BLOCK)
        m = fmaxf(m, logits[row + c]);
    part[t] = m;
    __syncthreads();
    for (int d = BLOCK / 2; d > 0; d /= 2) {
        if (t < d)
            part[t] = fmaxf(part[t], part[t + d]);
        __syncthreads();
    }
    m = part[0];
    float sum = 0.0f;
    for (int c = t; c < classes; c += BLOCK)
        sum += expf(logits[row + c] - m);
    float part_0 = block_sum(sum);

    // ---- reverse sweep ------------------------------------------------------

    float adj_part_0 = 0.0f;
    if (t == 0) {
        // 33:  loss[blockIdx.x] = m + logf(part[0]) - logits[row + target[blockIdx.x]]
        float g = adj_loss[blockIdx.x];
        adj_part_0 = g / part_0;
        atomicAdd(&adj_logits[row + target[blockIdx.x]], -g);
    }

    // 25:  part[t] = sum
    float adj_sum = block_sum(adj_part_0);
    for (int c = t; c < classes; c += BLOCK) {
        // 24:  sum += expf(logits[row + c] - m)
        atomicAdd(&adj_logits[row + c], expf(logits[row + c] - m) * adj_sum);
    }
}
