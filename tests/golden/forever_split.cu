// forever_adj: adjoint of forever (forever.cu:4).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform forever.cu --of y --wrt x,rate --mode split
//
// First launch forever_fwd, with the same grid, block and tape: it does what forever
// does, and records. Seed adj_y with dJ/dy: it is left alone, because forever stores
// each element of y at most once. dJ/dx is added to adj_x; dJ/drate is added to
// adj_rate. x and y are neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   i                  recomputed                           from values at hand
//   v (line 11)        snapshot_v[16], global memory        line 12 or 15 changes it in
//                                                           each iteration, and nothing
//                                                           bounds their number
//   rounds             snapshot_rounds[16], global memory   line 20 changes it in each
//                                                           iteration, and nothing
//                                                           bounds their number
//   trips of line 11   trips, global memory                 the loop decides in its
//                                                           iterations when it ends
//   v (line 14)        dv_drate, dv_dv0, carried forward    line 15 changes it in each
//                                                           iteration, and inputs are
//                                                           few
//   dv_drate           tape_dv_drate, global memory         a loop computed it, and
//                                                           only the forward kernel
//                                                           runs that
//   dv_dv0             tape_dv_dv0, global memory           a loop computed it, and
//                                                           only the forward kernel
//                                                           runs that
//   v (line 34)        dv_drate, dv_dv0, carried forward    line 31 changes it in each
//                                                           iteration, and inputs are
//                                                           few
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner       one thread per element
//   adj_rate    reduced per block   every thread has its share in it
//
// Extra memory: a tape of 16 * sizeof(double) bytes (snapshot_v) and 16 * sizeof(int)
// bytes (snapshot_rounds) and sizeof(double) bytes (tape_dv_drate) and sizeof(double)
// bytes (tape_dv_dv0) and sizeof(int) bytes (tape_trips) and sizeof(int) bytes
// (tape_stride) per thread, in global memory; forever_adj_tape_bytes(grid, block, rate,
// n) says how many in all.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

// Adds what all threads of the block bring, as one atomicAdd. All of them call it, once.
static __device__ void block_add(double *where, double value)
{
    __shared__ double sums[32];
    for (int d = 16; d > 0; d /= 2) {
        double above = __shfl_down_sync(0xffffffffu, value, d);
        if (threadIdx.x + d < blockDim.x)  // the last warp may be short
            value += above;
    }
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int warp = 1; 32 * warp < blockDim.x; ++warp)
            value += sums[warp];
        if (value != 0.0)  // an element that no thread reads needn't exist
            atomicAdd(where, value);
    }
}

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t forever_adj_tape_bytes(dim3 grid, dim3 block, double rate, int n)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    bytes += (threads * 16 * sizeof(double) + 15) / 16 * 16;  // snapshot_v
    bytes += (threads * 16 * sizeof(int) + 15) / 16 * 16;  // snapshot_rounds
    bytes += (threads * 1 * sizeof(double) + 15) / 16 * 16;  // tape_dv_drate
    bytes += (threads * 1 * sizeof(double) + 15) / 16 * 16;  // tape_dv_dv0
    bytes += (threads * 1 * sizeof(int) + 15) / 16 * 16;  // tape_trips
    bytes += (threads * 1 * sizeof(int) + 15) / 16 * 16;  // tape_stride
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
    int *snapshot_rounds = (int *)(tape + at) + thread;
    at += (threads * 16 * sizeof(int) + 15) / 16 * 16;
    double *tape_dv_drate = (double *)(tape + at) + thread;
    at += (threads * sizeof(double) + 15) / 16 * 16;
    double *tape_dv_dv0 = (double *)(tape + at) + thread;
    at += (threads * sizeof(double) + 15) / 16 * 16;
    int *tape_trips = (int *)(tape + at) + thread;
    at += (threads * sizeof(int) + 15) / 16 * 16;
    int *tape_stride = (int *)(tape + at) + thread;
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
        double dv_drate = 0.0;
        double dv_dv0 = 1.0;
        while (true) {
            double slope = 1.0 - 0.01 * rate * v - v * (0.01 * rate);
            dv_drate = slope * dv_drate - 0.01 * v * v;
            dv_dv0 *= slope;
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
    double dv_drate = 0.0;
    double dv_dv0 = 1.0;
    do {
        k++;
        if (!(k % 2)) {
            double slope = 1.0 - 0.01 * sin(v);
            dv_drate = slope * dv_drate + 0.001 * k;
            dv_dv0 *= slope;
            v = v + 0.01 * cos(v) + 0.001 * rate * k;
            if (v > 2.5)
                break;
        }
    } while (k < 70);
    *tape_dv_drate = dv_drate;
    *tape_dv_dv0 = dv_dv0;
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
    int *snapshot_rounds = (int *)(tape + at) + thread;
    at += (threads * 16 * sizeof(int) + 15) / 16 * 16;
    double *tape_dv_drate = (double *)(tape + at) + thread;
    at += (threads * sizeof(double) + 15) / 16 * 16;
    double *tape_dv_dv0 = (double *)(tape + at) + thread;
    at += (threads * sizeof(double) + 15) / 16 * 16;
    int *tape_trips = (int *)(tape + at) + thread;
    at += (threads * sizeof(int) + 15) / 16 * 16;
    int *tape_stride = (int *)(tape + at) + thread;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double adj_rate_sum = 0.0;
    if (i < n) {
        // 35:  y[i] = v
        double adj_v = adj_y[i];

        // 34:  while (k < 70)
        // its tangents, carried along, are what it owes
        adj_rate_sum = *tape_dv_drate * adj_v;
        adj_v *= *tape_dv_dv0;
        int trips = *tape_trips;
        int stride = *tape_stride;
        for (int trip = trips - 1; trip >= 0; --trip) {
            double v = snapshot_v[trip / stride * threads];
            int rounds = snapshot_rounds[trip / stride * threads];
            for (int r = trip / stride * stride; r < trip; ++r) {
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
            int rounds_2 = rounds;
            double sine;
            double cosine;
            sincos(v, &sine, &cosine);
            double v_2 = v + 0.01 * rate * sine + 0.02;
            double dv_drate = 0.0;
            double dv_dv0 = 1.0;
            while (true) {
                double slope = 1.0 - 0.01 * rate * v_2 - v_2 * (0.01 * rate);
                dv_drate = slope * dv_drate - 0.01 * v_2 * v_2;
                dv_dv0 *= slope;
                v_2 = v_2 * (1.0 - 0.01 * rate * v_2);
                if (v_2 > 2.0)
                    break;
                ++rounds_2;
                if (rounds_2 % 3 == 0)
                    break;
            }

            // 14:  while (true)
            // its tangents, carried along, are what it owes
            adj_rate_sum += dv_drate * adj_v;
            adj_v *= dv_dv0;

            // 12:  v = v + 0.01 * rate * sin(v) + 0.02
            adj_rate_sum += 0.01 * sine * adj_v;
            adj_v += 0.01 * rate * cosine * adj_v;
        }

        // 9:  double v = x[i]
        adj_x[i] += adj_v;
    }
    block_add(adj_rate, adj_rate_sum);
}
