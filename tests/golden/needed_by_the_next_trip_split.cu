// needed_by_the_next_trip_adj: adjoint of needed_by_the_next_trip (needed_by_the_next_trip.cu:4).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform needed_by_the_next_trip.cu --of y --wrt x --mode split
//
// First launch needed_by_the_next_trip_fwd, with the same grid, block and tape: it does
// what needed_by_the_next_trip does, and records. adj_y comes in as dJ/dy after
// needed_by_the_next_trip and goes out as dJ/dy before it, element by element. dJ/dx is
// added to adj_x. x and y are neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   i                          recomputed                 from values at hand
//   v (line 10)                tape_v[6], global memory   line 13 changes it in each
//                                                         iteration
//   u                          tape_u[6], global memory   line 14 changes it in each
//                                                         iteration
//   w (line 10)                tape_w[6], global memory   line 11 changes it in each
//                                                         iteration
//   w (line 11), v (line 13)   recomputed                 from values at hand, in the
//                                                         reversed iteration
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//
// Extra memory: a tape of 6 * sizeof(double) bytes (tape_v) and 6 * sizeof(double)
// bytes (tape_u) and 6 * sizeof(double) bytes (tape_w) per thread, in global memory;
// needed_by_the_next_trip_adj_tape_bytes(grid, block, n) says how many in all.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t needed_by_the_next_trip_adj_tape_bytes(dim3 grid, dim3 block, int n)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    bytes += (threads * 6 * sizeof(double) + 15) / 16 * 16;  // tape_v
    bytes += (threads * 6 * sizeof(double) + 15) / 16 * 16;  // tape_u
    bytes += (threads * 6 * sizeof(double) + 15) / 16 * 16;  // tape_w
    return bytes;
}
#endif

extern "C" __global__ void needed_by_the_next_trip_fwd(const double *x, double *y, int n,
                                                       char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t at = 16;
    double *tape_v = (double *)(tape + at) + thread;
    at += (threads * 6 * sizeof(double) + 15) / 16 * 16;
    double *tape_u = (double *)(tape + at) + thread;
    at += (threads * 6 * sizeof(double) + 15) / 16 * 16;
    double *tape_w = (double *)(tape + at) + thread;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double u = x[i];
    double v = 1.0;
    double w = 0.5;
    for (int k = 0; k < 6; ++k) {
        tape_w[k * threads] = w;
        tape_v[k * threads] = v;
        tape_u[k * threads] = u;
        w = w + u;
        y[i] += v * sin(w);
        v = u * w;
        u = cos(v) * 0.5;
    }
    y[i] += u;
}

extern "C" __global__ void needed_by_the_next_trip_adj(const double *x, double *adj_x,
                                                       double *y, double *adj_y, int n, char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t at = 16;
    double *tape_v = (double *)(tape + at) + thread;
    at += (threads * 6 * sizeof(double) + 15) / 16 * 16;
    double *tape_u = (double *)(tape + at) + thread;
    at += (threads * 6 * sizeof(double) + 15) / 16 * 16;
    double *tape_w = (double *)(tape + at) + thread;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // 16:  y[i] += u
    double adj_u = adj_y[i];
    double adj_w = 0.0;
    double adj_v = 0.0;
    for (int k = 5; k >= 0; --k) {
        double w = tape_w[k * threads];
        double v = tape_v[k * threads];
        double u = tape_u[k * threads];
        double v_2;
        w = w + u;
        v_2 = u * w;

        // 14:  u = cos(v) * 0.5
        adj_v -= 0.5 * sin(v_2) * adj_u;

        // 13:  v = u * w
        adj_u = w * adj_v;
        adj_w += u * adj_v;

        // 12:  y[i] += v * sin(w)
        double g = adj_y[i];
        double sine;
        double cosine;
        sincos(w, &sine, &cosine);
        adj_v = sine * g;
        adj_w += v * cosine * g;

        // 11:  w = w + u
        adj_u += adj_w;
    }

    // 9:  double u = x[i]
    adj_x[i] += adj_u;
}
