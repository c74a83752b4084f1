// A number with a tangent, and its functions: S2SAD_SELF, whose value and tangent are each a S2SAD_PART.
// S2SAD_OF(name) is the function of parts. dual.h includes this within the namespace.

struct S2SAD_SELF {
    S2SAD_PART v, d;
    S2SAD_SELF() = default;
    constexpr S2SAD_SELF(S2SAD_PART v, S2SAD_PART d) : v(s2sad_rounded(v)), d(d) {}
    template <class T, typename s2sad_if<s2sad_converts<T>>::type = 0>
    constexpr S2SAD_SELF(T x) : v(s2sad_rounded((S2SAD_PART)(double)x)), d(0) {}
    explicit constexpr operator bool() const { return s2sad_value(v) != 0; }
    explicit constexpr operator double() const { return s2sad_value(v); }
    explicit constexpr operator float() const { return (float)s2sad_value(v); }
    // C converts to integers implicitly, but with this conversion implicit `?:` of a real and an integer is
    // ambiguous: most texts need it explicit, few implicit.
    template <class I, typename s2sad_if<s2sad_integer<I> && !s2sad_same<I, bool>>::type = 0>
#ifndef S2SAD_DUAL_IS_INTEGER
    explicit
#endif
    __attribute__((noinline)) operator I() const
    {
        const double x = s2sad_value(v);
        if ((!s2sad_zero(d) || s2sad_moves(v))
            && __builtin_fabs(x - __builtin_rint(x)) <= s2sad_near * __builtin_fabs(x))
            s2sad_tied(S2SAD_HERE, x, __builtin_rint(x));
        return s2sad_decided((I)x);
    }
    constexpr S2SAD_SELF operator+() const { return *this; }
    constexpr S2SAD_SELF operator-() const { return {-v, -d}; }
    S2SAD_SELF &operator++() { return v += 1, *this; }
    S2SAD_SELF &operator--() { return v -= 1, *this; }
    S2SAD_SELF operator++(int) { S2SAD_SELF old = *this; v += 1; return old; }
    S2SAD_SELF operator--(int) { S2SAD_SELF old = *this; v -= 1; return old; }
};
#define S2SAD_DUALS(A, B) class A, class B, typename s2sad_if<s2sad_among<S2SAD_SELF, A, B>>::type = 0
S2SAD_INLINE constexpr double s2sad_value(S2SAD_SELF x) { return s2sad_value(x.v); }
S2SAD_INLINE constexpr bool s2sad_zero(S2SAD_SELF x) { return s2sad_zero(x.v) && s2sad_zero(x.d); }
S2SAD_INLINE constexpr bool s2sad_moves(S2SAD_SELF x) { return !s2sad_zero(x.d) || s2sad_moves(x.v); }
S2SAD_INLINE constexpr bool s2sad_move_apart(S2SAD_SELF a, S2SAD_SELF b)
{
    return !s2sad_equal(a.d, b.d) || s2sad_move_apart(a.v, b.v);
}
S2SAD_INLINE constexpr S2SAD_SELF s2sad_linear(double value, double slope, S2SAD_SELF x)
{
    return {s2sad_linear(value, slope, x.v), s2sad_times((S2SAD_PART)slope, x.d)};
}

// ---- operators -----------------------------------------------------------------------------------------
constexpr S2SAD_SELF s2sad_add(S2SAD_SELF a, S2SAD_SELF b) { return {s2sad_plus(a.v, b.v), s2sad_terms(a.d, b.d)}; }
constexpr S2SAD_SELF s2sad_subtract(S2SAD_SELF a, S2SAD_SELF b)
{
    return {s2sad_plus(a.v, -b.v), s2sad_terms(a.d, -b.d)};
}
constexpr S2SAD_SELF s2sad_multiply(S2SAD_SELF a, S2SAD_SELF b)
{
    return {s2sad_product(a.v, b.v), s2sad_terms(s2sad_times(b.v, a.d), s2sad_times(a.v, b.d))};
}
constexpr S2SAD_SELF s2sad_divide(S2SAD_SELF a, S2SAD_SELF b)
{
    return {s2sad_ratio(a.v, b.v), s2sad_terms(s2sad_times(s2sad_ratio((S2SAD_PART)1, b.v), a.d),
                                              -s2sad_times(s2sad_ratio(s2sad_ratio(a.v, b.v), b.v), b.d))};
}
#define S2SAD_OPERATOR(sign, name)                                                                                \
    template <S2SAD_DUALS(A, B)> S2SAD_INLINE constexpr S2SAD_SELF operator sign(A a, B b) { return name(a, b); } \
    template <class B, typename s2sad_if<s2sad_among<S2SAD_SELF, S2SAD_SELF, B>>::type = 0>                       \
    S2SAD_INLINE S2SAD_SELF &operator sign##=(S2SAD_SELF &a, B b) { return a = name(a, b); }                      \
    template <class I, typename s2sad_if<s2sad_integer<I>>::type = 0>                                             \
    S2SAD_INLINE I &operator sign##=(I &a, S2SAD_SELF b) { return a = (I)s2sad_value(name(a, b)); }
