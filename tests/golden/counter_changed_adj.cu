// counter_changed_adj: adjoint of counter_changed (counter_changed.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform counter_changed.cu --of y --wrt x
//
// Call with x and skip as they were before counter_changed. Seed adj_y with dJ/dy: it
// is left alone, because counter_changed stores each element of y at most once. dJ/dx
// is added to adj_x. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   s                 tape_s[m], global memory   line 10 changes it in each iteration
//   k                 tape_k[m], global memory   line 9 or 12 changes it in each
//                                                iteration
//   trips of line 9   trips, a register          the loop decides in its iterations
//                                                when it ends
//   x[..]             reloaded                   nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]   atomicAdd   not proved that two threads never meet in x[k % n]
//
// Extra memory: a tape of m * sizeof(double) bytes (tape_s) and m * sizeof(int) bytes
// (tape_k) per thread, in global memory; counter_changed_adj_tape_bytes(grid, block, n,
// m) says how many in all.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t counter_changed_adj_tape_bytes(dim3 grid, dim3 block, int n, int m)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    bytes += (threads * (m > 0 ? m : 0) * sizeof(double) + 15) / 16 * 16;  // tape_s
    bytes += (threads * (m > 0 ? m : 0) * sizeof(int) + 15) / 16 * 16;  // tape_k
    return bytes;
}
#endif

extern "C" __global__ void counter_changed_adj(const double *x, double *adj_x, const int *skip,
                                               double *y, const double *adj_y, int n, int m,
                                               char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t at = 16;
    double *tape_s = (double *)(tape + at) + thread;
    at += (threads * (m > 0 ? m : 0) * sizeof(double) + 15) / 16 * 16;
    int *tape_k = (int *)(tape + at) + thread;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    double s = 1.0;
    int trips = 0;
    for (int k = i; k < i + m; k++) {
        tape_s[trips * threads] = s;
        tape_k[trips * threads] = k;
        s = s * x[k % n] + 0.5;
        if (skip[k % n])
            k += 2;
        ++trips;
    }

    // ---- reverse sweep ------------------------------------------------------

    // 14:  y[i] = s
    double adj_s = adj_y[i];
    for (int trip = trips - 1; trip >= 0; --trip) {
        double s = tape_s[trip * threads];
        int k = tape_k[trip * threads];

        // 10:  s = s * x[k % n] + 0.5
        atomicAdd(&adj_x[k % n], s * adj_s);
        adj_s *= x[k % n];
    }
}
