// early_returns_adj: adjoint of early_returns (early_returns.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform early_returns.cu --of y --wrt x,y --mode split
//
// First launch early_returns_fwd, with the same grid, block and tape: it does what
// early_returns does, and records. Call with x as it was before early_returns. adj_y
// comes in as dJ/dy after early_returns and goes out as dJ/dy before it, element by
// element. dJ/dx is added to adj_x. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   i, v (line 8)      recomputed                     from values at hand
//   y[i]               tape_y[1], global memory       line 12 overwrites it
//   v (line 15)        tape_v[5], global memory       line 16 changes it in each
//                                                     iteration
//   returned           tape_returned, global memory   a loop computed it, and only the
//                                                     forward kernel runs that
//   v (line 15)        tape_v_2, global memory        a loop computed it, and only the
//                                                     forward kernel runs that
//   trips of line 15   trips, global memory           the loop decides in its
//                                                     iterations when it ends
//   v (line 16)        recomputed                     from values at hand, in the
//                                                     reversed iteration
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//
// Extra memory: a tape of 5 * sizeof(double) bytes (tape_v) and sizeof(double) bytes
// (tape_y) and sizeof(bool) bytes (tape_returned) and sizeof(double) bytes (tape_v_2)
// and sizeof(int) bytes (tape_trips) and sizeof(int) bytes (tape_exit) per thread, in
// global memory; early_returns_adj_tape_bytes(grid, block, n) says how many in all.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t early_returns_adj_tape_bytes(dim3 grid, dim3 block, int n)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    bytes += (threads * 5 * sizeof(double) + 15) / 16 * 16;  // tape_v
    bytes += (threads * 1 * sizeof(double) + 15) / 16 * 16;  // tape_y
    bytes += (threads * 1 * sizeof(bool) + 15) / 16 * 16;  // tape_returned
    bytes += (threads * 1 * sizeof(double) + 15) / 16 * 16;  // tape_v_2
    bytes += (threads * 1 * sizeof(int) + 15) / 16 * 16;  // tape_trips
    bytes += (threads * 1 * sizeof(int) + 15) / 16 * 16;  // tape_exit
    return bytes;
}
#endif

extern "C" __global__ void early_returns_fwd(const double *x, double *y, int n, char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t at = 16;
    double *tape_v = (double *)(tape + at) + thread;
    at += (threads * 5 * sizeof(double) + 15) / 16 * 16;
    double *tape_y = (double *)(tape + at) + thread;
    at += (threads * sizeof(double) + 15) / 16 * 16;
    bool *tape_returned = (bool *)(tape + at) + thread;
    at += (threads * sizeof(bool) + 15) / 16 * 16;
    double *tape_v_2 = (double *)(tape + at) + thread;
    at += (threads * sizeof(double) + 15) / 16 * 16;
    int *tape_trips = (int *)(tape + at) + thread;
    at += (threads * sizeof(int) + 15) / 16 * 16;
    int *tape_exit = (int *)(tape + at) + thread;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i];
    if (v > 1.5)
        return;
    if (v < -1.0) {
        *tape_y = y[i];
        y[i] = v * v * y[i];
        return;
    }
    bool returned = false;
    int trips = 0;
    int left_by = 0;
    for (int k = 0; k < 5; ++k) {
        tape_v[k * threads] = v;
        ++trips;
        v = v + 0.3 * v * v;
        if (v > 2.0) {
            returned = true;
            left_by = 1;
            break;
        }
        if (v < -0.2) {
            y[i] = sin(v);
            returned = true;
            left_by = 2;
            break;
        }
    }
    *tape_v_2 = v;
    *tape_returned = returned;
    *tape_trips = trips;
    *tape_exit = left_by;
    if (returned)
        return;
    y[i] = exp(-v);
}

extern "C" __global__ void early_returns_adj(const double *x, double *adj_x,
                                             double *y, double *adj_y, int n, char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t at = 16;
    double *tape_v = (double *)(tape + at) + thread;
    at += (threads * 5 * sizeof(double) + 15) / 16 * 16;
    double *tape_y = (double *)(tape + at) + thread;
    at += (threads * sizeof(double) + 15) / 16 * 16;
    bool *tape_returned = (bool *)(tape + at) + thread;
    at += (threads * sizeof(bool) + 15) / 16 * 16;
    double *tape_v_2 = (double *)(tape + at) + thread;
    at += (threads * sizeof(double) + 15) / 16 * 16;
    int *tape_trips = (int *)(tape + at) + thread;
    at += (threads * sizeof(int) + 15) / 16 * 16;
    int *tape_exit = (int *)(tape + at) + thread;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i];
    double adj_v = 0.0;
    if (v > 1.5)
        return;
    if (v < -1.0) {
        // 12:  y[i] = v * v * y[i]
        adj_v = 2.0 * v * *tape_y * adj_y[i];
        adj_y[i] *= v * v;
    } else {
        if (!*tape_returned) {
            // 24:  y[i] = exp(-v)
            adj_v = -(exp(-*tape_v_2) * adj_y[i]);
            adj_y[i] = 0.0;
        }
        int trips = *tape_trips;
        int left_by = *tape_exit;
        for (int k = trips - 1; k >= 0; --k) {
            double v = tape_v[k * threads];
            if (!(k == trips - 1 && left_by == 1))
                if (k == trips - 1 && left_by == 2) {
                    // 20:  y[i] = sin(v)
                    adj_v += cos(v + 0.3 * v * v) * adj_y[i];
                    adj_y[i] = 0.0;
                }

            // 16:  v = v + 0.3 * v * v
            adj_v += 0.6 * v * adj_v;
        }
    }

    // 8:  double v = x[i]
    adj_x[i] += adj_v;
}