S2SAD_OPERATOR(+, s2sad_add) S2SAD_OPERATOR(-, s2sad_subtract) S2SAD_OPERATOR(*, s2sad_multiply)
S2SAD_OPERATOR(/, s2sad_divide)
#undef S2SAD_OPERATOR

// Whether a slightly different input may order them differently.
S2SAD_INLINE bool s2sad_nearly(S2SAD_SELF a, S2SAD_SELF b)
{
    const double x = s2sad_value(a), y = s2sad_value(b);
    return s2sad_move_apart(a, b)
           && __builtin_fabs(x - y) < __builtin_inf()
           && __builtin_fabs(x - y) <= s2sad_near * (__builtin_fabs(x) + __builtin_fabs(y));
}
S2SAD_INLINE void s2sad_choice(void *here, S2SAD_SELF x, S2SAD_SELF y)
{
    if (__builtin_expect(s2sad_nearly(x, y), 0))
        s2sad_tied(here, s2sad_value(x), s2sad_value(y));
}
#define S2SAD_COMPARISON(sign)                                            \
    template <S2SAD_DUALS(A, B)> S2SAD_TELLS bool operator sign(A x, B y) \
    {                                                                     \
        S2SAD_SELF a(x), b(y);                                            \
        s2sad_choice(S2SAD_HERE, a, b);                                   \
        return s2sad_decided(s2sad_value(a) sign s2sad_value(b));         \
    }
S2SAD_COMPARISON(<) S2SAD_COMPARISON(<=) S2SAD_COMPARISON(>) S2SAD_COMPARISON(>=) S2SAD_COMPARISON(==)
S2SAD_COMPARISON(!=)
#undef S2SAD_COMPARISON

// ---- functions of one argument: v its value, r the result's --------------------------------------------
S2SAD_INLINE double s2sad_sign(void *here, S2SAD_SELF x)
{
    const double v = s2sad_value(x);
    if (v == 0 && s2sad_moves(x))
        s2sad_tied(here, v, 0);
    return s2sad_decided(v > 0 ? 1 : v < 0 ? -1 : 0);
}
// A step: its derivative is 0 on both sides.
S2SAD_INLINE double s2sad_step(void *here, S2SAD_SELF x, double edge)
{
    const double v = s2sad_value(x);
    if (s2sad_moves(x) && __builtin_fabs(v - edge) <= s2sad_near * __builtin_fabs(v))
        s2sad_tied(here, v, edge);
    const bool small = __builtin_isfinite(v) && __builtin_fabs(v) < 1e18;
    s2sad_decided(small ? (long long)__builtin_floor(v - edge + __builtin_rint(edge)) : 0);
    return 0;
}
static inline S2SAD_PART s2sad_digamma(S2SAD_PART x)
{
    if (s2sad_value(x) <= 0 && s2sad_value(x) == __builtin_floor(s2sad_value(x)))
        return __builtin_nan("");
    if (s2sad_value(x) < 0)
        return s2sad_digamma(1 - x) - 3.14159265358979323846 / S2SAD_OF(tan)(3.14159265358979323846 * x);
    S2SAD_PART sum = 0;
    for (; s2sad_value(x) < 12; x += 1)
        sum -= 1 / x;
    S2SAD_PART s = 1 / (x * x);
    S2SAD_PART tail = s * (1.0 / 12 - s * (1.0 / 120 - s * (1.0 / 252 - s * (1.0 / 240 - s * (1.0 / 132
                  - s * (691.0 / 32760 - s / 12))))));
    return sum + S2SAD_OF(log)(x) - 0.5 / x - tail;
}
#define S2SAD_DUAL(name, partial)                                                              \
    S2SAD_INLINE S2SAD_SELF name(S2SAD_SELF x)                                                 \
    {                                                                                          \
        const S2SAD_PART v = x.v, r = s2sad_result(S2SAD_OF(name)(v));                         \
        (void)v;                                                                               \
        return {r, s2sad_zero(x.d) ? (S2SAD_PART)0 : s2sad_times((S2SAD_PART)(partial), x.d)}; \
    }
