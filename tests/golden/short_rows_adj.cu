// short_rows_adj: adjoint of short_rows (short_rows.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform short_rows.cu --of y --wrt x
//
// Call with x as it was before short_rows. Seed adj_y with dJ/dy: it is left alone,
// because short_rows stores each element of y at most once. dJ/dx is added to adj_x. y
// is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   s (line 9)    tape_s[m - 4], global memory     line 10 changes it in each iteration
//   x[..]         reloaded                         nothing stores to it
//   s (line 11)   tape_s_2[m + 1], global memory   line 12 changes it in each iteration
//   s (line 13)   tape_s_3[m - 3], global memory   line 14 changes it in each iteration
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//
// Extra memory: a tape of ((long long)m - 4) * sizeof(double) bytes (tape_s) and ((long
// long)m + 1) * sizeof(double) bytes (tape_s_2) and ((long long)m - 3) * sizeof(double)
// bytes (tape_s_3) per thread, in global memory; short_rows_adj_tape_bytes(grid, block,
// n, m) says how many in all.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t short_rows_adj_tape_bytes(dim3 grid, dim3 block, int n, int m)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    // tape_s
    bytes += (threads * ((long long)m - 4 > 0 ? (long long)m - 4 : 0) * sizeof(double) + 15) / 16
             * 16;
    // tape_s_2
    bytes += (threads * ((long long)m + 1 > 0 ? (long long)m + 1 : 0) * sizeof(double) + 15) / 16
             * 16;
    // tape_s_3
    bytes += (threads * ((long long)m - 3 > 0 ? (long long)m - 3 : 0) * sizeof(double) + 15) / 16
             * 16;
    return bytes;
}
#endif

extern "C" __global__ void short_rows_adj(const double *x, double *adj_x,
                                          double *y, const double *adj_y, int n, int m, char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t at = 16;
    double *tape_s = (double *)(tape + at) + thread;
    at += (threads * (m - 4 > 0 ? m - 4 : 0) * sizeof(double) + 15) / 16 * 16;
    double *tape_s_2 = (double *)(tape + at) + thread;
    at += (threads * (m + 1 > 0 ? m + 1 : 0) * sizeof(double) + 15) / 16 * 16;
    double *tape_s_3 = (double *)(tape + at) + thread;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    double s = x[i];
    for (int k = 4; k < m; ++k) {
        tape_s[(k - 4) * threads] = s;
        s = sin(s) * x[i] + k;
    }
    for (int k = 0; k <= m; ++k) {
        tape_s_2[k * threads] = s;
        s = s * s * 0.3 + x[i] * s;
    }
    for (int k = m; k > 3; --k) {
        tape_s_3[(k - 4) * threads] = s;
        s = s * x[i] * s;
    }

    // ---- reverse sweep ------------------------------------------------------

    // 15:  y[i] = s
    double adj_s = adj_y[i];
    double adj_x_sum = 0.0;
    for (int k = 4; k <= m; ++k) {
        double s = tape_s_3[(k - 4) * threads];

        // 14:  s = s * x[i] * s
        adj_x_sum += s * s * adj_s;
        adj_s *= 2.0 * x[i] * s;
    }
    // what the iterations owe, added once
    if (adj_x_sum != 0.0)
        adj_x[i] += adj_x_sum;
    double adj_x_sum_2 = 0.0;
    for (int k = m; k >= 0; --k) {
        double s = tape_s_2[k * threads];

        // 12:  s = s * s * 0.3 + x[i] * s
        adj_x_sum_2 += s * adj_s;
        adj_s = (0.6 * s + x[i]) * adj_s;
    }
    // what the iterations owe, added once
    if (adj_x_sum_2 != 0.0)
        adj_x[i] += adj_x_sum_2;
    double adj_x_sum_3 = 0.0;
    for (int k = m - 1; k >= 4; --k) {
        // 10:  s = sin(s) * x[i] + k
        double sine;
        double cosine;
        sincos(tape_s[(k - 4) * threads], &sine, &cosine);
        adj_x_sum_3 += sine * adj_s;
        adj_s *= x[i] * cosine;
    }
    // what the iterations owe, added once
    if (adj_x_sum_3 != 0.0)
        adj_x[i] += adj_x_sum_3;

    // 8:  double s = x[i]
    adj_x[i] += adj_s;
}
