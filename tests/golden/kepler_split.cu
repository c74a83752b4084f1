// kepler_adj: adjoint of kepler (kepler.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform kepler.cu --of E --wrt M,e --mode split
//
// First launch kepler_fwd, with the same grid, block and tape: it does what kepler
// does, and records. Call with M and e as they were before kepler. Seed adj_E with
// dJ/dE: it is left alone, because kepler stores each element of E at most once. dJ/dM
// is added to adj_M; dJ/de is added to adj_e. E is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   i                  recomputed                      from values at hand
//   x                  snapshot_x[16], global memory   line 12 changes it in each
//                                                      iteration, and nothing bounds
//                                                      their number
//   trips of line 13   trips, global memory            the loop decides in its
//                                                      iterations when it ends
//   step               recomputed                      from values at hand, in the
//                                                      reversed iteration
//   e[..]              reloaded                        nothing stores to it
//
// How adjoints are added up:
//   adj_M[..]   +=, one owner   one thread per element
//   adj_e[..]   +=, one owner   one thread per element
//
// Extra memory: a tape of 16 * sizeof(double) bytes (snapshot_x) and sizeof(int) bytes
// (tape_trips) and sizeof(int) bytes (tape_stride) per thread, in global memory;
// kepler_adj_tape_bytes(grid, block, n) says how many in all.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t kepler_adj_tape_bytes(dim3 grid, dim3 block, int n)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    bytes += (threads * 16 * sizeof(double) + 15) / 16 * 16;  // snapshot_x
    bytes += (threads * 1 * sizeof(int) + 15) / 16 * 16;  // tape_trips
    bytes += (threads * 1 * sizeof(int) + 15) / 16 * 16;  // tape_stride
    return bytes;
}
#endif

extern "C" __global__ void kepler_fwd(const double *M, const double *e, double *E, int n,
                                      char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t at = 16;
    double *snapshot_x = (double *)(tape + at) + thread;
    at += (threads * 16 * sizeof(double) + 15) / 16 * 16;
    int *tape_trips = (int *)(tape + at) + thread;
    at += (threads * sizeof(int) + 15) / 16 * 16;
    int *tape_stride = (int *)(tape + at) + thread;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double x = M[i];
    double step;
    int trips = 0;
    int stride = 1;
    do {
        if (trips % stride == 0) {
            if (trips == 16 * stride) {
                for (int j = 1; j < 8; ++j)
                    snapshot_x[j * threads] = snapshot_x[2 * j * threads];
                stride *= 2;
            }
            snapshot_x[trips / stride * threads] = x;
        }
        step = (x - e[i] * sin(x) - M[i]) / (1.0 - e[i] * cos(x));
        x -= step;
        ++trips;
    } while (fabs(step) > 1e-9);
    *tape_trips = trips;
    *tape_stride = stride;
    E[i] = x;
}

extern "C" __global__ void kepler_adj(const double *M, double *adj_M,
                                      const double *e, double *adj_e,
                                      double *E, const double *adj_E, int n, char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t at = 16;
    double *snapshot_x = (double *)(tape + at) + thread;
    at += (threads * 16 * sizeof(double) + 15) / 16 * 16;
    int *tape_trips = (int *)(tape + at) + thread;
    at += (threads * sizeof(int) + 15) / 16 * 16;
    int *tape_stride = (int *)(tape + at) + thread;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // 14:  E[i] = x
    double adj_x = adj_E[i];
    double adj_step = 0.0;
    int trips = *tape_trips;
    int stride = *tape_stride;
    double adj_e_sum = 0.0;
    double adj_M_sum = 0.0;
    for (int trip = trips - 1; trip >= 0; --trip) {
        double x = snapshot_x[trip / stride * threads];
        for (int r = trip / stride * stride; r < trip; ++r)
            x -= (x - e[i] * sin(x) - M[i]) / (1.0 - e[i] * cos(x));

        // 12:  x -= step
        adj_step -= adj_x;

        // 11:  step = (x - e[i] * sin(x) - M[i]) / (1.0 - e[i] * cos(x))
        double sine;
        double cosine;
        sincos(x, &sine, &cosine);
        double g = adj_step / (1.0 - e[i] * cosine);
        adj_x += g - e[i] * cosine * g;
        adj_e_sum -= sine * g;
        adj_M_sum -= g;
        double g_2 = (x - e[i] * sine - M[i]) / (1.0 - e[i] * cosine) * g;
        adj_e_sum += cosine * g_2;
        adj_x -= e[i] * sine * g_2;
        adj_step = 0.0;
    }
    // what the iterations owe, added once
    if (adj_e_sum != 0.0)
        adj_e[i] += adj_e_sum;
    if (adj_M_sum != 0.0)
        adj_M[i] += adj_M_sum;

    // 8:  double x = M[i]
    adj_M[i] += adj_x;
}
