// batch_solve_adj: adjoint of batch_solve (batch_solve.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform batch_solve.cu --of u,r --wrt d,a,u,r
//
// Call with d, a, u and r as they were before batch_solve. adj_u comes in as dJ/du
// after batch_solve and goes out as dJ/du before it, element by element. adj_r comes in
// as dJ/dr after batch_solve and goes out as dJ/dr before it, element by element. dJ/dd
// is added to adj_d; dJ/da is added to adj_a. The content of u and r afterwards is
// unspecified.
//
// What the reverse sweep needs, and where it finds it:
//   u[t]                tape_u, a register               line 8 overwrites it
//   d[..], a[..]        reloaded                         nothing stores to it
//   r[t]                tape_r, a register               line 9 overwrites it
//   i (line 10)         tape_i, a register               line 10 overwrites it
//   i (line 10)         inverted                         each iteration adds n
//   trips of line 10,   trips, a register                the loop decides in its
//                                                        iterations when it ends
//   trips of line 15
//   u[i - n]            tape_u_2[m - 1], global memory   line 12 overwrites it
//   p                   recomputed                       from values at hand, in the
//                                                        reversed iteration
//   u[i]                tape_u_3[m - 1], global memory   line 12 overwrites it
//   r[i - n]            tape_r_2[m - 1], global memory   line 13 overwrites it
//   r[i]                tape_r_3[m - 1], global memory   line 13 overwrites it
//   i (line 15)         tape_i_2, a register             line 15 overwrites it
//   i (line 15)         inverted                         each iteration subtracts n
//   r[i + n]            tape_r_4[m - 1], global memory   line 16 overwrites it
//   u[..]               reloaded                         no later store goes to it
//
// How adjoints are added up:
//   adj_d[..]   +=, one owner   each thread has elements of its own
//   adj_u[..]   +=, one owner   each thread has elements of its own
//   adj_r[..]   +=, one owner   each thread has elements of its own
//   adj_a[..]   +=, one owner   each thread has elements of its own
//
// Extra memory: a tape of ((long long)m - 1) * sizeof(double) bytes (tape_u_2) and
// ((long long)m - 1) * sizeof(double) bytes (tape_u_3) and ((long long)m - 1) *
// sizeof(double) bytes (tape_r_2) and ((long long)m - 1) * sizeof(double) bytes
// (tape_r_3) and ((long long)m - 1) * sizeof(double) bytes (tape_r_4) per thread, in
// global memory; batch_solve_adj_tape_bytes(grid, block, m, n) says how many in all.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t batch_solve_adj_tape_bytes(dim3 grid, dim3 block, int m, int n)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    // tape_u_2
    bytes += (threads * ((long long)m - 1 > 0 ? (long long)m - 1 : 0) * sizeof(double) + 15) / 16
             * 16;
    // tape_u_3
    bytes += (threads * ((long long)m - 1 > 0 ? (long long)m - 1 : 0) * sizeof(double) + 15) / 16
             * 16;
    // tape_r_2
    bytes += (threads * ((long long)m - 1 > 0 ? (long long)m - 1 : 0) * sizeof(double) + 15) / 16
             * 16;
    // tape_r_3
    bytes += (threads * ((long long)m - 1 > 0 ? (long long)m - 1 : 0) * sizeof(double) + 15) / 16
             * 16;
    // tape_r_4
    bytes += (threads * ((long long)m - 1 > 0 ? (long long)m - 1 : 0) * sizeof(double) + 15) / 16
             * 16;
    return bytes;
}
#endif

extern "C" __global__ void batch_solve_adj(const double *d, double *adj_d,
                                           const double *a, double *adj_a,
                                           double *u, double *adj_u,
                                           double *r, double *adj_r, int m, int n, char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t at = 16;
    double *tape_u_2 = (double *)(tape + at) + thread;
    at += (threads * (m - 1 > 0 ? m - 1 : 0) * sizeof(double) + 15) / 16 * 16;
    double *tape_u_3 = (double *)(tape + at) + thread;
    at += (threads * (m - 1 > 0 ? m - 1 : 0) * sizeof(double) + 15) / 16 * 16;
    double *tape_r_2 = (double *)(tape + at) + thread;
    at += (threads * (m - 1 > 0 ? m - 1 : 0) * sizeof(double) + 15) / 16 * 16;
    double *tape_r_3 = (double *)(tape + at) + thread;
    at += (threads * (m - 1 > 0 ? m - 1 : 0) * sizeof(double) + 15) / 16 * 16;
    double *tape_r_4 = (double *)(tape + at) + thread;
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t < n) {
        // ---- forward sweep ------------------------------------------------------

        int last = n * (m - 1) + t;
        double tape_u = u[t];
        u[t] /= d[t];
        double tape_r = r[t];
        r[t] /= d[t];
        int i = t + n;
        int tape_i = i;
        int trips = 0;
        for (; i <= last; i += n) {
            tape_u_2[trips * threads] = u[i - n];
            double p = d[i] - a[i] * u[i - n];
            tape_u_3[trips * threads] = u[i];
            u[i] /= p;
            tape_r_2[trips * threads] = r[i - n];
            tape_r_3[trips * threads] = r[i];
            r[i] = (r[i] - a[i] * r[i - n]) / p;
            ++trips;
        }
        int i_2 = last - n;
        int tape_i_2 = i_2;
        int trips_2 = 0;
        for (; i_2 >= t; i_2 -= n) {
            tape_r_4[trips_2 * threads] = r[i_2 + n];
            r[i_2] -= u[i_2] * r[i_2 + n];
            ++trips_2;
        }

        // ---- reverse sweep ------------------------------------------------------

        for (int trip = trips_2 - 1; trip >= 0; --trip) {
            int i = tape_i_2 - trip * n;

            // 16:  r[i] -= u[i] * r[i + n]
            double g = adj_r[i];
            adj_u[i] -= tape_r_4[trip * threads] * g;
            adj_r[i + n] -= u[i] * g;
        }
        for (int trip = trips - 1; trip >= 0; --trip) {
            int i = tape_i + trip * n;
            double p = d[i] - a[i] * tape_u_2[trip * threads];

            // 13:  r[i] = (r[i] - a[i] * r[i - n]) / p
            double r_was = tape_r_2[trip * threads];
            double g = adj_r[i] / p;
            adj_r[i] = g;
            adj_a[i] -= r_was * g;
            adj_r[i - n] -= a[i] * g;
            double adj_p = -((tape_r_3[trip * threads] - a[i] * r_was) / p * g);

            // 12:  u[i] /= p
            double g_2 = adj_u[i] / p;
            adj_p -= tape_u_3[trip * threads] * g_2 / p;
            adj_u[i] = g_2;

            // 11:  double p = d[i] - a[i] * u[i - n]
            adj_d[i] += adj_p;
            adj_a[i] -= tape_u_2[trip * threads] * adj_p;
            adj_u[i - n] -= a[i] * adj_p;
        }

        // 9:  r[t] /= d[t]
        double g = adj_r[t] / d[t];
        adj_d[t] -= tape_r * g / d[t];
        adj_r[t] = g;

        // 8:  u[t] /= d[t]
        double g_2 = adj_u[t] / d[t];
        adj_d[t] -= tape_u * g_2 / d[t];
        adj_u[t] = g_2;
    }
}
