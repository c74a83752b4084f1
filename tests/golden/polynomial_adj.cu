// polynomial_adj: adjoint of polynomial (polynomial.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform polynomial.cu --of y --wrt x,c
//
// Call with x and c as they were before polynomial. Seed adj_y with dJ/dy: it is left
// alone, because polynomial stores each element of y at most once. dJ/dx is added to
// adj_x; dJ/dc is added to adj_c. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   v       reloaded                 still in its variable
//   x[..]   reloaded                 nothing stores to it
//   s       ds_dv, carried forward   line 10 changes it in each iteration, and inputs
//                                    are few
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//   adj_c[..]   atomicAdd       every thread reads the same c[k]
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void polynomial_adj(const double *x, double *adj_x,
                                          const double *c, double *adj_c,
                                          double *y, const double *adj_y, int n, int terms)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    double v = sin(x[i]);
    double s = 0.0;
    double ds_dv = 0.0;
    for (int k = 0; k < terms; ++k) {
        ds_dv = v * ds_dv + s;
        s = s * v + c[k];
    }

    // ---- reverse sweep ------------------------------------------------------

    // 11:  y[i] = s
    double adj_s = adj_y[i];
    // 9:  for (int k = 0; k < terms; ++k)
    // its tangents, carried along, are what it owes
    // 8:  double v = sin(x[i])
    adj_x[i] += cos(x[i]) * ds_dv * adj_s;
    for (int k = terms - 1; k >= 0; --k) {
        // 10:  s = s * v + c[k]
        atomicAdd(&adj_c[k], adj_s);
        adj_s *= v;
    }
}
