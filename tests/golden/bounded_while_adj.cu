// bounded_while_adj: adjoint of bounded_while (bounded_while.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform bounded_while.cu --of y --wrt x,c --bound 11=limit
//
// Call with x and c as they were before bounded_while. Seed adj_y with dJ/dy: it is
// left alone, because bounded_while stores each element of y at most once. dJ/dx is
// added to adj_x; dJ/dc is added to adj_c. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   v                  tape_v[limit], global memory   line 12 changes it in each
//                                                     iteration
//   k                  inverted                       each iteration adds 1
//   trips of line 11   trips, a register              the loop decides in its
//                                                     iterations when it ends
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//   adj_c[..]   atomicAdd       every thread reads the same c[k]
//
// Extra memory: a tape of limit * sizeof(double) bytes (tape_v) per thread, in global
// memory; bounded_while_adj_tape_bytes(grid, block, n, limit) says how many in all.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t bounded_while_adj_tape_bytes(dim3 grid, dim3 block, int n, int limit)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    bytes += (threads * (limit > 0 ? limit : 0) * sizeof(double) + 15) / 16 * 16;  // tape_v
    return bytes;
}
#endif

extern "C" __global__ void bounded_while_adj(const double *x, double *adj_x,
                                             const double *c, double *adj_c,
                                             double *y, const double *adj_y, int n, int limit,
                                             char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    int *overrun = (int *)tape;
    double *tape_v = (double *)(tape + 16) + thread;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    double v = x[i];
    int k = 0;
    int trips = 0;
    // Stops by itself, or at the limit.
    while (v < 10.0 && k < limit) {
        if (trips < limit)
            tape_v[trips * threads] = v;
        else
            *overrun = 1;
        v = v * v + c[k];
        ++k;
        ++trips;
    }

    // ---- reverse sweep ------------------------------------------------------

    // 15:  y[i] = v / (1 + k)
    double adj_v = adj_y[i] / (1 + k);
    for (int trip = trips - 1; trip >= 0; --trip) {
        double v = trip < limit ? tape_v[trip * threads] : nan("");

        // 12:  v = v * v + c[k]
        atomicAdd(&adj_c[trip], adj_v);
        adj_v *= 2.0 * v;
    }

    // 8:  double v = x[i]
    adj_x[i] += adj_v;
}
