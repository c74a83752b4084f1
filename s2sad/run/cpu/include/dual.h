// Dual numbers: a value and its tangent, for the text's `float` and `double` in forward differentiation.
//
// Each operation propagates the tangent by the chain rule, so one launch gives values and directional
// derivatives, exact to rounding and without a step size. A zero tangent contributes zero, even if the
// partial is infinite. At a kink, the derivative is that of the executed branch. A comparison, a maximum or
// an absolute value that a nearby value would decide otherwise is recorded with its place. A launch may be
// shaken: inexact results are rounded up or down at random, which shows how accurate the derivative is.
#pragma once

namespace cuda_on_cpu {

extern "C" const char s2sad_image[] __asm__("__ehdr_start") __attribute__((weak, visibility("hidden")));
struct s2sad_tie { void *place; double left, right; };
static constexpr unsigned s2sad_most_ties = 16;
static s2sad_tie s2sad_ties[s2sad_most_ties];
static unsigned s2sad_tie_count;
// A hash of the launch's decisions, in order: a different value means that some branch differed.
static uint64_t s2sad_decisions;
template <class R> S2SAD_INLINE R s2sad_decided(R result)
{
    s2sad_decisions = s2sad_decisions * 0x9e3779b97f4a7c15ull + (uint64_t)(long long)result + 1;
    return result;
}
static constexpr double s2sad_near = 1e-9;  // relative

// Functions that report ties aren't inlined: their return address is the place in the text.
#define S2SAD_TELLS static __attribute__((noinline, unused))
#define S2SAD_HERE __builtin_return_address(0)
__attribute__((noinline)) static void s2sad_tied(void *place, double left, double right)
{
    for (unsigned i = 0; i < s2sad_tie_count; ++i)
        if (s2sad_ties[i].place == place)
            return;
    if (s2sad_tie_count < s2sad_most_ties)
        s2sad_ties[s2sad_tie_count++] = {place, left, right};
}

// Round values to float: gives an exact derivative at the values of a launch in float.
#ifdef S2SAD_DUAL_ROUNDS
#define S2SAD_ROUNDED(v) ((double)(float)(v))
#else
#define S2SAD_ROUNDED(v) (v)
#endif
// The state of the random numbers; not zero if the launch is shaken.
static uint64_t s2sad_shake;
#define S2SAD_SHAKEN (!__builtin_is_constant_evaluated() && __builtin_expect(s2sad_shake != 0, 0))
static __attribute__((noinline, unused)) double s2sad_shaken(double r, double error)
{
    if (error == 0 || r == 0 || !__builtin_isfinite(r))
        return r;
    s2sad_shake ^= s2sad_shake << 13, s2sad_shake ^= s2sad_shake >> 7, s2sad_shake ^= s2sad_shake << 17;
    uint64_t drawn = (s2sad_shake >> 32) % 3;
    return drawn == 2 ? r : __builtin_nextafter(r, drawn ? __builtin_inf() : -__builtin_inf());
}
// An operation is exact if its error is zero; a function is taken to be exact if its result is an integer.
S2SAD_INLINE constexpr double s2sad_plus(double a, double b)
{
    const double r = a + b, part = r - a;
    return S2SAD_SHAKEN ? s2sad_shaken(r, (a - (r - part)) + (b - part)) : r;
}
S2SAD_INLINE constexpr double s2sad_product(double a, double b)
{
    return S2SAD_SHAKEN ? s2sad_shaken(a * b, __builtin_fma(a, b, -(a * b))) : a * b;
}
S2SAD_INLINE constexpr double s2sad_ratio(double a, double b)
{
    return S2SAD_SHAKEN ? s2sad_shaken(a / b, __builtin_fma(a / b, b, -a)) : a / b;
}
// Round each term of a tangent, exact or not: an adjoint sums contributions in another order.
S2SAD_INLINE constexpr double s2sad_terms(double a, double b)
{
    return S2SAD_SHAKEN ? s2sad_shaken(a, 1) + s2sad_shaken(b, 1) : a + b;
}
S2SAD_INLINE double s2sad_result(double r) { return S2SAD_SHAKEN ? s2sad_shaken(r, r - __builtin_rint(r)) : r; }
// 1 / cosh². If the launch is shaken or rounds to float, use the form with cancellation, to show its error.
S2SAD_INLINE double s2sad_of_tanh(double v, double r)
{
#ifdef S2SAD_DUAL_ROUNDS
    (void)v;
    return 1 - S2SAD_ROUNDED(r) * S2SAD_ROUNDED(r);
#else
    return S2SAD_SHAKEN ? 1 - s2sad_product(r, r) : 1 / (__builtin_cosh(v) * __builtin_cosh(v));
#endif
}

struct s2sad_dual {
    double v, d;
    s2sad_dual() = default;
    constexpr s2sad_dual(double v, double d) : v(S2SAD_ROUNDED(v)), d(d) {}
    template <class T, typename s2sad_if<s2sad_number<T>>::type = 0>
    constexpr s2sad_dual(T x) : v(S2SAD_ROUNDED((double)x)), d(0) {}
    explicit constexpr operator bool() const { return v != 0; }
    explicit constexpr operator double() const { return v; }
    explicit constexpr operator float() const { return (float)v; }
    // C converts to integers implicitly, but with this conversion implicit `?:` of a real and an integer is
    // ambiguous: most texts need it explicit, few implicit.
    template <class I, typename s2sad_if<s2sad_integer<I> && !s2sad_same<I, bool>>::type = 0>
#ifndef S2SAD_DUAL_IS_INTEGER
    explicit
#endif
    __attribute__((noinline)) operator I() const
    {
        if (d != 0 && __builtin_fabs(v - __builtin_rint(v)) <= s2sad_near * __builtin_fabs(v))
            s2sad_tied(S2SAD_HERE, v, __builtin_rint(v));
        return s2sad_decided((I)v);
    }
    constexpr s2sad_dual operator+() const { return *this; }
    constexpr s2sad_dual operator-() const { return {-v, -d}; }
    s2sad_dual &operator++() { return v += 1, *this; }
    s2sad_dual &operator--() { return v -= 1, *this; }
    s2sad_dual operator++(int) { s2sad_dual old = *this; v += 1; return old; }
    s2sad_dual operator--(int) { s2sad_dual old = *this; v -= 1; return old; }
};
template <class A> constexpr bool s2sad_is_dual = s2sad_same<A, s2sad_dual>;
// At least one is dual; the other is any number.
template <class A, class B>
constexpr bool s2sad_duals = (s2sad_is_dual<A> && (s2sad_is_dual<B> || s2sad_number<B>))
                             || (s2sad_is_dual<B> && s2sad_number<A>);
#define S2SAD_DUALS(A, B) class A, class B, typename s2sad_if<s2sad_duals<A, B>>::type = 0

// partial times tangent
S2SAD_INLINE constexpr double s2sad_times(double partial, double tangent)
{
    return tangent == 0 ? 0 : s2sad_product(partial, tangent);
}

// Vectors of dual numbers.
S2SAD_VECTOR(s2sad_dual, s2sad_real, 1)
#undef S2SAD_VECTOR

// ---- operators -----------------------------------------------------------------------------------------
constexpr s2sad_dual s2sad_add(s2sad_dual a, s2sad_dual b) { return {s2sad_plus(a.v, b.v), s2sad_terms(a.d, b.d)}; }
constexpr s2sad_dual s2sad_subtract(s2sad_dual a, s2sad_dual b)
{
    return {s2sad_plus(a.v, -b.v), s2sad_terms(a.d, -b.d)};
}
constexpr s2sad_dual s2sad_multiply(s2sad_dual a, s2sad_dual b)
{
    return {s2sad_product(a.v, b.v), s2sad_terms(s2sad_times(b.v, a.d), s2sad_times(a.v, b.d))};
}
constexpr s2sad_dual s2sad_divide(s2sad_dual a, s2sad_dual b)
{
    return {s2sad_ratio(a.v, b.v), s2sad_terms(s2sad_times(s2sad_ratio(1, b.v), a.d),
                                              -s2sad_times(s2sad_ratio(s2sad_ratio(a.v, b.v), b.v), b.d))};
}
#define S2SAD_OPERATOR(sign, name)                                                                                  \
    template <S2SAD_DUALS(A, B)> S2SAD_INLINE constexpr s2sad_dual operator sign(A a, B b) { return name(a, b); }   \
    template <class B, typename s2sad_if<s2sad_is_dual<B> || s2sad_number<B>>::type = 0>                            \
    S2SAD_INLINE s2sad_dual &operator sign##=(s2sad_dual &a, B b) { return a = name(a, b); }                        \
    template <class I, typename s2sad_if<s2sad_integer<I>>::type = 0>                                               \
    S2SAD_INLINE I &operator sign##=(I &a, s2sad_dual b) { return a = (I)name(a, b).v; }
S2SAD_OPERATOR(+, s2sad_add) S2SAD_OPERATOR(-, s2sad_subtract) S2SAD_OPERATOR(*, s2sad_multiply)
S2SAD_OPERATOR(/, s2sad_divide)
#undef S2SAD_OPERATOR

// Whether a slightly different input may order them differently.
S2SAD_INLINE bool s2sad_nearly(s2sad_dual a, s2sad_dual b)
{
    return a.d != b.d
           && __builtin_fabs(a.v - b.v) < __builtin_inf()
           && __builtin_fabs(a.v - b.v) <= s2sad_near * (__builtin_fabs(a.v) + __builtin_fabs(b.v));
}
S2SAD_INLINE void s2sad_choice(void *here, s2sad_dual x, s2sad_dual y)
{
    if (__builtin_expect(s2sad_nearly(x, y), 0))
        s2sad_tied(here, x.v, y.v);
}
#define S2SAD_COMPARISON(sign)                                                 \
    template <S2SAD_DUALS(A, B)> S2SAD_TELLS bool operator sign(A x, B y)      \
    {                                                                          \
        s2sad_dual a(x), b(y);                                                 \
        s2sad_choice(S2SAD_HERE, a, b);                                        \
        return s2sad_decided(a.v sign b.v);                                    \
    }
S2SAD_COMPARISON(<) S2SAD_COMPARISON(<=) S2SAD_COMPARISON(>) S2SAD_COMPARISON(>=) S2SAD_COMPARISON(==)
S2SAD_COMPARISON(!=)
#undef S2SAD_COMPARISON

// ---- functions of one argument: v its value, r the result's --------------------------------------------
S2SAD_INLINE double s2sad_sign(void *here, s2sad_dual x)
{
    if (x.v == 0 && x.d != 0)
        s2sad_tied(here, x.v, 0);
    return s2sad_decided(x.v > 0 ? 1 : x.v < 0 ? -1 : 0);
}
// A step: its derivative is 0 on both sides.
S2SAD_INLINE double s2sad_step(void *here, s2sad_dual x, double edge)
{
    if (x.d != 0 && __builtin_fabs(x.v - edge) <= s2sad_near * __builtin_fabs(x.v))
        s2sad_tied(here, x.v, edge);
    s2sad_decided(__builtin_isfinite(x.v) && __builtin_fabs(x.v) < 1e18 ? (long long)__builtin_floor(x.v - edge + __builtin_rint(edge)) : 0);
    return 0;
}
static inline double s2sad_digamma(double x)
{
    if (x <= 0 && x == __builtin_floor(x))
        return __builtin_nan("");
    if (x < 0)
        return s2sad_digamma(1 - x) - 3.14159265358979323846 / __builtin_tan(3.14159265358979323846 * x);
    double sum = 0;
    for (; x < 12; x += 1)
        sum -= 1 / x;
    double s = 1 / (x * x);
    double tail = s * (1.0 / 12 - s * (1.0 / 120 - s * (1.0 / 252 - s * (1.0 / 240 - s * (1.0 / 132
                  - s * (691.0 / 32760 - s / 12))))));
    return sum + __builtin_log(x) - 0.5 / x - tail;
}
#define S2SAD_DUAL(name, partial) S2SAD_DUAL1(S2SAD_INLINE, name, s2sad_result, partial)
#define S2SAD_TELLING(name, partial) S2SAD_DUAL1(S2SAD_TELLS, name, , partial)
#define S2SAD_DUAL1(how, name, rounded, partial)                               \
    how s2sad_dual name(s2sad_dual x)                                          \
    {                                                                          \
        const double v = x.v, r = rounded(__builtin_##name(v));                \
        (void)v;                                                               \
        return {r, x.d == 0 ? 0 : s2sad_times(partial, x.d)};                  \
    }
S2SAD_DUAL(acos, -1 / __builtin_sqrt((1 - v) * (1 + v)))
S2SAD_DUAL(acosh, 1 / __builtin_sqrt((v - 1) * (v + 1)))
S2SAD_DUAL(asin, 1 / __builtin_sqrt((1 - v) * (1 + v)))
S2SAD_DUAL(asinh, 1 / __builtin_hypot(1, v))
S2SAD_DUAL(atan, 1 / (1 + v * v))
S2SAD_DUAL(atanh, 1 / ((1 - v) * (1 + v)))
S2SAD_DUAL(cbrt, 1 / (3 * r * r))
S2SAD_TELLING(ceil, s2sad_step(S2SAD_HERE, x, __builtin_rint(v)))
S2SAD_DUAL(cos, -__builtin_sin(v))
S2SAD_DUAL(cosh, __builtin_sinh(v))
S2SAD_DUAL(erf, 1.12837916709551257390 * __builtin_exp(-v * v))
S2SAD_DUAL(erfc, -1.12837916709551257390 * __builtin_exp(-v * v))
S2SAD_DUAL(exp, r)
S2SAD_DUAL(exp2, r * 0.69314718055994530942)
S2SAD_DUAL(expm1, __builtin_exp(v))
S2SAD_TELLING(fabs, s2sad_sign(S2SAD_HERE, x))
S2SAD_TELLING(floor, s2sad_step(S2SAD_HERE, x, __builtin_rint(v)))
S2SAD_DUAL(lgamma, s2sad_digamma(v))
S2SAD_DUAL(log, 1 / v)
S2SAD_DUAL(log10, 0.43429448190325182765 / v)
S2SAD_DUAL(log1p, 1 / (1 + v))
S2SAD_DUAL(log2, 1.4426950408889634074 / v)
S2SAD_DUAL(logb, 0)
S2SAD_TELLING(nearbyint, s2sad_step(S2SAD_HERE, x, __builtin_floor(v) + 0.5))
S2SAD_TELLING(rint, s2sad_step(S2SAD_HERE, x, __builtin_floor(v) + 0.5))
S2SAD_TELLING(round, s2sad_step(S2SAD_HERE, x, __builtin_floor(v) + 0.5))
S2SAD_DUAL(sin, __builtin_cos(v))
S2SAD_DUAL(sinh, __builtin_cosh(v))
S2SAD_DUAL(sqrt, 0.5 / r)
S2SAD_DUAL(tan, 1 + r * r)
S2SAD_DUAL(tanh, s2sad_of_tanh(v, r))
S2SAD_DUAL(tgamma, r * s2sad_digamma(v))
S2SAD_TELLING(trunc, s2sad_step(S2SAD_HERE, x, __builtin_rint(v)))
#undef S2SAD_DUAL
#undef S2SAD_DUAL1
#undef S2SAD_TELLING
#define S2SAD_TO_WHOLE(R, name) \
    S2SAD_TELLS R name(s2sad_dual x) { return s2sad_step(S2SAD_HERE, x, __builtin_floor(x.v) + 0.5), s2sad_decided(__builtin_##name(x.v)); }
S2SAD_TO_WHOLE(long, lrint) S2SAD_TO_WHOLE(long, lround) S2SAD_TO_WHOLE(long long, llrint)
S2SAD_TO_WHOLE(long long, llround)
#undef S2SAD_TO_WHOLE
S2SAD_INLINE int ilogb(s2sad_dual x) { return __builtin_ilogb(x.v); }
S2SAD_INLINE s2sad_dual abs(s2sad_dual x) { return fabs(x); }
S2SAD_INLINE bool isfinite(s2sad_dual x) { return __builtin_isfinite(x.v); }
S2SAD_INLINE bool isinf(s2sad_dual x) { return __builtin_isinf(x.v); }
S2SAD_INLINE bool isnan(s2sad_dual x) { return __builtin_isnan(x.v); }
S2SAD_INLINE bool signbit(s2sad_dual x) { return 0 != __builtin_signbit(x.v); }

// ---- functions of two arguments -------------------------------------------------------------------------
// name(a, b) of two duals; then of a dual and any number.
#define S2SAD_DUAL2(name, result) S2SAD_DUAL2_AS(S2SAD_INLINE, name, result)
#define S2SAD_CHOICE2(name, result) S2SAD_DUAL2_AS(S2SAD_TELLS, name, result)
#define S2SAD_DUAL2_AS(how, name, result)                                                                      \
    how s2sad_dual s2sad_of2_##name(s2sad_dual x, s2sad_dual y)                               \
    {                                                                                                  \
        const double a = x.v, b = y.v, r = __builtin_##name(a, b);                                     \
        (void)a, (void)b;                                                                              \
        return result;                                                                                 \
    }                                                                                                  \
    S2SAD_BOTH(name)
#define S2SAD_BOTH(name) \
    template <S2SAD_DUALS(A, B)> S2SAD_INLINE s2sad_dual name(A x, B y) { return s2sad_of2_##name(x, y); }
S2SAD_INLINE s2sad_dual s2sad_sum(double r, double da, double xd, double db, double yd)
{
    return {r, s2sad_terms(s2sad_times(da, xd), s2sad_times(db, yd))};
}
S2SAD_DUAL2(atan2, s2sad_sum(r, b / (a * a + b * b), x.d, -a / (a * a + b * b), y.d))
S2SAD_DUAL2(copysign, s2sad_dual(r, s2sad_times(__builtin_signbit(a) == __builtin_signbit(r) ? 1 : -1, x.d)))
S2SAD_CHOICE2(fdim, (s2sad_choice(S2SAD_HERE, x, y), s2sad_decided(a > b) ? s2sad_dual(r, x.d - y.d) : s2sad_dual(r, 0)))
S2SAD_CHOICE2(fmax, (s2sad_choice(S2SAD_HERE, x, y), s2sad_decided(r == a) ? s2sad_dual(r, x.d) : s2sad_dual(r, y.d)))
S2SAD_CHOICE2(fmin, (s2sad_choice(S2SAD_HERE, x, y), s2sad_decided(r == a) ? s2sad_dual(r, x.d) : s2sad_dual(r, y.d)))
S2SAD_DUAL2(fmod, s2sad_sum(r, 1, x.d, -__builtin_trunc(a / b), y.d))
S2SAD_DUAL2(hypot, s2sad_sum(r, a / r, x.d, b / r, y.d))
S2SAD_DUAL2(nextafter, s2sad_dual(r, x.d))
S2SAD_DUAL2(remainder, s2sad_sum(r, 1, x.d, -__builtin_rint((a - r) / b), y.d))
S2SAD_INLINE s2sad_dual s2sad_of2_pow(s2sad_dual x, s2sad_dual y)
{
    const double a = x.v, b = y.v, r = s2sad_result(__builtin_pow(a, b));
    double da = b == 0 ? 0 : b * __builtin_pow(a, b - 1), db = a > 0 ? r * __builtin_log(a) : a == 0 && b > 0 ? 0 : __builtin_nan("");
    return s2sad_sum(r, da, x.d, db, y.d);
}
S2SAD_BOTH(pow)
template <S2SAD_DUALS(A, B)> S2SAD_INLINE s2sad_dual max(A a, B b) { return s2sad_of2_fmax(a, b); }
template <S2SAD_DUALS(A, B)> S2SAD_INLINE s2sad_dual min(A a, B b) { return s2sad_of2_fmin(a, b); }

// ---- functions with integers, with outputs, and of three arguments --------------------------------------
S2SAD_INLINE s2sad_dual ldexp(s2sad_dual x, int n) { return {__builtin_ldexp(x.v, n), __builtin_ldexp(x.d, n)}; }
S2SAD_INLINE s2sad_dual scalbn(s2sad_dual x, int n) { return ldexp(x, n); }
S2SAD_INLINE s2sad_dual scalbln(s2sad_dual x, long n) { return {__builtin_scalbln(x.v, n), __builtin_scalbln(x.d, n)}; }
S2SAD_INLINE s2sad_dual frexp(s2sad_dual x, int *n)
{
    double r = __builtin_frexp(x.v, n);
    return {r, __builtin_ldexp(x.d, -*n)};
}
S2SAD_INLINE s2sad_dual modf(s2sad_dual x, s2sad_dual *whole)
{
    double w, r = __builtin_modf(x.v, &w);
    *whole = {w, 0};
    return {r, x.d};
}
S2SAD_INLINE s2sad_dual remquo(s2sad_dual x, s2sad_dual y, int *q)
{
    double r = __builtin_remquo(x.v, y.v, q);
    return s2sad_sum(r, 1, x.d, -__builtin_rint((x.v - r) / y.v), y.d);
}
S2SAD_INLINE void sincos(s2sad_dual x, s2sad_dual *s, s2sad_dual *c) { *s = sin(x), *c = cos(x); }
template <class A, class B, class C,
          typename s2sad_if<s2sad_is_dual<A> || s2sad_is_dual<B> || s2sad_is_dual<C>>::type = 0>
S2SAD_INLINE s2sad_dual fma(A a, B b, C c)
{
    s2sad_dual x(a), y(b), z(c);
    return {s2sad_result(__builtin_fma(x.v, y.v, z.v)),
            s2sad_terms(s2sad_terms(s2sad_times(y.v, x.d), s2sad_times(x.v, y.d)), z.d)};
}

// Defined after the functions that they use.
s2sad_dual exp10(s2sad_dual), j0(s2sad_dual), j1(s2sad_dual), y0(s2sad_dual), y1(s2sad_dual);
s2sad_dual jn(int, s2sad_dual), yn(int, s2sad_dual), sinpi(s2sad_dual), cospi(s2sad_dual), erfcx(s2sad_dual);
s2sad_dual erfinv(s2sad_dual), erfcinv(s2sad_dual), normcdf(s2sad_dual), normcdfinv(s2sad_dual);
s2sad_dual cyl_bessel_i0(s2sad_dual), cyl_bessel_i1(s2sad_dual), rsqrt(s2sad_dual), rcbrt(s2sad_dual);
void sincospi(s2sad_dual, s2sad_dual *, s2sad_dual *);

}  // namespace cuda_on_cpu
