// alias_in_branch_adj: adjoint of alias_in_branch (alias_in_branch.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform alias_in_branch.cu --of y --wrt x
//
// Call with x and order as they were before alias_in_branch. Seed adj_y with dJ/dy: it
// is left alone, because alias_in_branch stores each element of y at most once. dJ/dx
// is added to adj_x. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   p_at    tape_p_at[steps], global memory   line 18 or 20 or 22 changes it in each
//                                             iteration
//   x[..]   reloaded                          nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]   atomicAdd   not proved that two threads never meet in *p and *q
//
// Extra memory: a tape of steps * sizeof(long) bytes (tape_p_at) per thread, in global
// memory; alias_in_branch_adj_tape_bytes(grid, block, n, steps) says how many in all.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t alias_in_branch_adj_tape_bytes(dim3 grid, dim3 block, int n, int steps)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    bytes += (threads * (steps > 0 ? steps : 0) * sizeof(long) + 15) / 16 * 16;  // tape_p_at
    return bytes;
}
#endif

extern "C" __global__ void alias_in_branch_adj(const float *x, float *adj_x, const int *order,
                                               float *y, const float *adj_y, int n, int steps,
                                               char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    long *tape_p_at = (long *)(tape + 16) + thread;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    long q_at;
    if (order[i] > 1)
        q_at = n - 1 - i;
    else
        q_at = i;
    long p_at = i;
    for (int k = 0; k < steps; ++k) {
        tape_p_at[k * threads] = p_at;
        if (order[(i + k) % n] == 0 && p_at > 0)
            --p_at;
        else if (p_at + 1 < n)
            p_at++;
        else
            p_at = 0;
    }

    // ---- reverse sweep ------------------------------------------------------

    // 24:  y[i] = s
    float adj_s = adj_y[i];
    float adj_x_sum = 0.0f;
    for (int k = 0; k < steps; ++k) {
        long p_at = tape_p_at[k * threads];

        // 16:  s += *p * *q
        atomicAdd(&adj_x[p_at], x[q_at] * adj_s);
        adj_x_sum += x[p_at] * adj_s;
    }
    // what the iterations owe, added once
    if (adj_x_sum != 0.0f)
        atomicAdd(&adj_x[q_at], adj_x_sum);
}
