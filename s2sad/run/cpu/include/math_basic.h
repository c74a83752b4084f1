// CUDA's math functions that C's library has too. Each name has nvcc's overloads: float for float, double
// for double, for mixed arguments and for integers.
#pragma once

namespace cuda_on_cpu {

#define S2SAD_INTEGERS_GO_TO_DOUBLE(R, name) \
    template <class I, typename s2sad_if<s2sad_integer<I>>::type = 0> S2SAD_INLINE R name(I x) { return name((double)x); }
#define S2SAD_MIXED_GO_TO_DOUBLE(R, name)                                       \
    template <class A, class B, typename s2sad_if<s2sad_mixed<A, B>>::type = 0> \
    S2SAD_INLINE R name(A x, B y) { return name((double)x, (double)y); }

#define S2SAD_UNARY_TO(R, RF, RD, name)                                  \
    S2SAD_INLINE RF name(float x) { return __builtin_##name##f(x); }    \
    S2SAD_INLINE RD name(double x) { return __builtin_##name(x); }      \
    S2SAD_INTEGERS_GO_TO_DOUBLE(RD, name)                               \
    S2SAD_INLINE R name##f(s2sad_real x) { return name(x); }
#define S2SAD_UNARY(name) S2SAD_UNARY_TO(s2sad_real, float, double, name)
#define S2SAD_BINARY(name)                                                                  \
    S2SAD_INLINE float name(float x, float y) { return __builtin_##name##f(x, y); }        \
    S2SAD_INLINE double name(double x, double y) { return __builtin_##name(x, y); }        \
    S2SAD_MIXED_GO_TO_DOUBLE(double, name)                                                 \
    S2SAD_INLINE s2sad_real name##f(s2sad_real x, s2sad_real y) { return name(x, y); }
// A second argument of another type: an int, a pointer.
#define S2SAD_WITH(name, T)                                                                \
    S2SAD_INLINE float name(float x, T y) { return __builtin_##name##f(x, y); }            \
    S2SAD_INLINE double name(double x, T y) { return __builtin_##name(x, y); }             \
    template <class I, typename s2sad_if<s2sad_integer<I>>::type = 0>                      \
    S2SAD_INLINE double name(I x, T y) { return name((double)x, y); }                      \
    S2SAD_INLINE s2sad_real name##f(s2sad_real x, T y) { return name(x, y); }

S2SAD_UNARY(acos) S2SAD_UNARY(acosh) S2SAD_UNARY(asin) S2SAD_UNARY(asinh) S2SAD_UNARY(atan)
S2SAD_UNARY(atanh) S2SAD_UNARY(cbrt) S2SAD_UNARY(ceil) S2SAD_UNARY(cos) S2SAD_UNARY(cosh) S2SAD_UNARY(erf)
S2SAD_UNARY(erfc) S2SAD_UNARY(exp) S2SAD_UNARY(exp2) S2SAD_UNARY(expm1) S2SAD_UNARY(fabs)
S2SAD_UNARY(floor) S2SAD_UNARY(lgamma) S2SAD_UNARY(log) S2SAD_UNARY(log10)
S2SAD_UNARY(log1p) S2SAD_UNARY(log2) S2SAD_UNARY(logb) S2SAD_UNARY(nearbyint) S2SAD_UNARY(rint)
S2SAD_UNARY(round) S2SAD_UNARY(sin) S2SAD_UNARY(sinh) S2SAD_UNARY(sqrt) S2SAD_UNARY(tan) S2SAD_UNARY(tanh)
S2SAD_UNARY(tgamma) S2SAD_UNARY(trunc)
S2SAD_UNARY_TO(int, int, int, ilogb)
S2SAD_UNARY_TO(long, long, long, lrint) S2SAD_UNARY_TO(long, long, long, lround)
S2SAD_UNARY_TO(long long, long long, long long, llrint) S2SAD_UNARY_TO(long long, long long, long long, llround)
S2SAD_BINARY(atan2) S2SAD_BINARY(copysign) S2SAD_BINARY(fdim) S2SAD_BINARY(fmax) S2SAD_BINARY(fmin)
S2SAD_BINARY(fmod) S2SAD_BINARY(hypot) S2SAD_BINARY(nextafter) S2SAD_BINARY(pow) S2SAD_BINARY(remainder)
S2SAD_WITH(frexp, int *) S2SAD_WITH(ldexp, int) S2SAD_WITH(scalbn, int) S2SAD_WITH(scalbln, long)
#undef S2SAD_WITH

// Not in every C library.
S2SAD_INLINE double exp10(double x) { return __builtin_pow(10.0, x); }
S2SAD_INLINE float exp10(float x) { return (float)__builtin_pow(10.0, (double)x); }
S2SAD_INTEGERS_GO_TO_DOUBLE(double, exp10)
S2SAD_INLINE s2sad_real exp10f(s2sad_real x) { return exp10(x); }

// Bessel functions aren't built-ins of clang. They are declared under our names, because the text may include
// math.h. Their float versions have few correct digits, so double is used for both.
#define S2SAD_STRING(x) #x
#define S2SAD_SYMBOL(prefix, name) S2SAD_STRING(prefix) #name
#define S2SAD_LIBRARY(name, parameters) \
    double s2sad_library_##name parameters __asm__(S2SAD_SYMBOL(__USER_LABEL_PREFIX__, name));
#define S2SAD_BESSEL(name)                                                                              \
    S2SAD_LIBRARY(name, (double))                                                                       \
    S2SAD_INLINE double name(double x) { return s2sad_library_##name(x); }                              \
    S2SAD_INLINE float name(float x) { return (float)s2sad_library_##name((double)x); }                 \
    S2SAD_INTEGERS_GO_TO_DOUBLE(double, name)                                                           \
    S2SAD_INLINE s2sad_real name##f(s2sad_real x) { return name(x); }
#define S2SAD_BESSEL_N(name)                                                                            \
    S2SAD_LIBRARY(name, (int, double))                                                                  \
    S2SAD_INLINE double name(int n, double x) { return s2sad_library_##name(n, x); }                    \
    S2SAD_INLINE float name(int n, float x) { return (float)s2sad_library_##name(n, (double)x); }       \
    S2SAD_INLINE s2sad_real name##f(int n, s2sad_real x) { return name(n, x); }
S2SAD_BESSEL(j0) S2SAD_BESSEL(j1) S2SAD_BESSEL(y0) S2SAD_BESSEL(y1) S2SAD_BESSEL_N(jn) S2SAD_BESSEL_N(yn)
#undef S2SAD_BESSEL
#undef S2SAD_BESSEL_N

S2SAD_INLINE float modf(float x, float *whole) { return __builtin_modff(x, whole); }
S2SAD_INLINE double modf(double x, double *whole) { return __builtin_modf(x, whole); }
S2SAD_INLINE s2sad_real modff(s2sad_real x, s2sad_real *whole) { return modf(x, whole); }
S2SAD_INLINE float remquo(float x, float y, int *q) { return __builtin_remquof(x, y, q); }
S2SAD_INLINE double remquo(double x, double y, int *q) { return __builtin_remquo(x, y, q); }
S2SAD_INLINE s2sad_real remquof(s2sad_real x, s2sad_real y, int *q) { return remquo(x, y, q); }

S2SAD_INLINE float fma(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
S2SAD_INLINE double fma(double x, double y, double z) { return __builtin_fma(x, y, z); }
template <class A, class B, class C,
          typename s2sad_if<s2sad_number<A> && s2sad_number<C> && (s2sad_mixed<A, B> || s2sad_mixed<B, C>)>::type = 0>
S2SAD_INLINE double fma(A x, B y, C z) { return __builtin_fma((double)x, (double)y, (double)z); }
S2SAD_INLINE s2sad_real fmaf(s2sad_real x, s2sad_real y, s2sad_real z) { return fma(x, y, z); }

S2SAD_INLINE void sincos(float x, float *s, float *c) { *s = __builtin_sinf(x), *c = __builtin_cosf(x); }
S2SAD_INLINE void sincos(double x, double *s, double *c) { *s = __builtin_sin(x), *c = __builtin_cos(x); }
S2SAD_INLINE void sincosf(s2sad_real x, s2sad_real *s, s2sad_real *c) { sincos(x, s, c); }

S2SAD_INLINE s2sad_real nanf(const char *) { return __builtin_nanf(""); }
S2SAD_INLINE double nan(const char *) { return __builtin_nan(""); }

#define S2SAD_TEST(name, test)                                       \
    S2SAD_INLINE bool name(float x) { return test(x); }              \
    S2SAD_INLINE bool name(double x) { return test(x); }             \
    S2SAD_INTEGERS_GO_TO_DOUBLE(bool, name)
#undef isfinite
#undef isinf
#undef isnan
#undef signbit
S2SAD_TEST(isfinite, __builtin_isfinite)
S2SAD_TEST(isinf, __builtin_isinf)
S2SAD_TEST(isnan, __builtin_isnan)
S2SAD_TEST(signbit, 0 != __builtin_signbit)
#undef S2SAD_TEST

// ---- min, max, abs: one rule for all types -------------------------------------------------------------
S2SAD_INLINE float abs(float x) { return __builtin_fabsf(x); }
S2SAD_INLINE double abs(double x) { return __builtin_fabs(x); }
S2SAD_INLINE int abs(int x) { return x < 0 ? -x : x; }
S2SAD_INLINE long abs(long x) { return x < 0 ? -x : x; }
S2SAD_INLINE long long abs(long long x) { return x < 0 ? -x : x; }
S2SAD_INLINE long labs(long x) { return abs(x); }
S2SAD_INLINE long long llabs(long long x) { return abs(x); }
// Integers: the usual arithmetic conversions, as in nvcc's overloads. Floats: fmax and fmin, which drop a NaN.
template <class A, class B, typename s2sad_if<s2sad_number<A> && s2sad_number<B>>::type = 0>
S2SAD_INLINE decltype(A() + B()) max(A a, B b)
{
    typedef decltype(A() + B()) T;
    if constexpr (s2sad_integer<T>)
        return (T)a < (T)b ? (T)b : (T)a;
    else
        return fmax((T)a, (T)b);
}
template <class A, class B, typename s2sad_if<s2sad_number<A> && s2sad_number<B>>::type = 0>
S2SAD_INLINE decltype(A() + B()) min(A a, B b)
{
    typedef decltype(A() + B()) T;
    if constexpr (s2sad_integer<T>)
        return (T)b < (T)a ? (T)b : (T)a;
    else
        return fmin((T)a, (T)b);
}
S2SAD_INLINE unsigned umax(unsigned a, unsigned b) { return max(a, b); }
S2SAD_INLINE unsigned umin(unsigned a, unsigned b) { return min(a, b); }
S2SAD_INLINE long long llmax(long long a, long long b) { return max(a, b); }
S2SAD_INLINE long long llmin(long long a, long long b) { return min(a, b); }
S2SAD_INLINE unsigned long long ullmax(unsigned long long a, unsigned long long b) { return max(a, b); }
S2SAD_INLINE unsigned long long ullmin(unsigned long long a, unsigned long long b) { return min(a, b); }

// ---- arithmetic with explicit rounding -----------------------------------------------------------------
// All round to nearest here: results in the other three directions are off by at most one ulp.
#define S2SAD_ROUNDED(R, name, parameters, value)                              \
    S2SAD_INLINE R name##_rn parameters { return value; }                      \
    S2SAD_INLINE R name##_rz parameters { return value; }                      \
    S2SAD_INLINE R name##_ru parameters { return value; }                      \
    S2SAD_INLINE R name##_rd parameters { return value; }
#define S2SAD_ARITHMETIC(letter, T)                                            \
    S2SAD_ROUNDED(T, __##letter##add, (T x, T y), x + y)                       \
    S2SAD_ROUNDED(T, __##letter##sub, (T x, T y), x - y)                       \
    S2SAD_ROUNDED(T, __##letter##mul, (T x, T y), x * y)                       \
    S2SAD_ROUNDED(T, __##letter##div, (T x, T y), x / y)                       \
    S2SAD_ROUNDED(T, __##letter##rcp, (T x), (T)1 / x)                         \
    S2SAD_ROUNDED(T, __##letter##sqrt, (T x), sqrt(x))
S2SAD_ARITHMETIC(f, s2sad_real)
S2SAD_ARITHMETIC(d, s2sad_double)
#undef S2SAD_ARITHMETIC
S2SAD_ROUNDED(s2sad_real, __fmaf, (s2sad_real x, s2sad_real y, s2sad_real z), fma(x, y, z))
S2SAD_ROUNDED(s2sad_real, __fmaf_ieee, (s2sad_real x, s2sad_real y, s2sad_real z), fma(x, y, z))
S2SAD_ROUNDED(s2sad_double, __fma, (s2sad_double x, s2sad_double y, s2sad_double z), fma(x, y, z))
S2SAD_INLINE s2sad_real __frsqrt_rn(s2sad_real x) { return 1 / sqrt(x); }
S2SAD_INLINE s2sad_real fdividef(s2sad_real x, s2sad_real y) { return x / y; }
S2SAD_INLINE s2sad_real __fdividef(s2sad_real x, s2sad_real y) { return x / y; }
S2SAD_INLINE s2sad_real __saturatef(s2sad_real x) { return x > 0 ? x < 1 ? x : (s2sad_real)1 : (s2sad_real)0; }

// The fast approximations, computed accurately: a check of derivatives needs the exact function.
#define S2SAD_FAST(name) S2SAD_INLINE s2sad_real __##name##f(s2sad_real x) { return name(x); }
S2SAD_FAST(sin) S2SAD_FAST(cos) S2SAD_FAST(tan) S2SAD_FAST(tanh) S2SAD_FAST(exp) S2SAD_FAST(exp10)
S2SAD_FAST(log) S2SAD_FAST(log2) S2SAD_FAST(log10)
#undef S2SAD_FAST
S2SAD_INLINE s2sad_real __powf(s2sad_real x, s2sad_real y) { return pow(x, y); }
S2SAD_INLINE void __sincosf(s2sad_real x, s2sad_real *s, s2sad_real *c) { sincos(x, s, c); }

}  // namespace cuda_on_cpu
