// roots_at_zero_adj: adjoint of roots_at_zero (roots_at_zero.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform roots_at_zero.cu --of y --wrt x,z
//
// Call with x, z and on as they were before roots_at_zero. Seed adj_y with dJ/dy: it is
// left alone, because roots_at_zero stores each element of y at most once. dJ/dx is
// added to adj_x; dJ/dz is added to adj_z. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   v, w, r, h, l, c, p, a   reloaded   still in its variable
//   on[..], z[..]            reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//   adj_z[..]   +=, one owner   one thread per element
//
// At kinks and singular points:
//   sqrt: where its partial is infinite a zero adjoint contributes zero
//   hypot: where its partial is infinite a zero adjoint contributes zero
//   norm3d: where its partial is infinite a zero adjoint contributes zero
//   cbrt: where its partial is infinite a zero adjoint contributes zero
//   pow: where its partial is infinite a zero adjoint contributes zero
//   asin: where its partial is infinite a zero adjoint contributes zero
//   acosh: where its partial is infinite a zero adjoint contributes zero
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void roots_at_zero_adj(const double *x, double *adj_x,
                                             const double *z, double *adj_z, const int *on,
                                             double *y, const double *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = on[i] * x[i];
    double w = on[i] * z[i];
    double r = sqrt(v * v);
    double h = hypot(v, w);
    double l = norm3d(v, w, 2.0 * v);
    double c = cbrt(v);
    double p = pow(v, 0.5);
    double a = asin(1.0 - 0.2 * v) + acosh(1.0 + w * w);

    // 19:  y[i] = f
    double adj_f = adj_y[i];
    double adj_a = 0.0;
    double adj_p = 0.0;
    double adj_c = 0.0;
    double adj_l = 0.0;
    double adj_h = 0.0;
    double adj_r = 0.0;
    if (r > 1e-6) {
        // 18:  f += 1.0 / r + h * l + c * p * a
        double r_2 = 1.0 / r;
        adj_r = -(r_2 * r_2 * adj_f);
        adj_h = l * adj_f;
        adj_l = h * adj_f;
        double g = a * adj_f;
        adj_c = p * g;
        adj_p = c * g;
        adj_a = c * p * adj_f;
    }

    // 16:  double f = z[i] * z[i]
    adj_z[i] += 2.0 * z[i] * adj_f;
    double adj_w = 0.0;
    double adj_v = 0.0;

    // 15:  double a = asin(1.0 - 0.2 * v) + acosh(1.0 + w * w)
    if (adj_a != 0.0) {
        adj_v -= 0.2 * rsqrt((1.0 - (1.0 - 0.2 * v)) * (1.0 + (1.0 - 0.2 * v))) * adj_a;
        adj_w += 2.0 * rsqrt((1.0 + w * w - 1.0) * (1.0 + w * w + 1.0)) * w * adj_a;
    }

    // 14:  double p = pow(v, 0.5)
    if (adj_p != 0.0)
        adj_v += 0.5 * pow(v, -0.5) * adj_p;
    // 13:  double c = cbrt(v)
    if (adj_c != 0.0)
        adj_v += adj_c / (3.0 * c * c);

    // 12:  double l = norm3d(v, w, 2.0 * v)
    if (adj_l != 0.0) {
        adj_v += (v + 2.0 * (2.0 * v)) * adj_l / l;
        adj_w += w * adj_l / l;
    }

    // 11:  double h = hypot(v, w)
    if (adj_h != 0.0) {
        adj_v += v * adj_h / h;
        adj_w += w * adj_h / h;
    }

    // 9:  double w = on[i] * z[i]
    adj_z[i] += on[i] * adj_w;
    // 10:  double r = sqrt(v * v)
    if (adj_r != 0.0)
        adj_v += v * adj_r / r;
    // 8:  double v = on[i] * x[i]
    adj_x[i] += on[i] * adj_v;
}
