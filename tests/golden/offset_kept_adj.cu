// offset_kept_adj: adjoint of offset_kept (offset_kept.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform offset_kept.cu --of y --wrt x
//
// Call with x as it was before offset_kept. Seed adj_y with dJ/dy: it is left alone,
// because offset_kept stores each element of y at most once. dJ/dx is added to adj_x. y
// is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   j (line 10)          inverted            each iteration adds 2
//   trips of line 10     trips, a register   the loop decides in its iterations when it
//                                            ends
//   row_at, corner_at,   recomputed          from values at hand, in the reversed
//                                            iteration
//   j (line 13)
//   x[..]                reloaded            nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]   atomicAdd   every thread reads the same corner[-1]
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void offset_kept_adj(const double *x, double *adj_x,
                                           double *y, const double *adj_y, int n,
                                           unsigned int stride)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    int j = 0;
    int trips = 0;
    while (j < n) {
        j += 2;
        ++trips;
    }

    // ---- reverse sweep ------------------------------------------------------

    // 17:  *out = s
    double adj_s = adj_y[i];
    for (int trip = trips - 1; trip >= 0; --trip) {
        int j = 2 * trip;
        const int row_at = j * n;
        const long corner_at = (long)row_at + stride;
        j += 2;

        // 14:  s += row[i] * corner[-1] * row[j % n]
        double g = x[row_at + j % n] * adj_s;
        atomicAdd(&adj_x[row_at + i], x[corner_at - 1] * g);
        atomicAdd(&adj_x[corner_at - 1], x[row_at + i] * g);
        atomicAdd(&adj_x[row_at + j % n], x[row_at + i] * x[corner_at - 1] * adj_s);
    }
}
