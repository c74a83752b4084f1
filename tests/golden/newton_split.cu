// newton_adj: adjoint of newton (newton.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform newton.cu --of root --wrt a,b --mode split
//
// First launch newton_fwd, with the same grid, block and tape: it does what newton
// does, and records. Call with a and b as they were before newton. Seed adj_root with
// dJ/droot: it is left alone, because newton stores each element of root at most once.
// dJ/da is added to adj_a; dJ/db is added to adj_b. root is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   i, r (line 7)     recomputed                      from values at hand
//   a[..]             reloaded                        nothing stores to it
//   r (line 9)        snapshot_r[16], global memory   line 10 changes it in each
//                                                     iteration, and nothing bounds
//                                                     their number
//   f                 snapshot_f[16], global memory   line 11 changes it in each
//                                                     iteration, and nothing bounds
//                                                     their number
//   trips of line 9   trips, global memory            the loop decides in its
//                                                     iterations when it ends
//   r (line 10)       recomputed                      from values at hand, in the
//                                                     reversed iteration
//
// How adjoints are added up:
//   adj_b[..]   +=, one owner   one thread per element
//   adj_a[..]   +=, one owner   one thread per element
//
// Extra memory: a tape of 16 * sizeof(double) bytes (snapshot_r) and 16 *
// sizeof(double) bytes (snapshot_f) and sizeof(int) bytes (tape_trips) and sizeof(int)
// bytes (tape_stride) per thread, in global memory; newton_adj_tape_bytes(grid, block,
// n) says how many in all.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t newton_adj_tape_bytes(dim3 grid, dim3 block, int n)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    bytes += (threads * 16 * sizeof(double) + 15) / 16 * 16;  // snapshot_r
    bytes += (threads * 16 * sizeof(double) + 15) / 16 * 16;  // snapshot_f
    bytes += (threads * 1 * sizeof(int) + 15) / 16 * 16;  // tape_trips
    bytes += (threads * 1 * sizeof(int) + 15) / 16 * 16;  // tape_stride
    return bytes;
}
#endif

extern "C" __global__ void newton_fwd(const double *a, const double *b, double *root, int n,
                                      char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t at = 16;
    double *snapshot_r = (double *)(tape + at) + thread;
    at += (threads * 16 * sizeof(double) + 15) / 16 * 16;
    double *snapshot_f = (double *)(tape + at) + thread;
    at += (threads * 16 * sizeof(double) + 15) / 16 * 16;
    int *tape_trips = (int *)(tape + at) + thread;
    at += (threads * sizeof(int) + 15) / 16 * 16;
    int *tape_stride = (int *)(tape + at) + thread;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        double r = b[i];
        double f = r * r * r + a[i] * r - b[i];
        int trips = 0;
        int stride = 1;
        while (fabs(f) > 1e-12) {
            if (trips % stride == 0) {
                if (trips == 16 * stride) {
                    for (int j = 1; j < 8; ++j) {
                        snapshot_r[j * threads] = snapshot_r[2 * j * threads];
                        snapshot_f[j * threads] = snapshot_f[2 * j * threads];
                    }
                    stride *= 2;
                }
                snapshot_r[trips / stride * threads] = r;
                snapshot_f[trips / stride * threads] = f;
            }
            r = r - f / (3.0 * r * r + a[i]);
            f = r * r * r + a[i] * r - b[i];
            ++trips;
        }
        *tape_trips = trips;
        *tape_stride = stride;
        root[i] = r;
    }
}

extern "C" __global__ void newton_adj(const double *a, double *adj_a,
                                      const double *b, double *adj_b,
                                      double *root, const double *adj_root, int n, char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t at = 16;
    double *snapshot_r = (double *)(tape + at) + thread;
    at += (threads * 16 * sizeof(double) + 15) / 16 * 16;
    double *snapshot_f = (double *)(tape + at) + thread;
    at += (threads * 16 * sizeof(double) + 15) / 16 * 16;
    int *tape_trips = (int *)(tape + at) + thread;
    at += (threads * sizeof(int) + 15) / 16 * 16;
    int *tape_stride = (int *)(tape + at) + thread;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        double r = b[i];

        // 13:  root[i] = r
        double adj_r = adj_root[i];
        double adj_f = 0.0;
        int trips = *tape_trips;
        int stride = *tape_stride;
        double adj_a_sum = 0.0;
        double adj_b_sum = 0.0;
        for (int trip = trips - 1; trip >= 0; --trip) {
            double r = snapshot_r[trip / stride * threads];
            double f = snapshot_f[trip / stride * threads];
            for (int r_2 = trip / stride * stride; r_2 < trip; ++r_2) {
                r = r - f / (3.0 * r * r + a[i]);
                f = r * r * r + a[i] * r - b[i];
            }
            double r_2 = r - f / (3.0 * r * r + a[i]);

            // 11:  f = r * r * r + a[i] * r - b[i]
            adj_r += (3.0 * r_2 * r_2 + a[i]) * adj_f;
            adj_a_sum += r_2 * adj_f;
            adj_b_sum -= adj_f;

            // 10:  r = r - f / (3.0 * r * r + a[i])
            double g = -(adj_r / (3.0 * r * r + a[i]));
            adj_f = g;
            double g_2 = -(f / (3.0 * r * r + a[i]) * g);
            adj_a_sum += g_2;
            adj_r += 6.0 * r * g_2;
        }
        // what the iterations owe, added once
        if (adj_a_sum != 0.0)
            adj_a[i] += adj_a_sum;
        if (adj_b_sum != 0.0)
            adj_b[i] += adj_b_sum;

        // 8:  double f = r * r * r + a[i] * r - b[i]
        adj_r += (3.0 * r * r + a[i]) * adj_f;
        adj_a[i] += r * adj_f;
        adj_b[i] -= adj_f;

        // 7:  double r = b[i]
        adj_b[i] += adj_r;
    }
}
