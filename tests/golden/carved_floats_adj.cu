// carved_floats_adj: adjoint of carved_floats (carved_floats.cu:5).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform carved_floats.cu --of y --wrt x
//
// Call with x as it was before carved_floats. Seed adj_y with dJ/dy: it is left alone,
// because carved_floats stores each element of y at most once. dJ/dx is added to adj_x.
// y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   memory[..], next[..]   reloaded   no later store goes to it
//
// How adjoints are added up:
//   adj_x[..]        +=, one owner   one thread per element
//   adj_memory[..]   atomicAdd       not proved that two threads never meet in value[t]
//                                    and value[next[t]]
//
// Extra memory: memory, adj_memory and next lie one behind the other in the launch's
// shared memory; carved_floats_adj_shared_bytes(grid, block, shared_bytes, n) says how
// many bytes to launch with.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps, what is written to
// memory as one type isn't read as another.

#ifndef __CUDACC_RTC__
// The bytes of dynamic shared memory that a launch needs: for memory, adj_memory and next.
extern "C" size_t carved_floats_adj_shared_bytes(dim3 grid, dim3 block, size_t shared_bytes, int n)
{
    long long count = 2LL * (int)block.x;
    long long count_2 = block.x;
    return (count > 0 ? 2 * (size_t)count * sizeof(float) : 0)
           + (count_2 > 0 ? (size_t)count_2 * sizeof(int) : 0);
}
#endif

extern "C" __global__ void carved_floats_adj(const float *x, float *adj_x,
                                             float *y, const float *adj_y, int n)
{
    // The shared memory that a launch gives, declared beside the kernel as numbers and divided into
    // two arrays.
    extern __shared__ float memory[];
    int memory_size = 2 * (int)blockDim.x;
    float *adj_memory = memory + memory_size;
    int *next = (int *)(adj_memory + memory_size);
    for (int q = threadIdx.x; q < memory_size; q += blockDim.x)
        adj_memory[q] = 0.0f;
    const long value_at = blockDim.x;
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    next[t] = (7 * t + 3) % blockDim.x;
    memory[value_at + t] = i < n ? x[i] : 0.0f;
    __syncthreads();
    if (i < n) {
        // 15:  y[i] = value[t] * sinf(value[next[t]])
        float g = adj_y[i];
        atomicAdd(&adj_memory[value_at + t], sinf(memory[value_at + next[t]]) * g);
        atomicAdd(&adj_memory[value_at + next[t]],
                  memory[value_at + t] * cosf(memory[value_at + next[t]]) * g);
    }
    __syncthreads();

    // 12:  value[t] = i < n ? x[i] : 0.0f
    if (i < n)
        adj_x[i] += adj_memory[value_at + t];
}
