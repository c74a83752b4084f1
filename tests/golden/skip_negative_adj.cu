// skip_negative_adj: adjoint of skip_negative (skip_negative.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform skip_negative.cu --of y --wrt x
//
// Call with x as it was before skip_negative. Seed adj_y with dJ/dy: it is left alone,
// because skip_negative stores each element of y at most once. dJ/dx is added to adj_x.
// y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   s (line 9)        tape_s[m], global memory   line 11 or 14 or 16 or 19 changes it
//                                                in each iteration
//   v, s (line 11),   recomputed                 from values at hand, in the reversed
//                                                iteration
//   s (line 14)
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   each thread has elements of its own
//
// Extra memory: a tape of m * sizeof(double) bytes (tape_s) per thread, in global
// memory; skip_negative_adj_tape_bytes(grid, block, n, m) says how many in all.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps, a condition on
// floating values may be decided twice, and a near-tie either way.

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t skip_negative_adj_tape_bytes(dim3 grid, dim3 block, int n, int m)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    bytes += (threads * (m > 0 ? m : 0) * sizeof(double) + 15) / 16 * 16;  // tape_s
    return bytes;
}
#endif

extern "C" __global__ void skip_negative_adj(const double *x, double *adj_x,
                                             double *y, const double *adj_y, int n, int m,
                                             char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    double *tape_s = (double *)(tape + 16) + thread;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    double s = 1.0;
    for (int k = 0; k < m; ++k) {
        tape_s[k * threads] = s;
        double v = x[i * m + k];
        s += 0.1 * v;
        if (!(v < 0.0)) {
            s *= 1.0 + 0.2 * v;
            if (s > 1.5)
                s = 0.5 * s;
            else
                s -= v * v * s * 0.1;
        }
    }

    // ---- reverse sweep ------------------------------------------------------

    // 21:  y[i] = s
    double adj_s = adj_y[i];
    for (int k = m - 1; k >= 0; --k) {
        double s = tape_s[k * threads];
        double v = x[i * m + k];
        s += 0.1 * v;
        double adj_v = 0.0;
        if (!(v < 0.0)) {
            double s_2 = s * (1.0 + 0.2 * v);
            if (s_2 > 1.5) {
                // 16:  s = 0.5 * s
                adj_s *= 0.5;
            } else {
                // 19:  s -= v * v * s * 0.1
                adj_v = -(0.2 * v * s_2 * adj_s);
                adj_s -= 0.1 * v * v * adj_s;
            }

            // 14:  s *= 1.0 + 0.2 * v
            adj_v += 0.2 * s * adj_s;
            adj_s *= 1.0 + 0.2 * v;
        }

        // 11:  s += 0.1 * v
        adj_v += 0.1 * adj_s;
        // 10:  double v = x[i * m + k]
        adj_x[i * m + k] += adj_v;
    }
}
