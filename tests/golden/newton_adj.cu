// newton_adj: adjoint of newton (newton.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform newton.cu --of root --wrt a,b
//
// Call with a and b as they were before newton. Seed adj_root with dJ/droot: it is left
// alone, because newton stores each element of root at most once. dJ/da is added to
// adj_a; dJ/db is added to adj_b. root is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   r (line 7)        tape_r, a register             line 10 overwrites it
//   a[..]             reloaded                       nothing stores to it
//   r (line 9)        snapshot_r[16], local memory   line 10 changes it in each
//                                                    iteration, and nothing bounds
//                                                    their number
//   f                 snapshot_f[16], local memory   line 11 changes it in each
//                                                    iteration, and nothing bounds
//                                                    their number
//   trips of line 9   trips, a register              the loop decides in its iterations
//                                                    when it ends
//   r (line 10)       recomputed                     from values at hand, in the
//                                                    reversed iteration
//
// How adjoints are added up:
//   adj_b[..]   +=, one owner   one thread per element
//   adj_a[..]   +=, one owner   one thread per element
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void newton_adj(const double *a, double *adj_a,
                                      const double *b, double *adj_b,
                                      double *root, const double *adj_root, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        // ---- forward sweep ------------------------------------------------------

        double r = b[i];
        double tape_r = r;
        double f = r * r * r + a[i] * r - b[i];
        int trips = 0;
        double snapshot_r[16];
        double snapshot_f[16];
        int stride = 1;
        while (fabs(f) > 1e-12) {
            if (trips % stride == 0) {
                if (trips == 16 * stride) {
                    for (int j = 1; j < 8; ++j) {
                        snapshot_r[j] = snapshot_r[2 * j];
                        snapshot_f[j] = snapshot_f[2 * j];
                    }
                    stride *= 2;
                }
                snapshot_r[trips / stride] = r;
                snapshot_f[trips / stride] = f;
            }
            r = r - f / (3.0 * r * r + a[i]);
            f = r * r * r + a[i] * r - b[i];
            ++trips;
        }

        // ---- reverse sweep ------------------------------------------------------

        // 13:  root[i] = r
        double adj_r = adj_root[i];
        double adj_f = 0.0;
        double adj_a_sum = 0.0;
        double adj_b_sum = 0.0;
        for (int trip = trips - 1; trip >= 0; --trip) {
            double r = snapshot_r[trip / stride];
            double f = snapshot_f[trip / stride];
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
        adj_r += (3.0 * tape_r * tape_r + a[i]) * adj_f;
        adj_a[i] += tape_r * adj_f;
        adj_b[i] -= adj_f;

        // 7:  double r = b[i]
        adj_b[i] += adj_r;
    }
}
