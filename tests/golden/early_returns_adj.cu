// early_returns_adj: adjoint of early_returns (early_returns.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform early_returns.cu --of y --wrt x,y
//
// Call with x and y as they were before early_returns. adj_y comes in as dJ/dy after
// early_returns and goes out as dJ/dy before it, element by element. dJ/dx is added to
// adj_x. y is only read.
//
// What the reverse sweep needs, and where it finds it:
//   v (line 8), v (line 15)   reloaded               still in its variable
//   y[..]                     reloaded               no later store goes to it
//   v (line 15)               tape_v[5], registers   line 16 changes it in each
//                                                    iteration
//   trips of line 15          trips, a register      the loop decides in its iterations
//                                                    when it ends
//   v (line 16)               recomputed             from values at hand, in the
//                                                    reversed iteration
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps, a condition on
// floating values may be decided twice, and a near-tie either way.

extern "C" __global__ void early_returns_adj(const double *x, double *adj_x,
                                             double *y, double *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i];
    double adj_v = 0.0;
    if (v > 1.5)
        return;
    if (v < -1.0) {
        // 12:  y[i] = v * v * y[i]
        adj_v = 2.0 * v * y[i] * adj_y[i];
        adj_y[i] *= v * v;
    } else {
        double v_2 = v;
        bool returned = false;
        int trips = 0;
        int left_by = 0;
        double tape_v[5];
        for (int k = 0; k < 5; ++k) {
            tape_v[k] = v_2;
            ++trips;
            v_2 = v_2 + 0.3 * v_2 * v_2;
            if (v_2 > 2.0) {
                returned = true;
                left_by = 1;
                break;
            }
            if (v_2 < -0.2) {
                returned = true;
                left_by = 2;
                break;
            }
        }
        if (!returned) {
            // 24:  y[i] = exp(-v)
            adj_v = -(exp(-v_2) * adj_y[i]);
            adj_y[i] = 0.0;
        }
        for (int k = trips - 1; k >= 0; --k) {
            double v = tape_v[k];
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
