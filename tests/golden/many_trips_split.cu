// many_trips_adj: adjoint of many_trips (many_trips.cu:4).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform many_trips.cu --of y,steps --wrt x,c --mode split
//
// First launch many_trips_fwd, with the same grid, block and tape: it does what
// many_trips does, and records. Call with c as it was before many_trips. Seed adj_y
// with dJ/dy: it is left alone, because many_trips stores each element of y at most
// once. Seed adj_steps with dJ/dsteps: it is left alone, because many_trips stores each
// element of steps at most once. dJ/dx is added to adj_x; dJ/dc is added to adj_c. x, y
// and steps are neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   i                  recomputed                       from values at hand
//   v (line 11)        snapshot_v[16], global memory    line 12 changes it in each
//                                                       iteration, and nothing bounds
//                                                       their number
//   at                 snapshot_at[16], global memory   line 17 changes it in each
//                                                       iteration, and nothing bounds
//                                                       their number
//   w (line 11)        snapshot_w[16], global memory    line 14 or 16 changes it in
//                                                       each iteration, and nothing
//                                                       bounds their number
//   count (line 11)    inverted                         each iteration adds 1
//   w (line 11)        tape_w, global memory            a loop computed it, and only
//                                                       the forward kernel runs that
//   v (line 11)        tape_v, global memory            a loop computed it, and only
//                                                       the forward kernel runs that
//   count (line 11)    tape_count, global memory        a loop computed it, and only
//                                                       the forward kernel runs that
//   trips of line 11   trips, global memory             the loop decides in its
//                                                       iterations when it ends
//   v (line 12)        recomputed                       from values at hand, in the
//                                                       reversed iteration
//   c[..]              reloaded                         nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//   adj_c[..]   atomicAdd       not proved that two threads never meet in c[at]
//
// Extra memory: a tape of 16 * sizeof(double) bytes (snapshot_v) and 16 * sizeof(int)
// bytes (snapshot_at) and 16 * sizeof(double) bytes (snapshot_w) and sizeof(double)
// bytes (tape_w) and sizeof(double) bytes (tape_v) and sizeof(int) bytes (tape_count)
// and sizeof(int) bytes (tape_trips) and sizeof(int) bytes (tape_stride) per thread, in
// global memory; many_trips_adj_tape_bytes(grid, block, n) says how many in all.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps, a condition on
// floating values may be decided twice, and a near-tie either way.

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t many_trips_adj_tape_bytes(dim3 grid, dim3 block, int n)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    bytes += (threads * 16 * sizeof(double) + 15) / 16 * 16;  // snapshot_v
    bytes += (threads * 16 * sizeof(int) + 15) / 16 * 16;  // snapshot_at
    bytes += (threads * 16 * sizeof(double) + 15) / 16 * 16;  // snapshot_w
    bytes += (threads * 1 * sizeof(double) + 15) / 16 * 16;  // tape_w
    bytes += (threads * 1 * sizeof(double) + 15) / 16 * 16;  // tape_v
    bytes += (threads * 1 * sizeof(int) + 15) / 16 * 16;  // tape_count
    bytes += (threads * 1 * sizeof(int) + 15) / 16 * 16;  // tape_trips
    bytes += (threads * 1 * sizeof(int) + 15) / 16 * 16;  // tape_stride
    return bytes;
}
#endif

