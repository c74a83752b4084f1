// not_less_adj: adjoint of not_less (not_less.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform not_less.cu --of y --wrt x
//
// Call with x and limit as they were before not_less. Seed adj_y with dJ/dy: it is left
// alone, because not_less stores each element of y at most once. dJ/dx is added to
// adj_x. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   x[..]              reloaded               nothing stores to it
//   bound              reloaded               still in its variable
//   v (line 10)        tape_v[4], registers   line 13 or 16 changes it in each
//                                             iteration
//   trips of line 10   trips, a register      the loop decides in its iterations when
//                                             it ends
//   v (line 13)        recomputed             from values at hand, in the reversed
//                                             iteration
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps, a condition on
// floating values may be decided twice, and a near-tie either way.

extern "C" __global__ void not_less_adj(const double *x, double *adj_x, const double *limit,
                                        double *y, const double *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    double v = x[i] * x[i];
    double bound = i % 4 == 0 ? nan("") : limit[i];
    int trips = 0;
    int left_by = 0;
    double tape_v[4];
    for (int k = 0; k < 4; ++k) {
        tape_v[k] = v;
        ++trips;
        if (!(v < bound)) {
            v = v * 0.5;
            if (!(v >= bound)) {
                left_by = 1;
                break;
            }
            v = sin(v);
        }
    }

    // ---- reverse sweep ------------------------------------------------------

    // 18:  y[i] = v
    double adj_v = adj_y[i];
    for (int k = trips - 1; k >= 0; --k) {
        double v = tape_v[k];
        if (!(v < bound)) {
            double v_2 = v;
            v_2 = v_2 * 0.5;
            if (!(k == trips - 1 && left_by == 1)) {
                // 16:  v = sin(v)
                adj_v *= cos(v_2);
            }

            // 13:  v = v * 0.5
            adj_v *= 0.5;
        }
    }

    // 8:  double v = x[i] * x[i]
    adj_x[i] += 2.0 * x[i] * adj_v;
}
