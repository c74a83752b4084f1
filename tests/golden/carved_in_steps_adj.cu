// carved_in_steps_adj: adjoint of carved_in_steps (carved_in_steps.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform carved_in_steps.cu --of y --wrt x,w
//
// Call with x and w as they were before carved_in_steps. Seed adj_y with dJ/dy: it is
// left alone, because carved_in_steps stores each element of y at most once. dJ/dx is
// added to adj_x; dJ/dw is added to adj_w. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   own          reloaded   still in its variable
//   w[..]        reloaded   nothing stores to it
//   memory[..]   reloaded   no later store goes to it
//
// How adjoints are added up:
//   adj_x[..]        +=, one owner   one thread per element
//   adj_w[..]        atomicAdd       every block reads the same w[t]
//   adj_memory[..]   +=, by phase    between two barriers one thread per element
//
// Extra memory: adj_memory lies behind memory in the launch's shared memory;
// carved_in_steps_adj_shared_bytes(grid, block, shared_bytes, n) says how many bytes to
// launch with.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#ifndef __CUDACC_RTC__
// The bytes of dynamic shared memory that a launch needs: for memory and adj_memory.
extern "C" size_t carved_in_steps_adj_shared_bytes(dim3 grid, dim3 block, size_t shared_bytes,
                                                   int n)
{
    long long count = 5LL * (int)block.x;
    return count > 0 ? 2 * (size_t)count * sizeof(float) : 0;
}
#endif

extern "C" __global__ void carved_in_steps_adj(const float *x, float *adj_x,
                                               const float *w, float *adj_w,
                                               float *y, const float *adj_y, int n)
{
    extern __shared__ float memory[];
    int memory_size = 5 * (int)blockDim.x;
    float *adj_memory = memory + memory_size;
    for (int q = threadIdx.x; q < memory_size; q += blockDim.x)
        adj_memory[q] = 0.0f;
    const long pairs_at = 4 * blockDim.x;
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    float own = i < n ? x[i] : 0.0f;
    memory[4 * t] = own;
    memory[4 * t + 2] = own * w[t];
    memory[pairs_at + t] = sinf(own);
    __syncthreads();
    if (i < n) {
        // 15:  y[i] = values[4 * t] * pairs[blockDim.x - 1 - t] + values[4 * t + 2]
        float g = adj_y[i];
        adj_memory[4 * t] += memory[pairs_at + (blockDim.x - 1 - t)] * g;
        adj_memory[pairs_at + (blockDim.x - 1 - t)] += memory[4 * t] * g;
        adj_memory[4 * t + 2] += g;
    }
    __syncthreads();

    // 12:  pairs[t] = sinf(own)
    float adj_own = cosf(own) * adj_memory[pairs_at + t];

    // 11:  ((float *)((float *)memory + 4 * t))[2] = own * w[t]
    float g = adj_memory[4 * t + 2];
    adj_own += w[t] * g;
    atomicAdd(&adj_w[t], own * g);

    // 10:  values[4 * t] = own
    adj_own += adj_memory[4 * t];
    // 9:  float own = i < n ? x[i] : 0.0f
    if (i < n)
        adj_x[i] += adj_own;
}
