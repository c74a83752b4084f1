// index_overwritten_adj: adjoint of index_overwritten (index_overwritten.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform index_overwritten.cu --of y --wrt x
//
// Call with x and next as they were before index_overwritten. Seed adj_y with dJ/dy: it
// is left alone, because index_overwritten stores each element of y at most once. dJ/dx
// is added to adj_x. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   at (line 10)   tape_at[hops], global memory   line 12 or 14 changes it in each
//                                                 iteration
//   at (line 12)   recomputed                     from values at hand, in the reversed
//                                                 iteration
//   x[..]          reloaded                       nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]   atomicAdd   not proved that two threads never meet in x[at]
//
// Extra memory: a tape of hops * sizeof(int) bytes (tape_at) per thread, in global
// memory; index_overwritten_adj_tape_bytes(grid, block, n, hops) says how many in all.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t index_overwritten_adj_tape_bytes(dim3 grid, dim3 block, int n, int hops)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    bytes += (threads * (hops > 0 ? hops : 0) * sizeof(int) + 15) / 16 * 16;  // tape_at
    return bytes;
}
#endif

extern "C" __global__ void index_overwritten_adj(const double *x, double *adj_x, const int *next,
                                                 double *y, const double *adj_y, int n, int hops,
                                                 char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    int *tape_at = (int *)(tape + 16) + thread;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    int at = i;
    for (int k = 0; k < hops; ++k) {
        tape_at[k * threads] = at;
        at = next[at];
        at = (at * 5 + 1) % n;
    }

    // ---- reverse sweep ------------------------------------------------------

    // 16:  y[i] = s
    double adj_s = adj_y[i];
    for (int k = 0; k < hops; ++k) {
        int at = tape_at[k * threads];
        int at_2 = next[at];

        // 13:  s += sin(x[at])
        atomicAdd(&adj_x[at_2], cos(x[at_2]) * adj_s);
        // 11:  s += x[at] * (k + 1)
        atomicAdd(&adj_x[at], (k + 1) * adj_s);
    }
}
