// thomas_adj: adjoint of thomas (thomas.cu:5).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform thomas.cu --of x --wrt a,b,c,d --mode split
//
// First launch thomas_fwd, with the same grid, block and tape: it does what thomas
// does, and records. Call with a, b, c and d as they were before thomas. Seed adj_x
// with dJ/dx: it is left alone, because thomas stores each element of x at most once.
// dJ/da is added to adj_a; dJ/db is added to adj_b; dJ/dc is added to adj_c; dJ/dd is
// added to adj_d. x is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   s                      recomputed                        from values at hand
//   b[..], c[..], d[..],   reloaded                          nothing stores to it
//   a[..]
//   m                      recomputed                        from values at hand, in
//                                                            the reversed iteration
//   cp[..], dp[..]         reloaded                          no later store goes to it
//   last                   tape_last[N - 1], global memory   line 22 changes it in each
//                                                            iteration
//
// How adjoints are added up:
//   adj_c[..]   +=, one owner   each thread has elements of its own
//   adj_b[..]   +=, one owner   each thread has elements of its own
//   adj_d[..]   +=, one owner   each thread has elements of its own
//   adj_a[..]   +=, one owner   each thread has elements of its own
//
// Extra memory: a tape of ((long long)N - 1) * sizeof(double) bytes (tape_last) per
// thread, in global memory; thomas_adj_tape_bytes(grid, block, systems) says how many
// in all.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#define N 6

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t thomas_adj_tape_bytes(dim3 grid, dim3 block, int systems)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    bytes += (threads * ((long long)N - 1) * sizeof(double) + 15) / 16 * 16;  // tape_last
    return bytes;
}
#endif

extern "C" __global__ void thomas_fwd(const double *a, const double *b, const double *c,
                                      const double *d, double *x, int systems, char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    double *tape_last = (double *)(tape + 16) + thread;
    int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= systems)
        return;
    double cp[N];
    double dp[N];
    cp[0] = c[s * N] / b[s * N];
    dp[0] = d[s * N] / b[s * N];
    for (int i = 1; i < N; i++) {
        double m = 1.0 / (b[s * N + i] - a[s * N + i] * cp[i - 1]);
        cp[i] = c[s * N + i] * m;
        dp[i] = (d[s * N + i] - a[s * N + i] * dp[i - 1]) * m;
    }
    double last = dp[N - 1];
    x[s * N + N - 1] = last;
    for (int i = N - 2; i >= 0; i--) {
        tape_last[i * threads] = last;
        last = dp[i] - cp[i] * last;
        x[s * N + i] = last;
    }
}

extern "C" __global__ void thomas_adj(const double *a, double *adj_a,
                                      const double *b, double *adj_b,
                                      const double *c, double *adj_c,
                                      const double *d, double *adj_d,
                                      double *x, const double *adj_x, int systems, char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    double *tape_last = (double *)(tape + 16) + thread;
    int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= systems)
        return;

    // ---- forward sweep ------------------------------------------------------

    double cp[N];
    double dp[N];
    cp[0] = c[s * N] / b[s * N];
    dp[0] = d[s * N] / b[s * N];
    for (int i = 1; i < N; i++) {
        double m = 1.0 / (b[s * N + i] - a[s * N + i] * cp[i - 1]);
        cp[i] = c[s * N + i] * m;
        dp[i] = (d[s * N + i] - a[s * N + i] * dp[i - 1]) * m;
    }

    // ---- reverse sweep ------------------------------------------------------

    double adj_cp[N] = {};
    double adj_dp[N] = {};
    double adj_last = 0.0;
    for (int i = 0; i <= N - 2; ++i) {
        double last = tape_last[i * threads];
        // 23:  x[s * N + i] = last
        adj_last += adj_x[s * N + i];

        // 22:  last = dp[i] - cp[i] * last
        adj_dp[i] += adj_last;
        adj_cp[i] -= last * adj_last;
        adj_last = -(cp[i] * adj_last);
    }

    // 20:  x[s * N + N - 1] = last
    adj_last += adj_x[s * N + N - 1];

    // 19:  double last = dp[N - 1]
    adj_dp[N - 1] += adj_last;
    for (int i = N - 1; i >= 1; --i) {
        double m = 1.0 / (b[s * N + i] - a[s * N + i] * cp[i - 1]);

        // 17:  dp[i] = (d[s * N + i] - a[s * N + i] * dp[i - 1]) * m
        double g = adj_dp[i];
        adj_dp[i] = 0.0;
        double g_2 = m * g;
        adj_d[s * N + i] += g_2;
        adj_a[s * N + i] -= dp[i - 1] * g_2;
        adj_dp[i - 1] -= a[s * N + i] * g_2;
        double adj_m = (d[s * N + i] - a[s * N + i] * dp[i - 1]) * g;

        // 16:  cp[i] = c[s * N + i] * m
        double g_3 = adj_cp[i];
        adj_c[s * N + i] += m * g_3;
        adj_m += c[s * N + i] * g_3;
        adj_cp[i] = 0.0;

        // 15:  double m = 1.0 / (b[s * N + i] - a[s * N + i] * cp[i - 1])
        double g_4 = -(m * m * adj_m);
        adj_b[s * N + i] += g_4;
        adj_a[s * N + i] -= cp[i - 1] * g_4;
        adj_cp[i - 1] -= a[s * N + i] * g_4;
    }

    // 13:  dp[0] = d[s * N] / b[s * N]
    double g = adj_dp[0] / b[s * N];
    adj_d[s * N] += g;
    adj_b[s * N] -= d[s * N] / b[s * N] * g;

    // 12:  cp[0] = c[s * N] / b[s * N]
    double g_2 = adj_cp[0] / b[s * N];
    adj_c[s * N] += g_2;
    adj_b[s * N] -= c[s * N] / b[s * N] * g_2;
}
