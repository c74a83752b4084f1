// not_less_adj: adjoint of not_less (not_less.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform not_less.cu --of y --wrt x
//
// Call with x and limit as they were before not_less. Seed adj_y with dJ/dy: it is left
// alone, because not_less stores each element of y at most once. dJ/dx is added to
// adj_x. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   x[..]   reloaded                  nothing stores to it
//   v       dv_dv0, carried forward   line 13 or 16 changes it in each iteration, and
//                                     inputs are few
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void not_less_adj(const double *x, double *adj_x, const double *limit,
                                        double *y, const double *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    double v = x[i] * x[i];
    double bound = i % 4 == 0 ? nan("") : limit[i];
    double dv_dv0 = 1.0;
    for (int k = 0; k < 4; ++k)
        if (!(v < bound)) {
            dv_dv0 *= 0.5;
            v = v * 0.5;
            if (!(v >= bound))
                break;
            double sine;
            double cosine;
            sincos(v, &sine, &cosine);
            dv_dv0 *= cosine;
            v = sine;
        }

    // ---- reverse sweep ------------------------------------------------------

    // 18:  y[i] = v
    double adj_v = adj_y[i];
    // 10:  for (int k = 0; k < 4; ++k)
    // its tangents, carried along, are what it owes
    adj_v *= dv_dv0;
    // 8:  double v = x[i] * x[i]
    adj_x[i] += 2.0 * x[i] * adj_v;
}
