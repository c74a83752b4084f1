// while_in_for_adj: adjoint of while_in_for (while_in_for.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform while_in_for.cu --of y --wrt x
//
// Call with x as it was before while_in_for. Seed adj_y with dJ/dy: it is left alone,
// because while_in_for stores each element of y at most once. dJ/dx is added to adj_x.
// y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   s                  tape_s[m], global memory       line 13 changes it in each
//                                                     iteration
//   trips of line 11   tape_trips[m], global memory   no address or count is rounded
//                                                     twice
//   v (line 11)        dv_dx, carried forward         line 12 changes it in each
//                                                     iteration, and inputs are few
//   v (line 11)        recomputed                     from values at hand, in the
//                                                     reversed iteration
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   each thread has elements of its own
//
// Extra memory: a tape of m * sizeof(double) bytes (tape_s) and m * sizeof(int) bytes
// (tape_trips) per thread, in global memory; while_in_for_adj_tape_bytes(grid, block,
// n, m) says how many in all.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t while_in_for_adj_tape_bytes(dim3 grid, dim3 block, int n, int m)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    bytes += (threads * (m > 0 ? m : 0) * sizeof(double) + 15) / 16 * 16;  // tape_s
    bytes += (threads * (m > 0 ? m : 0) * sizeof(int) + 15) / 16 * 16;  // tape_trips
    return bytes;
}
#endif

extern "C" __global__ void while_in_for_adj(const double *x, double *adj_x,
                                            double *y, const double *adj_y, int n, int m,
                                            char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t at = 16;
    double *tape_s = (double *)(tape + at) + thread;
    at += (threads * (m > 0 ? m : 0) * sizeof(double) + 15) / 16 * 16;
    int *tape_trips = (int *)(tape + at) + thread;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    double s = 0.0;
    for (int k = 0; k < m; ++k) {
        tape_s[k * threads] = s;
        double v = x[i * m + k];
        int trips = 0;
        while (v > 0.5 || v < -0.5) {
            v = v * v * 0.3 - 0.1;
            ++trips;
        }
        tape_trips[k * threads] = trips;
        s = s * v + cos(s);
    }

    // ---- reverse sweep ------------------------------------------------------

    // 15:  y[i] = s
    double adj_s = adj_y[i];
    for (int k = m - 1; k >= 0; --k) {
        double s = tape_s[k * threads];
        double v = x[i * m + k];
        double dv_dx = 1.0;
        int trips = tape_trips[k * threads];
        for (int trip = 0; trip < trips; ++trip) {
            dv_dx *= 0.6 * v;
            v = v * v * 0.3 - 0.1;
        }

        // 13:  s = s * v + cos(s)
        double adj_v = s * adj_s;
        adj_s = (v - sin(s)) * adj_s;

        // 11:  while (v > 0.5 || v < -0.5)
        // its tangents, carried along, are what it owes
        adj_v *= dv_dx;
        // 10:  double v = x[i * m + k]
        adj_x[i * m + k] += adj_v;
    }
}
