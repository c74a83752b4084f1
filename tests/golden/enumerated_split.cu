// enumerated_adj: adjoint of enumerated (enumerated.cu:5).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform enumerated.cu --of y --wrt x --mode split
//
// First launch enumerated_fwd, with the same grid, block and tape: it does what
// enumerated does, and records. Call with program as it was before enumerated. Seed
// adj_y with dJ/dy: it is left alone, because enumerated stores each element of y at
// most once. dJ/dx is added to adj_x. x and y are neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   i, k (line 12)      recomputed                      from values at hand
//   v (line 12)         tape_v[length], global memory   line 17 or 20 or 26 changes it
//                                                       in each iteration
//   k (line 12)         inverted                        each iteration adds 1
//   trips of line 12    trips, global memory            the loop decides in its
//                                                       iterations when it ends
//   left, v (line 13)   recomputed                      from values at hand, in the
//                                                       reversed iteration
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//
// Extra memory: a tape of length * sizeof(double) bytes (tape_v) and sizeof(int) bytes
// (tape_trips) per thread, in global memory; enumerated_adj_tape_bytes(grid, block, n,
// length) says how many in all.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

enum Step { SKIP, DOUBLE_IT, SQUARE_IT = 4, STOP };

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t enumerated_adj_tape_bytes(dim3 grid, dim3 block, int n, int length)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    bytes += (threads * (length > 0 ? length : 0) * sizeof(double) + 15) / 16 * 16;  // tape_v
    bytes += (threads * 1 * sizeof(int) + 15) / 16 * 16;  // tape_trips
    return bytes;
}
#endif

extern "C" __global__ void enumerated_fwd(const double *x, const int *program, double *y, int n,
                                          int length, char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t at = 16;
    double *tape_v = (double *)(tape + at) + thread;
    at += (threads * (length > 0 ? length : 0) * sizeof(double) + 15) / 16 * 16;
    int *tape_trips = (int *)(tape + at) + thread;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i];
    bool running = true;
    int trips = 0;
    for (int k = 0; k < length && running; ++k) {
        tape_v[trips * threads] = v;
        bool left = false;
        switch (program[(i + k) % n]) {
        case SKIP:
            left = true;
            break;
        case DOUBLE_IT:
            v *= 1.5;
            break;
        case SQUARE_IT:
            v = 0.5 * v * v;
            break;
        case STOP:
            running = false;
            break;
        }
        if (!left)
            v = sin(v);
        ++trips;
    }
    *tape_trips = trips;
    y[i] = v;
}

extern "C" __global__ void enumerated_adj(const double *x, double *adj_x, const int *program,
                                          double *y, const double *adj_y, int n, int length,
                                          char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t at = 16;
    double *tape_v = (double *)(tape + at) + thread;
    at += (threads * (length > 0 ? length : 0) * sizeof(double) + 15) / 16 * 16;
    int *tape_trips = (int *)(tape + at) + thread;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // 28:  y[i] = v
    double adj_v = adj_y[i];
    int trips = *tape_trips;
    for (int trip = trips - 1; trip >= 0; --trip) {
        double v = tape_v[trip * threads];
        double v_2 = v;
        bool left = false;
        switch (program[(i + trip) % n]) {
        case SKIP:
            left = true;
            break;
        case DOUBLE_IT:
            v_2 *= 1.5;
            break;
        case SQUARE_IT:
            v_2 = 0.5 * v_2 * v_2;
            break;
        }
        if (!left) {
            // 26:  v = sin(v)
            adj_v *= cos(v_2);
        }
        switch (program[(i + trip) % n]) {
        case DOUBLE_IT:
            // 17:  v *= 1.5
            adj_v *= 1.5;
            break;
        case SQUARE_IT:
            // 20:  v = 0.5 * v * v
            adj_v *= v;
            break;
        }
    }

    // 10:  double v = x[i]
    adj_x[i] += adj_v;
}
