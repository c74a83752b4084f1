// forever_adj: adjoint of forever (forever.cu:4).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform forever.cu --of y --wrt x,rate --mode split
//
// First launch forever_fwd, with the same grid, block and tape: it does what forever
// does, and records. Seed adj_y with dJ/dy: it is left alone, because forever stores
// each element of y at most once. dJ/dx is added to adj_x; dJ/drate is added to
// adj_rate. x and y are neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   i, k (line 26)      recomputed                           from values at hand
//   v (line 11)         snapshot_v[16], global memory        line 12 or 15 changes it
//                                                            in each iteration, and
//                                                            nothing bounds their
//                                                            number
//   rounds              snapshot_rounds[16], global memory   line 20 changes it in each
//                                                            iteration, and nothing
//                                                            bounds their number
//   trips of line 11,   trips, global memory                 the loop decides in its
//                                                            iterations when it ends
//   trips of line 34
//   v (line 14)         snapshot_v_2[16], local memory       line 15 changes it in each
//                                                            iteration, and nothing
//                                                            bounds their number
//   trips of line 14    trips, a register                    the loop decides in its
//                                                            iterations when it ends
//   v (line 34)         snapshot_v_3[16], global memory      line 31 changes it in each
//                                                            iteration, and nothing
//                                                            bounds their number
//   k (line 34)         inverted                             each iteration adds 1
//   k (line 28)         recomputed                           from values at hand, in
//                                                            the reversed iteration
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//   adj_rate    atomicAdd       every thread has its share in it, added once per thread
//
// Extra memory: a tape of 16 * sizeof(double) bytes (snapshot_v) and 16 *
// sizeof(double) bytes (snapshot_v_3) and 16 * sizeof(int) bytes (snapshot_rounds) and
// sizeof(int) bytes (tape_trips) and sizeof(int) bytes (tape_trips_2) and sizeof(int)
// bytes (tape_stride) and sizeof(int) bytes (tape_stride_2) per thread, in global
// memory; forever_adj_tape_bytes(grid, block, rate, n) says how many in all.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t forever_adj_tape_bytes(dim3 grid, dim3 block, double rate, int n)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    bytes += (threads * 16 * sizeof(double) + 15) / 16 * 16;  // snapshot_v
    bytes += (threads * 16 * sizeof(double) + 15) / 16 * 16;  // snapshot_v_3
    bytes += (threads * 16 * sizeof(int) + 15) / 16 * 16;  // snapshot_rounds
    bytes += (threads * 1 * sizeof(int) + 15) / 16 * 16;  // tape_trips
    bytes += (threads * 1 * sizeof(int) + 15) / 16 * 16;  // tape_trips_2
    bytes += (threads * 1 * sizeof(int) + 15) / 16 * 16;  // tape_stride
    bytes += (threads * 1 * sizeof(int) + 15) / 16 * 16;  // tape_stride_2
    return bytes;
}
#endif

extern "C" __global__ void forever_fwd(const double *x, double rate, double *y, int n, char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t at = 16;
    double *snapshot_v = (double *)(tape + at) + thread;
    at += (threads * 16 * sizeof(double) + 15) / 16 * 16;
    double *snapshot_v_3 = (double *)(tape + at) + thread;
    at += (threads * 16 * sizeof(double) + 15) / 16 * 16;
    int *snapshot_rounds = (int *)(tape + at) + thread;
    at += (threads * 16 * sizeof(int) + 15) / 16 * 16;
    int *tape_trips = (int *)(tape + at) + thread;
    at += (threads * sizeof(int) + 15) / 16 * 16;
    int *tape_trips_2 = (int *)(tape + at) + thread;
    at += (threads * sizeof(int) + 15) / 16 * 16;
    int *tape_stride = (int *)(tape + at) + thread;
    at += (threads * sizeof(int) + 15) / 16 * 16;
    int *tape_stride_2 = (int *)(tape + at) + thread;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i];
    int rounds = 0;
    int trips = 0;
    int stride = 1;
    for (;;) {
        if (trips % stride == 0) {
            if (trips == 16 * stride) {
                for (int j = 1; j < 8; ++j) {
                    snapshot_v[j * threads] = snapshot_v[2 * j * threads];
                    snapshot_rounds[j * threads] = snapshot_rounds[2 * j * threads];
                }
                stride *= 2;
            }
            snapshot_v[trips / stride * threads] = v;
            snapshot_rounds[trips / stride * threads] = rounds;
        }
        ++trips;
        v = v + 0.01 * rate * sin(v) + 0.02;
        bool done = false;
        while (true) {
            v = v * (1.0 - 0.01 * rate * v);
            if (v > 2.0) {
                done = true;
                break;
            }
            ++rounds;
            if (rounds % 3 == 0)
                break;
        }
        if (done || rounds > 120)
            break;
    }
    *tape_trips = trips;
    *tape_stride = stride;
    int k = 0;
    int trips_2 = 0;
    int stride_2 = 1;
    do {
        if (trips_2 % stride_2 == 0) {
            if (trips_2 == 16 * stride_2) {
                for (int j = 1; j < 8; ++j)
                    snapshot_v_3[j * threads] = snapshot_v_3[2 * j * threads];
                stride_2 *= 2;
            }
            snapshot_v_3[trips_2 / stride_2 * threads] = v;
        }
        ++trips_2;
        k++;
        if (!(k % 2)) {
            v = v + 0.01 * cos(v) + 0.001 * rate * k;
            if (v > 2.5)
                break;
        }
    } while (k < 70);
    *tape_trips_2 = trips_2;
    *tape_stride_2 = stride_2;
    y[i] = v;
}

