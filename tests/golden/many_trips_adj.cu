// many_trips_adj: adjoint of many_trips (many_trips.cu:4).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform many_trips.cu --of y,steps --wrt x,c
//
// Call with x and c as they were before many_trips. Seed adj_y with dJ/dy: it is left
// alone, because many_trips stores each element of y at most once. Seed adj_steps with
// dJ/dsteps: it is left alone, because many_trips stores each element of steps at most
// once. dJ/dx is added to adj_x; dJ/dc is added to adj_c. y and steps are neither read
// nor written.
//
// What the reverse sweep needs, and where it finds it:
//   v (line 11)                snapshot_v[16], local memory    line 12 changes it in
//                                                              each iteration, and
//                                                              nothing bounds their
//                                                              number
//   at                         snapshot_at[16], local memory   line 17 changes it in
//                                                              each iteration, and
//                                                              nothing bounds their
//                                                              number
//   w (line 11)                snapshot_w[16], local memory    line 14 or 16 changes it
//                                                              in each iteration, and
//                                                              nothing bounds their
//                                                              number
//   count                      inverted                        each iteration adds 1
//   trips of line 11           trips, a register               the loop decides in its
//                                                              iterations when it ends
//   w (line 11), v (line 11)   reloaded                        still in its variable
//   v (line 12)                recomputed                      from values at hand, in
//                                                              the reversed iteration
//   c[..]                      reloaded                        nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//   adj_c[..]   atomicAdd       not proved that two threads never meet in c[at]
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps, a condition on
// floating values may be decided twice, and a near-tie either way.

extern "C" __global__ void many_trips_adj(const double *x, double *adj_x,
                                          const double *c, double *adj_c,
                                          double *y, const double *adj_y,
                                          double *steps, const double *adj_steps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    double v = x[i];
    double w = 0.5;
    int at = i % 3;
    int count = 0;
    int trips = 0;
    double snapshot_v[16];
    double snapshot_w[16];
    int snapshot_at[16];
    int stride = 1;
    while (v > 0.1) {
        if (trips % stride == 0) {
            if (trips == 16 * stride) {
                for (int j = 1; j < 8; ++j) {
                    snapshot_v[j] = snapshot_v[2 * j];
                    snapshot_w[j] = snapshot_w[2 * j];
                    snapshot_at[j] = snapshot_at[2 * j];
                }
                stride *= 2;
            }
            snapshot_v[trips / stride] = v;
            snapshot_w[trips / stride] = w;
            snapshot_at[trips / stride] = at;
        }
        v = v * (1.0 - 0.02 * c[at]) - 0.0005 * w;
        if (v < w)
            w = w * (0.97 + 0.01 * v);
        else
            w += 0.01 * v * v;
        at = (at + 1 + count % 2) % 3;
        ++count;
        ++trips;
    }

    // ---- reverse sweep ------------------------------------------------------

    // 21:  steps[i] = count * x[i]
    adj_x[i] += count * adj_steps[i];

    // 20:  y[i] = v * w
    double g = adj_y[i];
    double adj_v = w * g;
    double adj_w = v * g;
    for (int trip = trips - 1; trip >= 0; --trip) {
        double v = snapshot_v[trip / stride];
        double w = snapshot_w[trip / stride];
        int at = snapshot_at[trip / stride];
        for (int r = trip / stride * stride; r < trip; ++r) {
            v = v * (1.0 - 0.02 * c[at]) - 0.0005 * w;
            if (v < w)
                w = w * (0.97 + 0.01 * v);
            else
                w += 0.01 * v * v;
            at = (at + 1 + r % 2) % 3;
        }
        double v_2 = v * (1.0 - 0.02 * c[at]) - 0.0005 * w;
        if (v_2 < w) {
            // 14:  w = w * (0.97 + 0.01 * v)
            adj_v += 0.01 * w * adj_w;
            adj_w *= 0.97 + 0.01 * v_2;
        } else {
            // 16:  w += 0.01 * v * v
            adj_v += 0.02 * v_2 * adj_w;
        }

        // 12:  v = v * (1.0 - 0.02 * c[at]) - 0.0005 * w
        atomicAdd(&adj_c[at], -0.02 * v * adj_v);
        adj_w -= 0.0005 * adj_v;
        adj_v *= 1.0 - 0.02 * c[at];
    }

    // 9:  double v = x[i]
    adj_x[i] += adj_v;
}
