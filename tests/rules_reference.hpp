// What the functions of CUDA's math library are, in long double, and differences of them.
//
// Overloads for double let partials be evaluated as a kernel in double would.
// Everything stands in a namespace, because C libraries have some of the names.
#include <algorithm>
#include <cmath>

#define __device__

namespace reference {

typedef long double R;

using std::acos, std::acosh, std::asin, std::asinh, std::atan, std::atan2, std::atanh, std::cbrt;
using std::ceil, std::copysign, std::cos, std::cosh, std::erf, std::erfc, std::exp, std::exp2;
using std::expm1, std::fabs, std::fdim, std::floor, std::fma, std::fmax, std::fmin, std::fmod;
using std::hypot, std::ilogb, std::isfinite, std::isinf, std::isnan, std::ldexp, std::lgamma;
using std::llrint, std::llround, std::log, std::log10, std::log1p, std::log2, std::logb;
using std::lrint, std::lround, std::nearbyint, std::nextafter, std::pow, std::remainder, std::rint;
using std::round, std::scalbln, std::scalbn, std::signbit, std::sin, std::sinh, std::sqrt;
using std::tan, std::tanh, std::tgamma, std::trunc;

static const R PI = 3.14159265358979323846264338327950288L;

#define ONE(NAME, VALUE)                                                                           \
    static inline R NAME(R x) { return VALUE; }                                                    \
    static inline double NAME(double x) { return NAME((R)x); }

static inline R series(R x, int from)  // of the modified Bessel functions: positive terms only
{
    R term = from ? x / 2 : 1, sum = 0;
    for (int k = 1; k < 200; ++k) {
        sum += term;
        term *= x * x / 4 / k / (k + from);
    }
    return sum;
}

static inline R inverse_erf(R x)  // Newton from 0 approaches from one side: erf is concave there
{
    R y = 0;
    for (int k = 0; k < 100; ++k)
        y -= (erf(y) - x) * sqrt(PI) / 2 * exp(y * y);
    return y;
}

ONE(rsqrt, 1 / sqrt(x))
ONE(rcbrt, 1 / cbrt(x))
ONE(rcp, 1 / x)
ONE(exp10, pow((R)10, x))
ONE(sinpi, sin(PI * x))
ONE(cospi, cos(PI * x))
ONE(erfcx, exp(x * x) * erfc(x))
ONE(erfinv, inverse_erf(x))
ONE(erfcinv, inverse_erf(1 - x))
ONE(normcdf, erfc(-x / sqrt((R)2)) / 2)
ONE(normcdfinv, sqrt((R)2) * inverse_erf(2 * x - 1))
ONE(cyl_bessel_i0, series(x, 0))
ONE(cyl_bessel_i1, series(x, 1))
ONE(j0, ::j0l(x))
ONE(j1, ::j1l(x))
ONE(y0, ::y0l(x))
ONE(y1, ::y1l(x))
ONE(saturate, x > 0 ? std::min(x, (R)1) : 0)
static inline R jn(int n, R x) { return ::jnl(n, x); }
static inline R yn(int n, R x) { return ::ynl(n, x); }
static inline double jn(int n, double x) { return ::jnl(n, x); }
static inline double yn(int n, double x) { return ::ynl(n, x); }
static inline R rhypot(R x, R y) { return 1 / hypot(x, y); }
static inline R norm3d(R x, R y, R z) { return sqrt(x * x + y * y + z * z); }
static inline R norm4d(R x, R y, R z, R w) { return sqrt(x * x + y * y + z * z + w * w); }
static inline R rnorm3d(R x, R y, R z) { return 1 / norm3d(x, y, z); }
static inline R rnorm4d(R x, R y, R z, R w) { return 1 / norm4d(x, y, z, w); }
static inline R fraction(R x) { R whole; return std::modf(x, &whole); }
static inline R mantissa(R x) { int e; return std::frexp(x, &e); }
static inline R remquo(R x, R y) { int q; return std::remquo(x, y, &q); }

// Central differences extrapolated to a step of zero, after Ridders; the error is the
// least difference between two columns of the table, so it grows at a kink.
template <class F> R slope(F f, R x, R h, R *error)
{
    const int N = 12;
    R a[N][N], best = 0;
    *error = HUGE_VALL;
    for (int i = 0; i < N; ++i, h /= 1.4L) {
        a[0][i] = (f(x + h) - f(x - h)) / (2 * h);
        R factor = 1.96L;
        for (int j = 1; j <= i; ++j, factor *= 1.96L) {
            a[j][i] = (a[j - 1][i] * factor - a[j - 1][i - 1]) / (factor - 1);
            R e = std::max(fabs(a[j][i] - a[j - 1][i]), fabs(a[j][i] - a[j - 1][i - 1]));
            if (e <= *error) {
                *error = e;
                best = a[j][i];
            }
        }
    }
    return best;
}

// With shorter steps where a kink or a jump is near.
template <class F> void differentiate(F f, R x, double *value, double *error)
{
    for (R h = 0.03L; h > 1e-5L; h /= 10) {
        R e;
        *value = slope(f, x, h, &e);
        *error = e;
        if (e < 1e-12L * (1 + fabs(*value)))
            return;
    }
}

}  // namespace reference
