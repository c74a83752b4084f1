// special_functions_adj: adjoint of special_functions (special_functions.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform special_functions.cu --of y --wrt x
//
// Call with x as it was before special_functions. Seed adj_y with dJ/dy: it is left
// alone, because special_functions stores each element of y at most once. dJ/dx is
// added to adj_x. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   v, a, b   reloaded   still in its variable
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//
// At kinks and singular points:
//   asin: where its partial is infinite a zero adjoint contributes zero
//   acos: where its partial is infinite a zero adjoint contributes zero
//   acosh: where its partial is infinite a zero adjoint contributes zero
//   norm3d: where its partial is infinite a zero adjoint contributes zero
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

// The derivative of lgamma: reflection, recurrence up to 10, asymptotic series.
static __device__ double lgamma_slope(double x)
{
    double sum = 0.0;
    if (x <= 0.0) {
        sum = -3.141592653589793 * cospi(x) / sinpi(x);
        x = 1.0 - x;
    }
    for (; x < 10.0; x += 1.0)
        sum -= 1.0 / x;
    double v = 1.0 / (x * x);
    double tail = 0.0210927960927961 * v;
    tail = (0.0075757575757575758 - tail) * v;
    tail = (0.0041666666666666667 - tail) * v;
    tail = (0.0039682539682539683 - tail) * v;
    tail = (0.0083333333333333333 - tail) * v;
    tail = (0.083333333333333333 - tail) * v;
    return sum + log(x) - 0.5 / x - tail;
}

extern "C" __global__ void special_functions_adj(const double *x, double *adj_x,
                                                 double *y, const double *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i];
    double a = asin(v) + acos(v) * atan(v) + asinh(v) + acosh(1.5 + v) * atanh(v);
    double b = sinh(v) * cosh(v) + tan(v) + sinpi(v) * cospi(v) + tgamma(1.5 + v) + lgamma(2.0 + v);

    // 12:  y[i] = a * b - c + fma(v, a, b) + rcbrt(1.0 + v) + norm3d(v, a, 1.0)
    double g = adj_y[i];
    double adj_a = (b + v) * g;
    double adj_b = a * g + g;
    double adj_c = -g;
    double adj_v = a * g;
    double r = rcbrt(1.0 + v);
    adj_v -= r * r * r * r * g / 3.0;
    if (g != 0.0) {
        adj_v += v * g / norm3d(v, a, 1.0);
        adj_a += a * g / norm3d(v, a, 1.0);
    }

    // 11:  double c = erf(v) + erfc(v) * erfinv(v) + normcdf(v) + j0(v) * j1(v) + log2(2.0 + v) -
    //      log10(2.0 + v)
    double r_2 = erfinv(v);
    adj_v += 1.1283791670955126 * exp(-v * v) * adj_c
             - 1.1283791670955126 * r_2 * exp(-v * v) * adj_c;
    adj_v += (0.886226925452758 * erfc(v) * exp(r_2 * r_2) + 0.3989422804014327 * exp(-0.5 * v * v)
              - j1(v) * j1(v)) * adj_c;
    adj_v += j0(v) * (v == 0.0 ? 0.5 : j0(v) - j1(v) / v) * adj_c
             + 1.4426950408889634 * adj_c / (2.0 + v);
    adj_v -= 0.4342944819032518 * adj_c / (2.0 + v);

    // 10:  double b = sinh(v) * cosh(v) + tan(v) + sinpi(v) * cospi(v) + tgamma(1.5 + v) +
    //      lgamma(2.0 + v)
    adj_v += (cosh(v) * cosh(v) + sinh(v) * sinh(v)) * adj_b;
    double r_3 = tan(v);
    adj_v += (1.0 + r_3 * r_3 + 3.141592653589793 * cospi(v) * cospi(v)
              + tgamma(1.5 + v) * lgamma_slope(1.5 + v) + lgamma_slope(2.0 + v)
              - 3.141592653589793 * sinpi(v) * sinpi(v)) * adj_b;

    // 9:  double a = asin(v) + acos(v) * atan(v) + asinh(v) + acosh(1.5 + v) * atanh(v)
    if (adj_a != 0.0)
        adj_v += rsqrt((1.0 - v) * (1.0 + v)) * adj_a;
    double g_2 = atan(v) * adj_a;
    if (g_2 != 0.0)
        adj_v -= rsqrt((1.0 - v) * (1.0 + v)) * g_2;
    adj_v += acos(v) * adj_a / (1.0 + v * v) + rsqrt(v * v + 1.0) * adj_a;
    double g_3 = atanh(v) * adj_a;
    if (g_3 != 0.0)
        adj_v += rsqrt((1.5 + v - 1.0) * (1.5 + v + 1.0)) * g_3;
    adj_v += acosh(1.5 + v) * adj_a / ((1.0 - v) * (1.0 + v));

    // 8:  double v = x[i]
    adj_x[i] += adj_v;
}