extern "C" __global__ void forever_adj(const double *x, double *adj_x,
                                       double rate, double *adj_rate,
                                       double *y, const double *adj_y, int n, char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t at = 16;
    double *snapshot_v = (double *)(tape + at) + thread;
    at += (threads * 16 * sizeof(double) + 15) / 16 * 16;
    double *snapshot_v_3 = (double *)(tape + at) + thread;
    at += (threads * 16 * sizeof(double) + 15) / 16 * 16;
    int *snapshot_rounds = (int *)(tape + at) + thread;
    at += (threads * 16 * sizeof(int) + 15) / 16 * 16;
    int *tape_trips = (int *)(tape + at) + thread;
    at += (threads * sizeof(int) + 15) / 16 * 16;
    int *tape_trips_2 = (int *)(tape + at) + thread;
    at += (threads * sizeof(int) + 15) / 16 * 16;
    int *tape_stride = (int *)(tape + at) + thread;
    at += (threads * sizeof(int) + 15) / 16 * 16;
    int *tape_stride_2 = (int *)(tape + at) + thread;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double adj_rate_sum = 0.0;
    if (i >= n)
        return;

    // 35:  y[i] = v
    double adj_v = adj_y[i];
    int trips = *tape_trips_2;
    int stride = *tape_stride_2;
    for (int trip = trips - 1; trip >= 0; --trip) {
        double v = snapshot_v_3[trip / stride * threads];
        for (int r = trip / stride * stride; r < trip; ++r) {
            int k = r;
            k++;
            if (!(k % 2))
                v = v + 0.01 * cos(v) + 0.001 * rate * k;
        }
        int k = trip;
        k++;
        if (!(k % 2)) {
            // 31:  v = v + 0.01 * cos(v) + 0.001 * rate * k
            adj_rate_sum += 0.001 * k * adj_v;
            adj_v -= 0.01 * sin(v) * adj_v;
        }
    }
    int trips_2 = *tape_trips;
    int stride_2 = *tape_stride;
    for (int trip = trips_2 - 1; trip >= 0; --trip) {
        double v = snapshot_v[trip / stride_2 * threads];
        int rounds = snapshot_rounds[trip / stride_2 * threads];
        for (int r = trip / stride_2 * stride_2; r < trip; ++r) {
            v = v + 0.01 * rate * sin(v) + 0.02;
            while (true) {
                v = v * (1.0 - 0.01 * rate * v);
                if (v > 2.0)
                    break;
                ++rounds;
                if (rounds % 3 == 0)
                    break;
            }
        }
        double v_2 = v;
        int rounds_2 = rounds;
        v_2 = v_2 + 0.01 * rate * sin(v_2) + 0.02;
        int trips = 0;
        double snapshot_v_2[16];
        int stride = 1;
        while (true) {
            if (trips % stride == 0) {
                if (trips == 16 * stride) {
                    for (int j = 1; j < 8; ++j)
                        snapshot_v_2[j] = snapshot_v_2[2 * j];
                    stride *= 2;
                }
                snapshot_v_2[trips / stride] = v_2;
            }
            ++trips;
            v_2 = v_2 * (1.0 - 0.01 * rate * v_2);
            if (v_2 > 2.0)
                break;
            ++rounds_2;
            if (rounds_2 % 3 == 0)
                break;
        }
        for (int trip = trips - 1; trip >= 0; --trip) {
            double v = snapshot_v_2[trip / stride];
            for (int r = trip / stride * stride; r < trip; ++r)
                v = v * (1.0 - 0.01 * rate * v);

            // 15:  v = v * (1.0 - 0.01 * rate * v)
            double g = -(v * adj_v);
            adj_rate_sum += 0.01 * v * g;
            adj_v = (1.0 - 0.01 * rate * v) * adj_v + 0.01 * rate * g;
        }

        // 12:  v = v + 0.01 * rate * sin(v) + 0.02
        adj_rate_sum += 0.01 * sin(v) * adj_v;
        adj_v += 0.01 * rate * cos(v) * adj_v;
    }

    // 9:  double v = x[i]
    adj_x[i] += adj_v;
    atomicAdd(adj_rate, adj_rate_sum);
}
