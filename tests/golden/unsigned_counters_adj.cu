// unsigned_counters_adj: adjoint of unsigned_counters (unsigned_counters.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform unsigned_counters.cu --of y --wrt x,c
//
// Call with x and c as they were before unsigned_counters. Seed adj_y with dJ/dy: it is
// left alone, because unsigned_counters stores each element of y at most once. dJ/dx is
// added to adj_x; dJ/dc is added to adj_c. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   s (line 9)         tape_s[m], global memory                     line 10 changes it in
//                                                                   each iteration
//   c[..]              reloaded                                     nothing stores to it
//   k (line 11)        recomputed                                   from values at hand
//   s (line 11)        tape_s_2[m], global memory                   line 12 changes it in
//                                                                   each iteration
//   k (line 11)        inverted                                     each iteration subtracts
//                                                                   1
//   trips of line 11   trips, a register                            the loop decides in its
//                                                                   iterations when it ends
//   k (line 11)        recomputed                                   from values at hand, in
//                                                                   the reversed iteration
//   s (line 13)        tape_s_3[(m - 1u + 1u) / 2], global memory   line 14 changes it in
//                                                                   each iteration
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//   adj_c[..]   atomicAdd       every thread reads c[k] and c[k - 1]
//
// Extra memory: a tape of m * sizeof(double) bytes (tape_s) and m * sizeof(double)
// bytes (tape_s_2) and (((long long)m - 1 + 1) / 2) * sizeof(double) bytes (tape_s_3)
// per thread, in global memory; unsigned_counters_adj_tape_bytes(grid, block, n, m)
// says how many in all.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t unsigned_counters_adj_tape_bytes(dim3 grid, dim3 block, unsigned int n,
                                                   unsigned int m)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    bytes += (threads * m * sizeof(double) + 15) / 16 * 16;  // tape_s
    bytes += (threads * m * sizeof(double) + 15) / 16 * 16;  // tape_s_2
    // tape_s_3
    bytes += (threads * (((long long)m - 1 + 1) / 2 > 0 ? ((long long)m - 1 + 1) / 2 : 0)
              * sizeof(double) + 15) / 16 * 16;
    return bytes;
}
#endif

extern "C" __global__ void unsigned_counters_adj(const double *x, double *adj_x,
                                                 const double *c, double *adj_c,
                                                 double *y, const double *adj_y, unsigned int n,
                                                 unsigned int m, char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t at = 16;
    double *tape_s = (double *)(tape + at) + thread;
    at += (threads * m * sizeof(double) + 15) / 16 * 16;
    double *tape_s_2 = (double *)(tape + at) + thread;
    at += (threads * m * sizeof(double) + 15) / 16 * 16;
    double *tape_s_3 = (double *)(tape + at) + thread;
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    double s = x[i];
    for (unsigned int k = 0; k < m; ++k) {
        tape_s[k * threads] = s;
        s = s * s * c[k] + 0.3;
    }
    unsigned int k = m;
    int trips = 0;
    while (k > 0) {
        tape_s_2[trips * threads] = s;
        k--;
        s = sin(s) * c[k];
        ++trips;
    }
    for (size_t k = 1; k < m; k += 2) {
        tape_s_3[(k - 1) / 2 * threads] = s;
        s = s + c[k - 1] * s * s;
    }

    // ---- reverse sweep ------------------------------------------------------

    // 15:  y[i] = s
    double adj_s = adj_y[i];
    for (size_t k = (size_t)m / 2 * 2 + 1; k > 1;) {
        k -= 2;
        double s = tape_s_3[(k - 1) / 2 * threads];

        // 14:  s = s + c[k - 1] * s * s
        atomicAdd(&adj_c[k - 1], s * s * adj_s);
        adj_s += 2.0 * c[k - 1] * s * adj_s;
    }
    for (int trip = trips - 1; trip >= 0; --trip) {
        unsigned int k = m - trip;
        k--;

        // 12:  s = sin(s) * c[k]
        double sine;
        double cosine;
        sincos(tape_s_2[trip * threads], &sine, &cosine);
        atomicAdd(&adj_c[k], sine * adj_s);
        adj_s *= c[k] * cosine;
    }
    for (unsigned int k = m; k-- > 0;) {
        double s = tape_s[k * threads];

        // 10:  s = s * s * c[k] + 0.3
        atomicAdd(&adj_c[k], s * s * adj_s);
        adj_s *= 2.0 * s * c[k];
    }

    // 8:  double s = x[i]
    adj_x[i] += adj_s;
}
