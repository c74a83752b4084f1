// CUDA's math functions that C's library lacks, computed in double and accurate to a few ulps.
#pragma once

namespace cuda_on_cpu {

static constexpr double s2sad_pi = 3.14159265358979323846;
static constexpr double s2sad_two_over_root_pi = 1.12837916709551257390;

// ---- circles in units of pi ----------------------------------------------------------------------------
// x = n/2 + t with |t| <= 1/4, exactly; then sine and cosine of pi t, swapped and signed by n.
S2SAD_INLINE void s2sad_turns(double x, double *s, double *c)
{
    double r = x - 2 * __builtin_rint(x / 2);
    int n = (int)__builtin_rint(2 * r);
    double t = s2sad_pi * (r - 0.5 * n), sine = __builtin_sin(t), cosine = __builtin_cos(t);
    switch (n & 3) {
    case 0: *s = sine, *c = cosine; break;
    case 1: *s = cosine, *c = -sine; break;
    case 2: *s = -sine, *c = -cosine; break;
    default: *s = -cosine, *c = sine;
    }
}
static inline double s2sad_sinpi(double x)
{
    if (__builtin_isinf(x))
        return __builtin_nan("");
    double s, c;
    s2sad_turns(x, &s, &c);
    return s == 0 ? __builtin_copysign(0.0, x) : s;
}
static inline double s2sad_cospi(double x)
{
    if (__builtin_isinf(x))
        return __builtin_nan("");
    double s, c;
    s2sad_turns(x, &s, &c);
    return c == 0 ? 0.0 : c;
}

// ---- functions related to the error function -----------------------------------------------------------
// exp(x*x) erfc(x). exp would amplify the square's rounding error, so it is compensated.
static inline double s2sad_erfcx(double x)
{
    if (x < 12) {
        double square = x * x, rest = __builtin_fma(x, x, -square);
        double e = __builtin_exp(square);
        return __builtin_isinf(e) ? e : e * (1 + rest) * __builtin_erfc(x);
    }
    double q = 1 / (2 * x * x), term = 1, sum = 1;
    for (int k = 1; k < 16; ++k) {
        term *= -(2 * k - 1) * q;
        sum += term;
    }
    return sum * (s2sad_two_over_root_pi / 2) / x;
}

// The cumulative normal distribution, erfc(-x / sqrt(2)) / 2, compensated for the argument's rounding error:
// in the tail, erfc amplifies a relative error of its argument by x*x.
static inline double s2sad_normcdf(double x)
{
    const double high = 0.70710678118654752440, low = -4.8336466567264567e-17;
    if (x > 0 || x < -38.5)
        return 0.5 * __builtin_erfc(-x * high);
    double z = -x * high, rest = __builtin_fma(-x, high, -z) - x * low;
    return 0.5 * (__builtin_erfc(z) - s2sad_two_over_root_pi * __builtin_exp(-z * z) * rest);
}

// The x with erfc(x) = y: Newton's method on log erfc(x) = log erfcx(x) - x*x, which is nearly a parabola
// for y < 1/2; near y = 1 on erf itself.
static inline double s2sad_erfinv_middle(double y)
{
    double x = y * (0.8862269254527580 + 0.2320136665346544 * y * y);
    for (int k = 0; k < 8; ++k) {
        double miss = (__builtin_erf(x) - y) / (s2sad_two_over_root_pi * __builtin_exp(-x * x));
        x -= miss / (1 + x * miss);
    }
    return x;
}
static inline double s2sad_erfcinv_tail(double y)
{
    double log_y = __builtin_log(y);
    double x = __builtin_sqrt(__builtin_fmax(-log_y - 0.5 * __builtin_log(-3.14 * log_y), 0.2));
    for (int k = 0; k < 12; ++k) {
        double scaled = s2sad_erfcx(x);
        double step = (__builtin_log(scaled) - x * x - log_y) * scaled / s2sad_two_over_root_pi;
        x += step;
        if (__builtin_fabs(step) < 1e-17 * x)
            break;
    }
    // one step on erfc itself: log y is inaccurate if y is close to 1
    if (y > 1e-290)
        x += (__builtin_erfc(x) - y) / (s2sad_two_over_root_pi * __builtin_exp(-x * x));
    return x;
}
static inline double s2sad_erfcinv(double y)
{
    if (!(y >= 0 && y <= 2))
        return __builtin_nan("");
    if (y == 0 || y == 2)
        return y == 0 ? __builtin_inf() : -__builtin_inf();
    if (y >= 0.5 && y <= 1.5)
        return s2sad_erfinv_middle(1 - y);
    return y < 0.5 ? s2sad_erfcinv_tail(y) : -s2sad_erfcinv_tail(2 - y);
}
static inline double s2sad_erfinv(double y)
{
    if (__builtin_fabs(y) <= 0.5)
        return s2sad_erfinv_middle(y);
    return y < 0 ? -s2sad_erfcinv(1 + y) : s2sad_erfcinv(1 - y);
}
static inline double s2sad_normcdfinv(double p) { return -1.41421356237309504880 * s2sad_erfcinv(2 * p); }

// ---- modified Bessel functions -------------------------------------------------------------------------
// The power series, with terms of one sign, up to 30; above it the asymptotic series, with exp split in two
// because it overflows before the function does.
static inline double s2sad_bessel_i(int order, double x)
{
    double a = __builtin_fabs(x), term, sum;
    if (a < 30) {
        double quarter = a * a / 4;
        sum = term = order == 0 ? 1 : a / 2;
        for (int k = 1; k < 100 && term > 1e-18 * sum; ++k) {
            term *= quarter / (k * (double)(k + order));
            sum += term;
        }
    } else {
        double mu = 4.0 * order * order;
        sum = term = 1;
        for (int k = 1; k < 40; ++k) {
            double odd = 2 * k - 1;
            term *= -(mu - odd * odd) / (8 * k * a);
            sum += term;
        }
        double half = __builtin_exp(a / 2);
        sum = half * (sum / __builtin_sqrt(2 * s2sad_pi * a)) * half;
    }
    return order == 1 && x < 0 ? -sum : sum;
}
static inline double s2sad_cyl_bessel_i0(double x) { return s2sad_bessel_i(0, x); }
static inline double s2sad_cyl_bessel_i1(double x) { return s2sad_bessel_i(1, x); }

static inline double s2sad_rsqrt(double x) { return 1 / __builtin_sqrt(x); }
static inline double s2sad_rcbrt(double x) { return 1 / __builtin_cbrt(x); }

#define S2SAD_SPECIAL(name)                                                          \
    S2SAD_INLINE float name(float x) { return (float)s2sad_##name((double)x); }      \
    S2SAD_INLINE double name(double x) { return s2sad_##name(x); }                   \
    S2SAD_INTEGERS_GO_TO_DOUBLE(double, name)                                        \
    S2SAD_INLINE s2sad_real name##f(s2sad_real x) { return name(x); }
S2SAD_SPECIAL(sinpi) S2SAD_SPECIAL(cospi) S2SAD_SPECIAL(erfcx) S2SAD_SPECIAL(erfinv) S2SAD_SPECIAL(erfcinv)
S2SAD_SPECIAL(normcdf) S2SAD_SPECIAL(normcdfinv) S2SAD_SPECIAL(cyl_bessel_i0) S2SAD_SPECIAL(cyl_bessel_i1)
S2SAD_SPECIAL(rsqrt) S2SAD_SPECIAL(rcbrt)
#undef S2SAD_SPECIAL

S2SAD_INLINE void sincospi(float x, float *s, float *c) { *s = sinpi(x), *c = cospi(x); }
S2SAD_INLINE void sincospi(double x, double *s, double *c) { *s = sinpi(x), *c = cospi(x); }
S2SAD_INLINE void sincospif(s2sad_real x, s2sad_real *s, s2sad_real *c) { sincospi(x, s, c); }

// ---- norms: scaled, so that squares neither overflow nor underflow -------------------------------------
template <class T> S2SAD_UNSEEN static inline double s2sad_norm(int n, const T *p)
{
    double largest = 0, sum = 0;
    for (int i = 0; i < n; ++i)
        largest = __builtin_fmax(largest, __builtin_fabs((double)p[i]));
    for (int i = 0; i < n; ++i)
        if (__builtin_isinf((double)p[i]))
            return __builtin_inf();
    if (largest == 0) {
        for (int i = 0; i < n; ++i)
            sum += p[i];
        return sum;
    }
    int exponent;
    __builtin_frexp(largest, &exponent);
    for (int i = 0; i < n; ++i) {
        double scaled = __builtin_ldexp((double)p[i], -exponent);
        sum += scaled * scaled;
    }
    return __builtin_ldexp(__builtin_sqrt(sum), exponent);
}
#define S2SAD_NORM(T, norm, rnorm, norm3d, rnorm3d, norm4d, rnorm4d, rhypot)                                   \
    S2SAD_APART T norm(int n, const T *p) { S2SAD_SEEN_ALL(n, p); return (T)s2sad_norm(n, p); }                \
    S2SAD_APART T rnorm(int n, const T *p) { S2SAD_SEEN_ALL(n, p); return (T)(1 / s2sad_norm(n, p)); }         \
    S2SAD_INLINE T norm3d(T a, T b, T c) { T p[3] = {a, b, c}; return (T)s2sad_norm(3, p); }                   \
    S2SAD_INLINE T rnorm3d(T a, T b, T c) { T p[3] = {a, b, c}; return (T)(1 / s2sad_norm(3, p)); }            \
    S2SAD_INLINE T norm4d(T a, T b, T c, T d) { T p[4] = {a, b, c, d}; return (T)s2sad_norm(4, p); }           \
    S2SAD_INLINE T rnorm4d(T a, T b, T c, T d) { T p[4] = {a, b, c, d}; return (T)(1 / s2sad_norm(4, p)); }    \
    S2SAD_INLINE T rhypot(T a, T b) { return (T)(1 / __builtin_hypot((double)a, (double)b)); }
S2SAD_NORM(double, norm, rnorm, norm3d, rnorm3d, norm4d, rnorm4d, rhypot)
#ifndef S2SAD_DUAL_NUMBERS
S2SAD_NORM(s2sad_real, normf, rnormf, norm3df, rnorm3df, norm4df, rnorm4df, rhypotf)
#endif
#undef S2SAD_NORM
S2SAD_MIXED_GO_TO_DOUBLE(double, rhypot)

}  // namespace cuda_on_cpu
