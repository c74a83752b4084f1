// singular_points_adj: adjoint of singular_points (singular_points.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform singular_points.cu --of y --wrt x,z
//
// Call with x, z and on as they were before singular_points. Seed adj_y with dJ/dy: it
// is left alone, because singular_points stores each element of y at most once. dJ/dx
// is added to adj_x; dJ/dz is added to adj_z. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   v, r, h, c, p   reloaded   still in its variable
//   on[..], z[..]   reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//   adj_z[..]   +=, one owner   one thread per element
//
// At kinks and singular points:
//   sqrt: where its partial is infinite a zero adjoint contributes zero
//   hypot: where its partial is infinite a zero adjoint contributes zero
//   cbrt: where its partial is infinite a zero adjoint contributes zero
//   pow: where its partial is infinite a zero adjoint contributes zero
//   fabs: at 0 its derivative is 0
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void singular_points_adj(const double *x, double *adj_x,
                                               const double *z, double *adj_z, const int *on,
                                               double *y, const double *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = on[i] ? x[i] : 0.0;
    double r = sqrt(v * v);
    double h = hypot(v, v * z[i]);
    double c = cbrt(v);
    double p = pow(fabs(v), 0.5);

    // 16:  y[i] = f
    double adj_f = adj_y[i];
    double adj_p = 0.0;
    double adj_c = 0.0;
    double adj_h = 0.0;
    double adj_r = 0.0;
    if (r > 1e-6) {
        // 15:  f += 1.0 / r + h * h + c * p
        double r_2 = 1.0 / r;
        adj_r = -(r_2 * r_2 * adj_f);
        adj_h = 2.0 * h * adj_f;
        adj_c = p * adj_f;
        adj_p = c * adj_f;
    }

    // 13:  double f = z[i] * z[i]
    adj_z[i] += 2.0 * z[i] * adj_f;
    double adj_v = 0.0;

    // 12:  double p = pow(fabs(v), 0.5)
    if (adj_p != 0.0)
        adj_v += 0.5 * pow(fabs(v), -0.5) * (v > 0.0 ? 1.0 : v < 0.0 ? -1.0 : 0.0) * adj_p;
    // 11:  double c = cbrt(v)
    if (adj_c != 0.0)
        adj_v += adj_c / (3.0 * c * c);

    // 10:  double h = hypot(v, v * z[i])
    if (adj_h != 0.0) {
        adj_v += v * adj_h / h;
        double g = v * z[i] * adj_h / h;
        adj_v += z[i] * g;
        adj_z[i] += v * g;
    }

    // 9:  double r = sqrt(v * v)
    if (adj_r != 0.0)
        adj_v += v * adj_r / r;
    // 8:  double v = on[i] ? x[i] : 0.0
    if (on[i])
        adj_x[i] += adj_v;
}
