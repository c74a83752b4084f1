// device_functions_adj: adjoint of device_functions (device_functions.cu:22).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform device_functions.cu --of y --wrt a,b,c
//
// Call with a, b and c as they were before device_functions. Seed adj_y with dJ/dy: it
// is left alone, because device_functions stores each element of y at most once. dJ/da
// is added to adj_a; dJ/db is added to adj_b; dJ/dc is added to adj_c. y is neither
// read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   m, s                  reloaded   still in its variable
//   a[..], b[..], c[..]   reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_a[..]   +=, one owner   one thread per element
//   adj_b[..]   +=, one owner   one thread per element
//   adj_c[..]   +=, one owner   one thread per element
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

static __device__ double square(double v)
{
    return v * v;
}

static __device__ double blend(double p, double q, double t)
{
    double s = square(t) * (3.0 - 2.0 * t);
    return p + s * (q - p);
}

static __device__ double soft(double v, double width)
{
    if (v > width)
        return v;
    if (v < -width)
        return 0.0;
    double u = v + width;
    u = square(u);
    return u / (4.0 * width);
}

static __device__ void blend_adj_p_q(double p, double *adj_p,
                                     double q, double *adj_q, double t, double adj_blend)
{
    double s = square(t) * (3.0 - 2.0 * t);

    // 8:  return p + s * (q - p)
    *adj_p += adj_blend;
    double g = s * adj_blend;
    *adj_q += g;
    *adj_p -= g;
}

static __device__ double square_adj(double v, double adj_square)
{
    // 3:  return v * v
    return 2.0 * v * adj_square;
}

static __device__ void soft_adj(double v, double *adj_v,
                                double width, double *adj_width, double adj_soft)
{
    if (v > width) {
        // 14:  return v
        *adj_v += adj_soft;
    } else if (!(v < -width)) {
        double result;
        double u = v + width;
        double tape_u = u;
        u = square(u);
        result = u / (4.0 * width);

        // 19:  return u / (4.0 * width)
        double g = adj_soft / (4.0 * width);
        *adj_width -= 4.0 * result * g;

        // 18:  u = square(u)
        double adj_u = square_adj(tape_u, g);

        // 17:  double u = v + width
        *adj_v += adj_u;
        *adj_width += adj_u;
    }
}

static __device__ void blend_adj(double p, double *adj_p,
                                 double q, double *adj_q,
                                 double t, double *adj_t, double adj_blend)
{
    double s = square(t) * (3.0 - 2.0 * t);

    // 8:  return p + s * (q - p)
    *adj_p += adj_blend;
    double adj_s = (q - p) * adj_blend;
    double g = s * adj_blend;
    *adj_q += g;
    *adj_p -= g;

    // 7:  double s = square(t) * (3.0 - 2.0 * t)
    *adj_t += square_adj(t, (3.0 - 2.0 * t) * adj_s) - 2.0 * square(t) * adj_s;
}

extern "C" __global__ void device_functions_adj(const double *a, double *adj_a,
                                                const double *b, double *adj_b,
                                                const double *c, double *adj_c,
                                                double *y, const double *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double m = blend(a[i], square(b[i]), c[i]);
    double s = soft(m, 0.5 + square(c[i]));

    // 29:  y[i] = s * blend(s, a[i], 0.25) + square(m)
    double g = adj_y[i];
    double adj_s = blend(s, a[i], 0.25) * g;
    double adj_q = 0.0;
    blend_adj_p_q(s, &adj_s, a[i], &adj_q, 0.25, s * g);
    adj_a[i] += adj_q;
    double adj_m = square_adj(m, g);

    // 28:  double s = soft(m, 0.5 + square(c[i]))
    double adj_width = 0.0;
    soft_adj(m, &adj_m, 0.5 + square(c[i]), &adj_width, adj_s);
    adj_c[i] += square_adj(c[i], adj_width);

    // 27:  double m = blend(a[i], square(b[i]), c[i])
    double adj_p = 0.0;
    double adj_q_2 = 0.0;
    double adj_t = 0.0;
    blend_adj(a[i], &adj_p, square(b[i]), &adj_q_2, c[i], &adj_t, adj_m);
    adj_a[i] += adj_p;
    adj_b[i] += square_adj(b[i], adj_q_2);
    adj_c[i] += adj_t;
}
