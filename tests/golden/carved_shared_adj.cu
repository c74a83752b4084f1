// carved_shared_adj: adjoint of carved_shared (carved_shared.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform carved_shared.cu --of y --wrt x,w
//
// Call with x and w as they were before carved_shared. Seed adj_y with dJ/dy: it is
// left alone, because carved_shared stores each element of y at most once. dJ/dx is
// added to adj_x; dJ/dw is added to adj_w. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   x[..], w[..]   reloaded   nothing stores to it
//   left           reloaded   still in its variable
//   memory[..]     reloaded   no later store goes to it
//
// How adjoints are added up:
//   adj_x[..]        +=, one owner   one thread per element
//   adj_w[..]        atomicAdd       every block reads the same w[t]
//   adj_memory[..]   +=, by phase    each place hits an element once per block, with
//                                    barriers between them
//
// Extra memory: adj_memory lies behind memory in the launch's shared memory;
// carved_shared_adj_shared_bytes(grid, block, shared_bytes, n) says how many bytes to
// launch with.
//
// Assumed: n >= 0, the launch is 1-D, arrays don't overlap, no index wraps.

#ifndef __CUDACC_RTC__
// The bytes of dynamic shared memory that a launch needs: for memory and adj_memory.
extern "C" size_t carved_shared_adj_shared_bytes(dim3 grid, dim3 block, size_t shared_bytes, int n)
{
    long long count = (long long)(int)block.x + n < 2LL * (int)block.x ? (long long)(int)block.x + n
                      : 2LL * (int)block.x;
    return count > 0 ? 2 * (size_t)count * sizeof(float) : 0;
}
#endif

extern "C" __global__ void carved_shared_adj(const float *x, float *adj_x,
                                             const float *w, float *adj_w,
                                             float *y, const float *adj_y, int n)
{
    extern __shared__ float memory[];
    int memory_size = (int)blockDim.x + n < 2 * (int)blockDim.x ? (int)blockDim.x + n
                      : 2 * (int)blockDim.x;
    float *adj_memory = memory + memory_size;
    for (int q = threadIdx.x; q < memory_size; q += blockDim.x)
        adj_memory[q] = 0.0f;
    const long weights_at = blockDim.x;
    const long row_at = blockIdx.x * n;
    const long out_at = blockIdx.x * n;
    int t = threadIdx.x;
    if (t < n) {
        memory[t] = x[row_at + t];
        memory[weights_at + t] = w[t] * x[row_at + t];
    }
    __syncthreads();
    float g;
    if (t < n) {
        float left = t > 0 ? memory[t - 1] : 0.0f;

        // 18:  out[t] = left * weights[t] + values[t] * weights[n - 1 - t]
        g = adj_y[out_at + t];
        adj_memory[weights_at + t] += left * g;
    }
    __syncthreads();
    if (t < n)
        adj_memory[t] += memory[weights_at + (n - 1 - t)] * g;
    __syncthreads();
    if (t < n)
        adj_memory[weights_at + (n - 1 - t)] += memory[t] * g;
    __syncthreads();
    if (t < n)
        if (t > 0)
            adj_memory[t - 1] += memory[weights_at + t] * g;
    __syncthreads();
    if (t < n) {
        // 12:  values[t] = row[t]
        adj_x[row_at + t] += adj_memory[t];

        // 13:  weights[t] = w[t] * row[t]
        float g = adj_memory[weights_at + t];
        atomicAdd(&adj_w[t], x[row_at + t] * g);
        adj_x[row_at + t] += w[t] * g;
    }
}