extern "C" __global__ void many_trips_fwd(const double *x, const double *c, double *y,
                                          double *steps, int n, char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t at_2 = 16;
    double *snapshot_v = (double *)(tape + at_2) + thread;
    at_2 += (threads * 16 * sizeof(double) + 15) / 16 * 16;
    int *snapshot_at = (int *)(tape + at_2) + thread;
    at_2 += (threads * 16 * sizeof(int) + 15) / 16 * 16;
    double *snapshot_w = (double *)(tape + at_2) + thread;
    at_2 += (threads * 16 * sizeof(double) + 15) / 16 * 16;
    double *tape_w = (double *)(tape + at_2) + thread;
    at_2 += (threads * sizeof(double) + 15) / 16 * 16;
    double *tape_v = (double *)(tape + at_2) + thread;
    at_2 += (threads * sizeof(double) + 15) / 16 * 16;
    int *tape_count = (int *)(tape + at_2) + thread;
    at_2 += (threads * sizeof(int) + 15) / 16 * 16;
    int *tape_trips = (int *)(tape + at_2) + thread;
    at_2 += (threads * sizeof(int) + 15) / 16 * 16;
    int *tape_stride = (int *)(tape + at_2) + thread;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i];
    double w = 0.5;
    int at = i % 3;
    int count = 0;
    int trips = 0;
    int stride = 1;
    while (v > 0.1) {
        if (trips % stride == 0) {
            if (trips == 16 * stride) {
                for (int j = 1; j < 8; ++j) {
                    snapshot_v[j * threads] = snapshot_v[2 * j * threads];
                    snapshot_w[j * threads] = snapshot_w[2 * j * threads];
                    snapshot_at[j * threads] = snapshot_at[2 * j * threads];
                }
                stride *= 2;
            }
            snapshot_v[trips / stride * threads] = v;
            snapshot_w[trips / stride * threads] = w;
            snapshot_at[trips / stride * threads] = at;
        }
        v = v * (1.0 - 0.02 * c[at]) - 0.0005 * w;
        if (v < w)
            w = w * (0.97 + 0.01 * v);
        else
            w += 0.01 * v * v;
        at = (at + 1 + count % 2) % 3;
        ++count;
        ++trips;
    }
    *tape_v = v;
    *tape_w = w;
    *tape_count = count;
    *tape_trips = trips;
    *tape_stride = stride;
    y[i] = v * w;
    steps[i] = count * x[i];
}

extern "C" __global__ void many_trips_adj(const double *x, double *adj_x,
                                          const double *c, double *adj_c,
                                          double *y, const double *adj_y,
                                          double *steps, const double *adj_steps, int n, char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t at = 16;
    double *snapshot_v = (double *)(tape + at) + thread;
    at += (threads * 16 * sizeof(double) + 15) / 16 * 16;
    int *snapshot_at = (int *)(tape + at) + thread;
    at += (threads * 16 * sizeof(int) + 15) / 16 * 16;
    double *snapshot_w = (double *)(tape + at) + thread;
    at += (threads * 16 * sizeof(double) + 15) / 16 * 16;
    double *tape_w = (double *)(tape + at) + thread;
    at += (threads * sizeof(double) + 15) / 16 * 16;
    double *tape_v = (double *)(tape + at) + thread;
    at += (threads * sizeof(double) + 15) / 16 * 16;
    int *tape_count = (int *)(tape + at) + thread;
    at += (threads * sizeof(int) + 15) / 16 * 16;
    int *tape_trips = (int *)(tape + at) + thread;
    at += (threads * sizeof(int) + 15) / 16 * 16;
    int *tape_stride = (int *)(tape + at) + thread;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // 21:  steps[i] = count * x[i]
    adj_x[i] += *tape_count * adj_steps[i];

    // 20:  y[i] = v * w
    double g = adj_y[i];
    double adj_v = *tape_w * g;
    double adj_w = *tape_v * g;
    int trips = *tape_trips;
    int stride = *tape_stride;
    for (int trip = trips - 1; trip >= 0; --trip) {
        double v = snapshot_v[trip / stride * threads];
        double w = snapshot_w[trip / stride * threads];
        int at = snapshot_at[trip / stride * threads];
        for (int r = trip / stride * stride; r < trip; ++r) {
            v = v * (1.0 - 0.02 * c[at]) - 0.0005 * w;
            if (v < w)
                w = w * (0.97 + 0.01 * v);
            else
                w += 0.01 * v * v;
            at = (at + 1 + r % 2) % 3;
        }
        double v_2 = v * (1.0 - 0.02 * c[at]) - 0.0005 * w;
        if (v_2 < w) {
            // 14:  w = w * (0.97 + 0.01 * v)
            adj_v += 0.01 * w * adj_w;
            adj_w *= 0.97 + 0.01 * v_2;
        } else {
            // 16:  w += 0.01 * v * v
            adj_v += 0.02 * v_2 * adj_w;
        }

        // 12:  v = v * (1.0 - 0.02 * c[at]) - 0.0005 * w
        atomicAdd(&adj_c[at], -0.02 * v * adj_v);
        adj_w -= 0.0005 * adj_v;
        adj_v *= 1.0 - 0.02 * c[at];
    }

    // 9:  double v = x[i]
    adj_x[i] += adj_v;
}
