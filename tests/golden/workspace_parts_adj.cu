// workspace_parts_adj: adjoint of workspace_parts (workspace_parts.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform workspace_parts.cu --of y --wrt x
//
// Call with x and ws as they were before workspace_parts. Seed adj_y with dJ/dy: it is
// left alone, because workspace_parts stores each element of y at most once. adj_ws
// must come in zero; its content afterwards is unspecified. dJ/dx is added to adj_x. y
// is neither read nor written. The content of ws afterwards is unspecified.
//
// What the reverse sweep needs, and where it finds it:
//   x[..]                  reloaded                          nothing stores to it
//   v                      recomputed                        from values at hand, in
//                                                            the reversed iteration
//   b[(k - 1) * systems]   tape_ws[n - 1], global memory     line 15 overwrites it
//   a[(k - 1) * systems]   tape_ws_2[n - 1], global memory   line 16 overwrites it
//   a[k * systems]         tape_ws_3[n - 1], global memory   line 16 overwrites it
//   ws[..]                 reloaded                          no later store goes to it
//
// How adjoints are added up:
//   adj_x[..]    +=, one owner   each thread has elements of its own
//   adj_ws[..]   +=, one owner   each thread has elements of its own
//
// Extra memory: a tape of ((long long)n - 1) * sizeof(double) bytes (tape_ws) and
// ((long long)n - 1) * sizeof(double) bytes (tape_ws_2) and ((long long)n - 1) *
// sizeof(double) bytes (tape_ws_3) per thread, in global memory;
// workspace_parts_adj_tape_bytes(grid, block, systems, n) says how many in all.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t workspace_parts_adj_tape_bytes(dim3 grid, dim3 block, int systems, int n)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    // tape_ws
    bytes += (threads * ((long long)n - 1 > 0 ? (long long)n - 1 : 0) * sizeof(double) + 15) / 16
             * 16;
    // tape_ws_2
    bytes += (threads * ((long long)n - 1 > 0 ? (long long)n - 1 : 0) * sizeof(double) + 15) / 16
             * 16;
    // tape_ws_3
    bytes += (threads * ((long long)n - 1 > 0 ? (long long)n - 1 : 0) * sizeof(double) + 15) / 16
             * 16;
    return bytes;
}
#endif

extern "C" __global__ void workspace_parts_adj(const double *x, double *adj_x,
                                               double *ws, double *adj_ws,
                                               double *y, const double *adj_y, int systems, int n,
                                               char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t at = 16;
    double *tape_ws = (double *)(tape + at) + thread;
    at += (threads * (n - 1 > 0 ? n - 1 : 0) * sizeof(double) + 15) / 16 * 16;
    double *tape_ws_2 = (double *)(tape + at) + thread;
    at += (threads * (n - 1 > 0 ? n - 1 : 0) * sizeof(double) + 15) / 16 * 16;
    double *tape_ws_3 = (double *)(tape + at) + thread;
    int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= systems)
        return;

    // ---- forward sweep ------------------------------------------------------

    ws[s] = x[s];
    ws[n * systems + s] = 1.0 + x[s] * x[s];
    for (int k = 1; k < n; ++k) {
        double v = x[s + k * systems];
        tape_ws[(k - 1) * threads] = ws[n * systems + s + (k - 1) * systems];
        ws[s + k * systems] = v / ws[n * systems + s + (k - 1) * systems];
        tape_ws_2[(k - 1) * threads] = ws[s + (k - 1) * systems];
        tape_ws_3[(k - 1) * threads] = ws[s + k * systems];
        ws[n * systems + s + k * systems] = 2.0 + v * v
                                            - ws[s + k * systems] * ws[s + (k - 1) * systems];
    }

    // ---- reverse sweep ------------------------------------------------------

    for (int k = 0; k < n; ++k) {
        // 20:  out[k * systems] = a[k * systems] * b[k * systems]
        double g = adj_y[s + k * systems];
        adj_ws[s + k * systems] += ws[n * systems + s + k * systems] * g;
        adj_ws[n * systems + s + k * systems] += ws[s + k * systems] * g;
    }
    for (int k = n - 1; k >= 1; --k) {
        double v = x[s + k * systems];

        // 16:  b[k * systems] = 2.0 + v * v - a[k * systems] * a[(k - 1) * systems]
        double g = adj_ws[n * systems + s + k * systems];
        adj_ws[n * systems + s + k * systems] = 0.0;
        double adj_v = 2.0 * v * g;
        adj_ws[s + k * systems] -= tape_ws_2[(k - 1) * threads] * g;
        adj_ws[s + (k - 1) * systems] -= tape_ws_3[(k - 1) * threads] * g;

        // 15:  a[k * systems] = v / b[(k - 1) * systems]
        double g_2 = adj_ws[s + k * systems];
        adj_ws[s + k * systems] = 0.0;
        double ws_was = tape_ws[(k - 1) * threads];
        double g_3 = g_2 / ws_was;
        adj_v += g_3;
        adj_ws[n * systems + s + (k - 1) * systems] -= v / ws_was * g_3;

        // 14:  double v = in[k * systems]
        adj_x[s + k * systems] += adj_v;
    }

    // 12:  b[0] = 1.0 + in[0] * in[0]
    adj_x[s] += 2.0 * x[s] * adj_ws[n * systems + s];
    adj_ws[n * systems + s] = 0.0;

    // 11:  a[0] = in[0]
    adj_x[s] += adj_ws[s];
    adj_ws[s] = 0.0;
}
