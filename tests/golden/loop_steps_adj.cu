// loop_steps_adj: adjoint of loop_steps (loop_steps.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform loop_steps.cu --of y --wrt x
//
// Call with x as it was before loop_steps. Seed adj_y with dJ/dy: it is left alone,
// because loop_steps stores each element of y at most once. dJ/dx is added to adj_x. y
// is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   s (line 9)    tape_s[(m + 1) / 2], global memory         line 10 changes it in each
//                                                            iteration
//   s (line 11)   tape_s_2[(m + 2) / 3], global memory       line 12 changes it in each
//                                                            iteration
//   s (line 13)   tape_s_3[m], global memory                 line 14 changes it in each
//                                                            iteration
//   s (line 15)   tape_s_4[(m - 2 + 1) / 2], global memory   line 16 changes it in each
//                                                            iteration
//   s (line 17)   tape_s_5[(m + 2) / 3], global memory       line 18 changes it in each
//                                                            iteration
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//
// Extra memory: a tape of (((long long)m + 1) / 2) * sizeof(double) bytes (tape_s) and
// (((long long)m + 2) / 3) * sizeof(double) bytes (tape_s_2) and m * sizeof(double)
// bytes (tape_s_3) and (((long long)m - 2 + 1) / 2) * sizeof(double) bytes (tape_s_4)
// and (((long long)m + 2) / 3) * sizeof(double) bytes (tape_s_5) per thread, in global
// memory; loop_steps_adj_tape_bytes(grid, block, n, m) says how many in all.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t loop_steps_adj_tape_bytes(dim3 grid, dim3 block, int n, int m)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    // tape_s
    bytes += (threads * (((long long)m + 1) / 2 > 0 ? ((long long)m + 1) / 2 : 0) * sizeof(double)
              + 15) / 16 * 16;
    // tape_s_2
    bytes += (threads * (((long long)m + 2) / 3 > 0 ? ((long long)m + 2) / 3 : 0) * sizeof(double)
              + 15) / 16 * 16;
    bytes += (threads * (m > 0 ? m : 0) * sizeof(double) + 15) / 16 * 16;  // tape_s_3
    // tape_s_4
    bytes += (threads * (((long long)m - 2 + 1) / 2 > 0 ? ((long long)m - 2 + 1) / 2 : 0)
              * sizeof(double) + 15) / 16 * 16;
    // tape_s_5
    bytes += (threads * (((long long)m + 2) / 3 > 0 ? ((long long)m + 2) / 3 : 0) * sizeof(double)
              + 15) / 16 * 16;
    return bytes;
}
#endif

extern "C" __global__ void loop_steps_adj(const double *x, double *adj_x,
                                          double *y, const double *adj_y, int n, int m, char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t at = 16;
    double *tape_s = (double *)(tape + at) + thread;
    at += (threads * (((long long)m + 1) / 2 > 0 ? ((long long)m + 1) / 2 : 0) * sizeof(double)
           + 15) / 16 * 16;
    double *tape_s_2 = (double *)(tape + at) + thread;
    at += (threads * (((long long)m + 2) / 3 > 0 ? ((long long)m + 2) / 3 : 0) * sizeof(double)
           + 15) / 16 * 16;
    double *tape_s_3 = (double *)(tape + at) + thread;
    at += (threads * (m > 0 ? m : 0) * sizeof(double) + 15) / 16 * 16;
    double *tape_s_4 = (double *)(tape + at) + thread;
    at += (threads * (((long long)m - 2 + 1) / 2 > 0 ? ((long long)m - 2 + 1) / 2 : 0)
           * sizeof(double) + 15) / 16 * 16;
    double *tape_s_5 = (double *)(tape + at) + thread;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    double s = x[i];
    for (int k = 1; k <= m; k += 2) {
        tape_s[(k - 1) / 2 * threads] = s;
        s = s + 0.1 * k * s * s;
    }
    for (int k = m; k > 0; k -= 3) {
        tape_s_2[(k - 1) / 3 * threads] = s;
        s = s * cos(0.1 * k * s);
    }
    for (int k = 0; k != m; k++) {
        tape_s_3[k * threads] = s;
        s = s + 0.01 * k * s * s;
    }
    for (int k = m - 1; k >= 2; k -= 2) {
        tape_s_4[(k - 2) / 2 * threads] = s;
        s = s - 0.05 * k * s * s;
    }
    for (int k = i % 3; k < m; k += 3) {
        tape_s_5[(k - i % 3) / 3 * threads] = s;
        s = sin(s) + 0.1 * k;
    }

    // ---- reverse sweep ------------------------------------------------------

    // 19:  y[i] = s
    double adj_s = adj_y[i];
    for (int trip = (i % 3 < m ? (m - i % 3 + 2) / 3 : 0) - 1; trip >= 0; --trip) {
        double s = tape_s_5[(i % 3 + trip * 3 - i % 3) / 3 * threads];
        // 18:  s = sin(s) + 0.1 * k
        adj_s *= cos(s);
    }
    for (int trip = (2 <= m - 1 ? (m - 1) / 2 : 0) - 1; trip >= 0; --trip) {
        int k = m - 1 - trip * 2;
        double s = tape_s_4[(k - 2) / 2 * threads];

        // 16:  s = s - 0.05 * k * s * s
        adj_s -= 0.1 * k * s * adj_s;
    }
    for (int k = m - 1; k >= 0; --k) {
        double s = tape_s_3[k * threads];
        // 14:  s = s + 0.01 * k * s * s
        adj_s += 0.02 * k * s * adj_s;
    }
    for (int trip = (0 < m ? (m + 2) / 3 : 0) - 1; trip >= 0; --trip) {
        int k = m - trip * 3;
        double s = tape_s_2[(k - 1) / 3 * threads];

        // 12:  s = s * cos(0.1 * k * s)
        adj_s = (cos(0.1 * k * s) - s * sin(0.1 * k * s) * (0.1 * k)) * adj_s;
    }
    for (int trip = (1 <= m ? (m + 1) / 2 : 0) - 1; trip >= 0; --trip) {
        int k = 1 + trip * 2;
        double s = tape_s[(k - 1) / 2 * threads];

        // 10:  s = s + 0.1 * k * s * s
        adj_s += 0.2 * k * s * adj_s;
    }

    // 8:  double s = x[i]
    adj_x[i] += adj_s;
}
