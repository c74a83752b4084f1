// regions_of_the_launch_adj: adjoint of regions_of_the_launch (regions_of_the_launch.cu:4).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform regions_of_the_launch.cu --of y --wrt x,w
//
// Call with x, w and order as they were before regions_of_the_launch. Seed adj_y with
// dJ/dy: it is left alone, because regions_of_the_launch stores each element of y at
// most once. dJ/dx is added to adj_x; dJ/dw is added to adj_w. Each addition to adj_w
// rounds to half precision. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   sum                       reloaded                    still in its variable
//   values[t]                 tape_memory, a register     line 22 overwrites it
//   values[place[t]]          tape_memory_2, a register   line 22 overwrites it
//   values[n - 1 - t]         tape_memory_3, a register   line 22 overwrites it
//   place[..], weights[..],   reloaded                    no later store goes to it
//   memory[..]
//
// How adjoints are added up:
//   adj_x[..]         +=, one owner   one thread per element
//   adj_w[..]         atomicAdd       every block reads the same w[t]
//   adj_memory[..]    atomicAdd       not proved that two threads never meet in
//                                     values[place[t]]
//   adj_memory[..]    atomicAdd       not proved that two threads never meet in
//                                     values[place[t]] and values[t]
//   adj_memory[..]    atomicAdd       not proved that two threads never meet in
//                                     values[place[t]] and values[n - 1 - t]
//   adj_weights[..]   atomicAdd       not proved that two threads never meet in
//                                     weights[place[t]]
//   adj_weights[..]   +=, by phase    between two barriers one thread per element
//
// Extra memory: memory, adj_memory, adj_weights, weights and place lie one behind the
// other in the launch's shared memory; regions_of_the_launch_adj_shared_bytes(grid,
// block, shared_bytes, n) says how many bytes to launch with.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps, what is written to
// memory as one type isn't read as another.

#include <cuda_fp16.h>

#ifndef __CUDACC_RTC__
// The bytes of dynamic shared memory that a launch needs: for memory, adj_memory, adj_weights,
// weights and place.
extern "C" size_t regions_of_the_launch_adj_shared_bytes(
        dim3 grid, dim3 block, size_t shared_bytes, int n)
{
    long long count = n < (int)block.x ? n : (int)block.x;
    long long count_2 = ((long long)(n < (int)block.x ? n : (int)block.x) + 1) / 2 * 2;
    long long count_3 = ((long long)(n < (int)block.x ? n : (int)block.x) + 1) / 2 * 2;
    long long count_4 = n < (int)block.x ? n : (int)block.x;
    return (count > 0 ? 2 * (size_t)count * sizeof(float) : 0)
           + (count_2 > 0 ? (size_t)count_2 * sizeof(float) : 0)
           + (count_3 > 0 ? (size_t)count_3 * sizeof(__half) : 0)
           + (count_4 > 0 ? (size_t)count_4 * sizeof(int) : 0);
}
#endif

extern "C" __global__ void regions_of_the_launch_adj(const float *x, float *adj_x,
                                                     const __half *w, __half *adj_w,
                                                     const int *order,
                                                     float *y, const float *adj_y, int n)
{
    extern __shared__ float memory[];
    int memory_size = n < (int)blockDim.x ? n : (int)blockDim.x;
    if (memory_size < 0)
        memory_size = 0;
    float *adj_memory = memory + memory_size;
    float *adj_weights = adj_memory + memory_size;
    int weights_size = ((n < (int)blockDim.x ? n : (int)blockDim.x) + 1) / 2 * 2;
    if (weights_size < 0)
        weights_size = 0;
    __half *weights = (__half *)(adj_weights + weights_size);
    int *place = (int *)(weights + weights_size);
    for (int q = threadIdx.x; q < memory_size; q += blockDim.x)
        adj_memory[q] = 0.0f;
    for (int q = threadIdx.x; q < weights_size; q += blockDim.x)
        adj_weights[q] = 0.0f;
    int t = threadIdx.x;
    if (t < n) {
        memory[t] = x[blockIdx.x * n + t];
        place[t] = order[t];
        weights[t] = w[t];
    }
    __syncthreads();
    float sum = 0.0f;
    float tape_memory;
    float tape_memory_2;
    float tape_memory_3;
    if (t < n) {
        tape_memory = memory[t];
        tape_memory_2 = memory[place[t]];
        tape_memory_3 = memory[n - 1 - t];
        sum = memory[place[t]] * memory[t] + __half2float(weights[place[t]]) * memory[n - 1 - t];
    }
    __syncthreads();
    if (t < n)
        memory[t] = sum * sum;
    __syncthreads();
    if (t < n) {
        // 25:  y[blockIdx.x * n + t] = values[place[t]] * __half2float(weights[t])
        float g = adj_y[blockIdx.x * n + t];
        atomicAdd(&adj_memory[place[t]], __half2float(weights[t]) * g);
        adj_weights[t] += memory[place[t]] * g;
    }
    __syncthreads();
    float adj_sum = 0.0f;
    if (t < n) {
        // 22:  values[t] = sum * sum
        adj_sum = 2.0f * sum * adj_memory[t];
        adj_memory[t] = 0.0f;
    }
    __syncthreads();
    if (t < n) {
        // 19:  sum = values[place[t]] * values[t] + __half2float(weights[place[t]]) * values[n - 1
        //      - t]
        atomicAdd(&adj_memory[place[t]], tape_memory * adj_sum);
        atomicAdd(&adj_memory[t], tape_memory_2 * adj_sum);
        atomicAdd(&adj_weights[place[t]], tape_memory_3 * adj_sum);
        atomicAdd(&adj_memory[n - 1 - t], __half2float(weights[place[t]]) * adj_sum);
    }
    __syncthreads();
    if (t < n) {
        // 14:  weights[t] = w[t]
        atomicAdd(&adj_w[t], __float2half(adj_weights[t]));
        // 12:  values[t] = x[blockIdx.x * n + t]
        adj_x[blockIdx.x * n + t] += adj_memory[t];
    }
}