// Functions that are linear between steps, and tell how near a step is.
#define S2SAD_TELLING(name, slope)                                               \
    S2SAD_TELLS S2SAD_SELF name(S2SAD_SELF x)                                    \
    {                                                                            \
        const double v = s2sad_value(x);                                         \
        return s2sad_linear(__builtin_##name(v), s2sad_moves(x) ? slope : 0, x); \
    }
S2SAD_DUAL(acos, -1 / S2SAD_OF(sqrt)((1 - v) * (1 + v)))
S2SAD_DUAL(acosh, 1 / S2SAD_OF(sqrt)((v - 1) * (v + 1)))
S2SAD_DUAL(asin, 1 / S2SAD_OF(sqrt)((1 - v) * (1 + v)))
S2SAD_DUAL(asinh, 1 / S2SAD_OF(hypot)(1, v))
S2SAD_DUAL(atan, 1 / (1 + v * v))
S2SAD_DUAL(atanh, 1 / ((1 - v) * (1 + v)))
S2SAD_DUAL(cbrt, 1 / (3 * r * r))
S2SAD_TELLING(ceil, s2sad_step(S2SAD_HERE, x, __builtin_rint(v)))
S2SAD_DUAL(cos, -S2SAD_OF(sin)(v))
S2SAD_DUAL(cosh, S2SAD_OF(sinh)(v))
S2SAD_DUAL(erf, 1.12837916709551257390 * S2SAD_OF(exp)(-v * v))
S2SAD_DUAL(erfc, -1.12837916709551257390 * S2SAD_OF(exp)(-v * v))
S2SAD_DUAL(exp, r)
S2SAD_DUAL(exp2, r * 0.69314718055994530942)
S2SAD_DUAL(expm1, S2SAD_OF(exp)(v))
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
S2SAD_DUAL(sin, S2SAD_OF(cos)(v))
S2SAD_DUAL(sinh, S2SAD_OF(cosh)(v))
S2SAD_DUAL(sqrt, 0.5 / r)
S2SAD_DUAL(tan, 1 + r * r)
S2SAD_DUAL(tanh, s2sad_of_tanh(v, r))
S2SAD_DUAL(tgamma, r * s2sad_digamma(v))
S2SAD_TELLING(trunc, s2sad_step(S2SAD_HERE, x, __builtin_rint(v)))
#undef S2SAD_DUAL
#undef S2SAD_TELLING
#define S2SAD_TO_WHOLE(R, name)                                                                         \
    S2SAD_TELLS R name(S2SAD_SELF x)                                                                    \
    {                                                                                                   \
        const double v = s2sad_value(x);                                                                \
        return s2sad_step(S2SAD_HERE, x, __builtin_floor(v) + 0.5), s2sad_decided(__builtin_##name(v)); \
    }
S2SAD_TO_WHOLE(long, lrint) S2SAD_TO_WHOLE(long, lround) S2SAD_TO_WHOLE(long long, llrint)
S2SAD_TO_WHOLE(long long, llround)
#undef S2SAD_TO_WHOLE
S2SAD_INLINE int ilogb(S2SAD_SELF x) { return __builtin_ilogb(s2sad_value(x)); }
S2SAD_INLINE S2SAD_SELF abs(S2SAD_SELF x) { return fabs(x); }
S2SAD_INLINE bool isfinite(S2SAD_SELF x) { return __builtin_isfinite(s2sad_value(x)); }
S2SAD_INLINE bool isinf(S2SAD_SELF x) { return __builtin_isinf(s2sad_value(x)); }
S2SAD_INLINE bool isnan(S2SAD_SELF x) { return __builtin_isnan(s2sad_value(x)); }
S2SAD_INLINE bool signbit(S2SAD_SELF x) { return 0 != __builtin_signbit(s2sad_value(x)); }

S2SAD_INLINE double s2sad_quotient(S2SAD_PART a, S2SAD_PART b)
{
    return __builtin_rint(s2sad_value(a) / s2sad_value(b));
}

// ---- functions of two arguments -------------------------------------------------------------------------
// name(a, b) of two of them; then of one and any number.
#define S2SAD_DUAL2(name, result)                                        \
    S2SAD_INLINE S2SAD_SELF s2sad_of2_##name(S2SAD_SELF x, S2SAD_SELF y) \
    {                                                                    \
        const S2SAD_PART a = x.v, b = y.v, r = S2SAD_OF(name)(a, b);     \
        (void)a, (void)b;                                                \
        return result;                                                   \
    }                                                                    \
    S2SAD_BOTH(name)
// The same, linear between steps.
#define S2SAD_LINEAR2(name, result) S2SAD_LINEAR2_AS(S2SAD_INLINE, name, result)
#define S2SAD_CHOICE2(name, result) S2SAD_LINEAR2_AS(S2SAD_TELLS, name, result)
#define S2SAD_LINEAR2_AS(how, name, result)                                              \
    how S2SAD_SELF s2sad_of2_##name(S2SAD_SELF x, S2SAD_SELF y)                          \
    {                                                                                    \
        const double a = s2sad_value(x), b = s2sad_value(y), r = __builtin_##name(a, b); \
        (void)a, (void)b;                                                                \
        return result;                                                                   \
    }                                                                                    \
    S2SAD_BOTH(name)
#define S2SAD_BOTH(name) \
    template <S2SAD_DUALS(A, B)> S2SAD_INLINE S2SAD_SELF name(A x, B y) { return s2sad_of2_##name(x, y); }
S2SAD_INLINE S2SAD_SELF s2sad_sum(S2SAD_PART r, S2SAD_PART da, S2SAD_PART xd, S2SAD_PART db, S2SAD_PART yd)
{
    return {r, s2sad_terms(s2sad_times(da, xd), s2sad_times(db, yd))};
}
S2SAD_DUAL2(atan2, s2sad_sum(r, b / (a * a + b * b), x.d, -a / (a * a + b * b), y.d))
S2SAD_LINEAR2(copysign, s2sad_linear(r, __builtin_signbit(a) == __builtin_signbit(r) ? 1 : -1, x))
S2SAD_CHOICE2(fdim, (s2sad_choice(S2SAD_HERE, x, y), s2sad_decided(a > b) ? s2sad_subtract(x, y) : S2SAD_SELF(r)))
S2SAD_CHOICE2(fmax, (s2sad_choice(S2SAD_HERE, x, y), s2sad_linear(r, 1, s2sad_decided(r == a) ? x : y)))
S2SAD_CHOICE2(fmin, (s2sad_choice(S2SAD_HERE, x, y), s2sad_linear(r, 1, s2sad_decided(r == a) ? x : y)))
S2SAD_DUAL2(fmod, s2sad_sum(r, (S2SAD_PART)1, x.d,
                            (S2SAD_PART)-__builtin_trunc(s2sad_value(a) / s2sad_value(b)), y.d))
S2SAD_DUAL2(hypot, s2sad_sum(r, a / r, x.d, b / r, y.d))
S2SAD_LINEAR2(nextafter, s2sad_linear(r, 1, x))
S2SAD_DUAL2(remainder, s2sad_sum(r, (S2SAD_PART)1, x.d, (S2SAD_PART)-s2sad_quotient(a - r, b), y.d))
S2SAD_INLINE S2SAD_SELF s2sad_of2_pow(S2SAD_SELF x, S2SAD_SELF y)
{
    const S2SAD_PART a = x.v, b = y.v, r = s2sad_result(S2SAD_OF(pow)(a, b));
    S2SAD_PART da = s2sad_zero(b) ? (S2SAD_PART)0 : b * S2SAD_OF(pow)(a, b - 1);
    S2SAD_PART db = s2sad_value(a) > 0                          ? r * S2SAD_OF(log)(a)
                    : s2sad_value(a) == 0 && s2sad_value(b) > 0 ? (S2SAD_PART)0
                                                                : (S2SAD_PART)__builtin_nan("");
    return s2sad_sum(r, da, x.d, db, y.d);
}
S2SAD_BOTH(pow)
template <S2SAD_DUALS(A, B)> S2SAD_INLINE S2SAD_SELF max(A a, B b) { return s2sad_of2_fmax(a, b); }
template <S2SAD_DUALS(A, B)> S2SAD_INLINE S2SAD_SELF min(A a, B b) { return s2sad_of2_fmin(a, b); }

// ---- functions with integers, with outputs, and of three arguments --------------------------------------
S2SAD_INLINE S2SAD_SELF ldexp(S2SAD_SELF x, int n) { return {S2SAD_OF(ldexp)(x.v, n), S2SAD_OF(ldexp)(x.d, n)}; }
S2SAD_INLINE S2SAD_SELF scalbn(S2SAD_SELF x, int n) { return ldexp(x, n); }
S2SAD_INLINE S2SAD_SELF scalbln(S2SAD_SELF x, long n)
{
    return {S2SAD_OF(scalbln)(x.v, n), S2SAD_OF(scalbln)(x.d, n)};
}
S2SAD_INLINE S2SAD_SELF frexp(S2SAD_SELF x, int *n)
{
    S2SAD_PART r = S2SAD_OF(frexp)(x.v, n);
    return {r, S2SAD_OF(ldexp)(x.d, -*n)};
}
S2SAD_INLINE S2SAD_SELF modf(S2SAD_SELF x, S2SAD_SELF *whole)
{
    S2SAD_PART w, r = S2SAD_OF(modf)(x.v, &w);
    *whole = {w, (S2SAD_PART)0};
    return {r, x.d};
}
S2SAD_INLINE S2SAD_SELF remquo(S2SAD_SELF x, S2SAD_SELF y, int *q)
{
    S2SAD_PART r = S2SAD_OF(remquo)(x.v, y.v, q);
    return s2sad_sum(r, (S2SAD_PART)1, x.d, (S2SAD_PART)-s2sad_quotient(x.v - r, y.v), y.d);
}
S2SAD_INLINE void sincos(S2SAD_SELF x, S2SAD_SELF *s, S2SAD_SELF *c) { *s = sin(x), *c = cos(x); }
template <class A, class B, class C,
          typename s2sad_if<s2sad_same<A, S2SAD_SELF> || s2sad_same<B, S2SAD_SELF>
                            || s2sad_same<C, S2SAD_SELF>>::type = 0>
S2SAD_INLINE S2SAD_SELF fma(A a, B b, C c)
{
    S2SAD_SELF x(a), y(b), z(c);
    return {s2sad_result(S2SAD_OF(fma)(x.v, y.v, z.v)),
            s2sad_terms(s2sad_terms(s2sad_times(y.v, x.d), s2sad_times(x.v, y.d)), z.d)};
}

// Defined after the functions that they use.
S2SAD_SELF exp10(S2SAD_SELF), j0(S2SAD_SELF), j1(S2SAD_SELF), y0(S2SAD_SELF), y1(S2SAD_SELF);
S2SAD_SELF jn(int, S2SAD_SELF), yn(int, S2SAD_SELF), sinpi(S2SAD_SELF), cospi(S2SAD_SELF), erfcx(S2SAD_SELF);
S2SAD_SELF erfinv(S2SAD_SELF), erfcinv(S2SAD_SELF), normcdf(S2SAD_SELF), normcdfinv(S2SAD_SELF);
S2SAD_SELF cyl_bessel_i0(S2SAD_SELF), cyl_bessel_i1(S2SAD_SELF), rsqrt(S2SAD_SELF), rcbrt(S2SAD_SELF);
void sincospi(S2SAD_SELF, S2SAD_SELF *, S2SAD_SELF *);

#undef S2SAD_DUAL2
#undef S2SAD_LINEAR2
#undef S2SAD_CHOICE2
#undef S2SAD_LINEAR2_AS
