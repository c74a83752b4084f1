// bound_changed_adj: adjoint of bound_changed (bound_changed.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform bound_changed.cu --of y --wrt x
//
// Call with x as it was before bound_changed. Seed adj_y with dJ/dy: it is left alone,
// because bound_changed stores each element of y at most once. dJ/dx is added to adj_x.
// y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   s (line 10)   ds_dx, carried forward    line 11 changes it in each iteration, and
//                                           inputs are few
//   s (line 16)   ds_ds0, carried forward   line 17 changes it in each iteration, and
//                                           inputs are few
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void bound_changed_adj(const double *x, double *adj_x,
                                             double *y, const double *adj_y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    double s = x[i];
    int last = m;
    double ds_dx = 1.0;
    for (int k = 0; k < last; k++) {
        double sine;
        double cosine;
        sincos(s, &sine, &cosine);
        ds_dx += 0.3 * (k + 1) * cosine * ds_dx;
        s = s + 0.3 * sine * (k + 1);
        if (s > 1.0)
            last = last - 1;
    }
    last = i % 4;
    double ds_ds0 = 1.0;
    for (int k = 0; k < last; k++) {
        ds_ds0 *= s;
        s = s * s * 0.5;
    }

    // ---- reverse sweep ------------------------------------------------------

    // 19:  y[i] = s + last
    double adj_s = adj_y[i];
    // 16:  for (int k = 0; k < last; k++)
    // its tangents, carried along, are what it owes
    adj_s *= ds_ds0;
    // 10:  for (int k = 0; k < last; k++)
    // its tangents, carried along, are what it owes
    adj_s *= ds_dx;
    // 8:  double s = x[i]
    adj_x[i] += adj_s;
}
