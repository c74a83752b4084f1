// steps_adj: adjoint of steps (ring_in_global_memory.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform ring_in_global_memory.cu --of u --wrt u
//
// Call with u as it was before steps. adj_u comes in as dJ/du after steps and goes out
// as dJ/du before it, element by element. The content of u afterwards is unspecified.
//
// What the reverse sweep needs, and where it finds it:
//   u[blockIdx.x * n + (t + n - 1) % n]   tape_l[steps], global memory   line 10 overwrites it
//   l, c                                  recomputed                     from values at hand, in
//                                                                        the reversed iteration
//   u[blockIdx.x * n + t]                 tape_c[steps], global memory   line 10 overwrites it
//
// How adjoints are added up:
//   adj_u[..]   atomicAdd   not proved that two threads never meet in u[blockIdx.x * n
//                           + (t + n - 1) % n] and u[blockIdx.x * n + t]
//
// Extra memory: a tape of steps * sizeof(float) bytes (tape_l) and steps *
// sizeof(float) bytes (tape_c) per thread, in global memory; steps_adj_tape_bytes(grid,
// block, n, steps) says how many in all.
//
// Assumed: n >= 0, the launch is 1-D, no two threads store the same u[blockIdx.x * n +
// t], arrays don't overlap, no index wraps.

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t steps_adj_tape_bytes(dim3 grid, dim3 block, int n, int steps)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    bytes += (threads * (steps > 0 ? steps : 0) * sizeof(float) + 15) / 16 * 16;  // tape_l
    bytes += (threads * (steps > 0 ? steps : 0) * sizeof(float) + 15) / 16 * 16;  // tape_c
    return bytes;
}
#endif

__global__ void steps_adj(float *__restrict__ u, float *__restrict__ adj_u, int n, int steps,
                          char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t at = 16;
    float *tape_l = (float *)(tape + at) + thread;
    at += (threads * (steps > 0 ? steps : 0) * sizeof(float) + 15) / 16 * 16;
    float *tape_c = (float *)(tape + at) + thread;

    // ---- forward sweep ------------------------------------------------------

    int t = threadIdx.x;
    for (int s = 0; s < steps; ++s) {
        float l = u[blockIdx.x * n + (t + n - 1) % n];
        tape_l[s * threads] = l;
        float c = u[blockIdx.x * n + t];
        tape_c[s * threads] = c;
        __syncthreads();
        u[blockIdx.x * n + t] = c + 0.1f * l * c;
        __syncthreads();
    }

    // ---- reverse sweep ------------------------------------------------------

    for (int s = steps - 1; s >= 0; --s) {
        float l = tape_l[s * threads];
        float c = tape_c[s * threads];
        __syncthreads();

        // 10:  u[blockIdx.x * n + t] = c + 0.1f * l * c
        float g = adj_u[blockIdx.x * n + t];
        adj_u[blockIdx.x * n + t] = 0.0f;
        __syncthreads();

        // 8:  float c = u[blockIdx.x * n + t]
        atomicAdd(&adj_u[blockIdx.x * n + t], g + 0.1f * l * g);
        // 7:  float l = u[blockIdx.x * n + (t + n - 1) % n]
        atomicAdd(&adj_u[blockIdx.x * n + (t + n - 1) % n], 0.1f * c * g);
    }
}
