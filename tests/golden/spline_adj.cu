// spline_adj: adjoint of spline (spline.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform spline.cu --of y --wrt knots,values,slopes,x
//
// Call with knots, values, slopes and x as they were before spline. Seed adj_y with
// dJ/dy: it is left alone, because spline stores each element of y at most once.
// dJ/dknots is added to adj_knots; dJ/dvalues is added to adj_values; dJ/dslopes is
// added to adj_slopes; dJ/dx is added to adj_x. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   h, t, a, b, c, d         reloaded   still in its variable
//   values[..], slopes[..]   reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_knots[..]    atomicAdd       not proved that two threads never meet in
//                                    knots[high] and knots[low]
//   adj_x[..]        +=, one owner   one thread per element
//   adj_values[..]   atomicAdd       not proved that two threads never meet in
//                                    values[low] and values[high]
//   adj_slopes[..]   atomicAdd       not proved that two threads never meet in
//                                    slopes[low] and slopes[high]
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void spline_adj(const double *knots, double *adj_knots,
                                      const double *values, double *adj_values,
                                      const double *slopes, double *adj_slopes,
                                      const double *x, double *adj_x,
                                      double *y, const double *adj_y, int count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    int low = 0;
    int high = count - 1;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (knots[middle] <= x[i])
            low = middle;
        else
            high = middle;
    }
    double h = knots[high] - knots[low];
    double t = (x[i] - knots[low]) / h;
    double a = (1.0 + 2.0 * t) * (1.0 - t) * (1.0 - t);
    double b = t * (1.0 - t) * (1.0 - t);
    double c = t * t * (3.0 - 2.0 * t);
    double d = t * t * (t - 1.0);

    // ---- reverse sweep ------------------------------------------------------

    // 23:  y[i] = a * values[low] + b * h * slopes[low] + c * values[high] + d * h * slopes[high]
    double g = adj_y[i];
    atomicAdd(&adj_values[low], a * g);
    double g_2 = slopes[low] * g;
    double adj_h = b * g_2;
    atomicAdd(&adj_slopes[low], b * h * g);
    atomicAdd(&adj_values[high], c * g);
    double g_3 = slopes[high] * g;
    adj_h += d * g_3;
    atomicAdd(&adj_slopes[high], d * h * g);

    // 22:  double d = t * t * (t - 1.0)
    double adj_t = (2.0 * (t - 1.0) + t) * t * h * g_3;
    // 21:  double c = t * t * (3.0 - 2.0 * t)
    adj_t += (2.0 * (3.0 - 2.0 * t) - 2.0 * t) * t * values[high] * g;
    // 20:  double b = t * (1.0 - t) * (1.0 - t)
    adj_t += (1.0 - t - 2.0 * t) * (1.0 - t) * h * g_2;
    // 19:  double a = (1.0 + 2.0 * t) * (1.0 - t) * (1.0 - t)
    adj_t += (2.0 * (1.0 - t) - 2.0 * (1.0 + 2.0 * t)) * (1.0 - t) * values[low] * g;

    // 18:  double t = (x[i] - knots[low]) / h
    double g_4 = adj_t / h;
    adj_x[i] += g_4;
    double adj_knots_low = -g_4;
    adj_h -= t * g_4;

    // 17:  double h = knots[high] - knots[low]
    atomicAdd(&adj_knots[high], adj_h);
    atomicAdd(&adj_knots[low], adj_knots_low - adj_h);
}
