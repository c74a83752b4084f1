// Half-precision numbers. If the text's floats are doubles or dual numbers, so are these.
// If they are floats, these round as in CUDA. A __nv_bfloat16 is then stored as a float,
// because numpy has no such type.
#pragma once

namespace cuda_on_cpu {

// Rounds to so many significant bits, ties to even, with gradual underflow below the smallest
// exponent.
S2SAD_INLINE double s2sad_nearest(double x, int digits, int smallest, double largest)
{
    if (x == 0 || !__builtin_isfinite(x))
        return x;
    int e = __builtin_ilogb(x);
    e = digits - 1 - (e < smallest ? smallest : e);
    double r = __builtin_ldexp(__builtin_rint(__builtin_ldexp(x, e)), -e);
    return __builtin_fabs(r) > largest ? __builtin_copysign(__builtin_inf(), r) : r;
}
S2SAD_INLINE double s2sad_nearest_half(double x) { return s2sad_nearest(x, 11, -14, 65504.0); }
S2SAD_INLINE double s2sad_nearest_bfloat16(double x) { return s2sad_nearest(x, 8, -126, 0x1.fep127); }

S2SAD_INLINE uint16_t s2sad_half_bits(double x)
{
    x = s2sad_nearest_half(x);
    unsigned sign = __builtin_signbit(x) ? 0x8000u : 0;
    double size = __builtin_fabs(x);
    if (size != size)
        return (uint16_t)(sign | 0x7e00u);
    if (size > 65504.0)
        return (uint16_t)(sign | 0x7c00u);
    if (size < 0x1p-14)
        return (uint16_t)(sign | (unsigned)__builtin_ldexp(size, 24));
    int e = __builtin_ilogb(size);
    return (uint16_t)(sign | (unsigned)(e + 14) << 10) + (uint16_t)__builtin_ldexp(size, 10 - e);
}
S2SAD_INLINE float s2sad_half_value(uint16_t bits)
{
    int e = bits >> 10 & 31;
    double part = bits & 1023, size = e ? __builtin_ldexp(part + 1024, e - 25) : __builtin_ldexp(part, -24);
    if (e == 31)
        size = part != 0 ? __builtin_nan("") : __builtin_inf();
    return (float)(bits & 0x8000 ? -size : size);
}

// Storage formats: `keep` converts a real to its stored form, `give` converts it back.
#if defined(S2SAD_DUAL_NUMBERS)
#ifdef S2SAD_DUAL_ROUNDS
#define S2SAD_KEPT(round, x) s2sad_real(round((x).v), (x).d)
#else
#define S2SAD_KEPT(round, x) (x)
#endif
struct s2sad_as_half
{
    typedef s2sad_real kept;
    static s2sad_real keep(s2sad_real x) { return S2SAD_KEPT(s2sad_nearest_half, x); }
    static s2sad_real give(s2sad_real x) { return x; }
};
struct s2sad_as_bfloat16 : s2sad_as_half
{
    static s2sad_real keep(s2sad_real x) { return S2SAD_KEPT(s2sad_nearest_bfloat16, x); }
};
#undef S2SAD_KEPT
#else
template <class T> struct s2sad_as_real { typedef T kept; static T keep(T x) { return x; } static T give(T x) { return x; } };
template <class T> struct s2sad_half_as : s2sad_as_real<T> {};
template <class T> struct s2sad_bfloat16_as : s2sad_as_real<T> {};
template <> struct s2sad_half_as<float>
{
    typedef uint16_t kept;
    template <class T> static kept keep(T x) { return s2sad_half_bits((double)x); }
    static float give(kept x) { return s2sad_half_value(x); }
};
template <> struct s2sad_bfloat16_as<float>
{
    typedef float kept;
    template <class T> static float keep(T x) { return (float)s2sad_nearest_bfloat16((double)x); }
    static float give(float x) { return x; }
};
typedef s2sad_half_as<s2sad_real> s2sad_as_half;
typedef s2sad_bfloat16_as<s2sad_real> s2sad_as_bfloat16;
#endif

// A shared array of a class may be constructed under a guard, which would be watched; a constexpr one isn't.
#ifdef S2SAD_WATCHED
#define S2SAD_UNMADE(name, ...) constexpr name() : __VA_ARGS__ {}
#else
#define S2SAD_UNMADE(name, ...) name() = default;
#endif

template <class As> struct s2sad_narrow
{
    typename As::kept kept;
    S2SAD_UNMADE(s2sad_narrow, kept())
    template <class T, typename s2sad_if<s2sad_number<T>>::type = 0> s2sad_narrow(T x) : kept(As::keep(x)) {}
    operator s2sad_real() const { return As::give(kept); }
#ifdef S2SAD_DUAL_NUMBERS
    s2sad_narrow(s2sad_real x) : kept(As::keep(x)) {}
    explicit operator bool() const { return (bool)kept; }
    template <class I, typename s2sad_if<s2sad_integer<I> && !s2sad_same<I, bool>>::type = 0>
    explicit operator I() const { return (I)kept; }
#endif
};
typedef s2sad_narrow<s2sad_as_half> __half, half;
struct s2sad_bfloat16_tag : s2sad_as_bfloat16 {};
typedef s2sad_narrow<s2sad_bfloat16_tag> __nv_bfloat16, nv_bfloat16;

template <class H> struct __attribute__((aligned(2 * sizeof(H)))) s2sad_pair
{
    H x, y;
    S2SAD_UNMADE(s2sad_pair, x(), y())
    s2sad_pair(H x, H y) : x(x), y(y) {}
};
typedef s2sad_pair<__half> __half2, half2;
typedef s2sad_pair<__nv_bfloat16> __nv_bfloat162, nv_bfloat162;

// ---- operators -----------------------------------------------------------------------------------------
#define S2SAD_OF(H, op)                                                                                        \
    S2SAD_INLINE H operator op(H a, H b) { return H((s2sad_real)a op(s2sad_real) b); }                         \
    S2SAD_INLINE H &operator op##=(H &a, H b) { return a = a op b; }                                           \
    S2SAD_INLINE s2sad_pair<H> operator op(s2sad_pair<H> a, s2sad_pair<H> b) { return {a.x op b.x, a.y op b.y}; } \
    S2SAD_INLINE s2sad_pair<H> &operator op##=(s2sad_pair<H> &a, s2sad_pair<H> b) { return a = a op b; }
#define S2SAD_TEST(H, op) \
    S2SAD_INLINE bool operator op(H a, H b) { return (bool)((s2sad_real)a op(s2sad_real) b); }

// ---- functions -----------------------------------------------------------------------------------------
#define S2SAD_PAIRED_1(H, name, paired) \
    S2SAD_INLINE s2sad_pair<H> paired(s2sad_pair<H> a) { return {name(a.x), name(a.y)}; }
#define S2SAD_PAIRED_2(H, name, paired) \
    S2SAD_INLINE s2sad_pair<H> paired(s2sad_pair<H> a, s2sad_pair<H> b) { return {name(a.x, b.x), name(a.y, b.y)}; }
#define S2SAD_DONE(H, name, paired, op)                                                   \
    S2SAD_INLINE H name(H a, H b) { return a op b; }                                      \
    S2SAD_INLINE H name##_rn(H a, H b) { return a op b; }                                 \
    S2SAD_INLINE H name##_sat(H a, H b) { return H(__saturatef((s2sad_real)a op(s2sad_real) b)); } \
    S2SAD_PAIRED_2(H, name, paired)
#define S2SAD_TESTED(H, name, op)                                                         \
    S2SAD_INLINE bool __h##name(H a, H b) { return a op b; }                              \
    S2SAD_INLINE s2sad_pair<H> __h##name##2(s2sad_pair<H> a, s2sad_pair<H> b)             \
    {                                                                                     \
        return {H(a.x op b.x ? 1 : 0), H(a.y op b.y ? 1 : 0)};                            \
    }                                                                                     \
    S2SAD_INLINE bool __hb##name##2(s2sad_pair<H> a, s2sad_pair<H> b) { return a.x op b.x && a.y op b.y; }
#define S2SAD_COMPUTED(H, name)                                                   \
    S2SAD_INLINE H h##name(H a) { return H(name##f((s2sad_real)a)); }             \
    S2SAD_PAIRED_1(H, h##name, h2##name)

#define S2SAD_NARROW(H)                                                                                     \
    S2SAD_OF(H, +) S2SAD_OF(H, -) S2SAD_OF(H, *) S2SAD_OF(H, /)                                            \
    S2SAD_TEST(H, <) S2SAD_TEST(H, <=) S2SAD_TEST(H, >) S2SAD_TEST(H, >=) S2SAD_TEST(H, ==) S2SAD_TEST(H, !=) \
    S2SAD_INLINE H operator+(H a) { return a; }                                                             \
    S2SAD_INLINE H operator-(H a) { return H(-(s2sad_real)a); }                                             \
    S2SAD_INLINE s2sad_pair<H> operator+(s2sad_pair<H> a) { return a; }                                     \
    S2SAD_INLINE s2sad_pair<H> operator-(s2sad_pair<H> a) { return {-a.x, -a.y}; }                          \
    S2SAD_DONE(H, __hadd, __hadd2, +) S2SAD_DONE(H, __hsub, __hsub2, -)                                     \
    S2SAD_DONE(H, __hmul, __hmul2, *) S2SAD_DONE(H, __hdiv, __h2div, /)                                     \
    S2SAD_PAIRED_2(H, __hadd, __hadd2_rn) S2SAD_PAIRED_2(H, __hsub, __hsub2_rn)                             \
    S2SAD_PAIRED_2(H, __hmul, __hmul2_rn) S2SAD_PAIRED_2(H, __hadd_sat, __hadd2_sat)                        \
    S2SAD_PAIRED_2(H, __hsub_sat, __hsub2_sat) S2SAD_PAIRED_2(H, __hmul_sat, __hmul2_sat)                   \
    S2SAD_TESTED(H, eq, ==) S2SAD_TESTED(H, ne, !=) S2SAD_TESTED(H, lt, <) S2SAD_TESTED(H, le, <=)          \
    S2SAD_TESTED(H, gt, >) S2SAD_TESTED(H, ge, >=)                                                          \
    S2SAD_INLINE H __hneg(H a) { return -a; }                                                               \
    S2SAD_INLINE H __habs(H a) { return H(fabsf((s2sad_real)a)); }                                          \
    S2SAD_INLINE H __hmax(H a, H b) { return H(fmaxf((s2sad_real)a, (s2sad_real)b)); }                      \
    S2SAD_INLINE H __hmin(H a, H b) { return H(fminf((s2sad_real)a, (s2sad_real)b)); }                      \
    S2SAD_INLINE H __hfma(H a, H b, H c) { return H(fmaf((s2sad_real)a, (s2sad_real)b, (s2sad_real)c)); }   \
    S2SAD_INLINE s2sad_pair<H> __hfma2(s2sad_pair<H> a, s2sad_pair<H> b, s2sad_pair<H> c)                   \
    {                                                                                                       \
        return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};                                              \
    }                                                                                                       \
    S2SAD_PAIRED_1(H, __hneg, __hneg2) S2SAD_PAIRED_1(H, __habs, __habs2)                                   \
    S2SAD_PAIRED_2(H, __hmax, __hmax2) S2SAD_PAIRED_2(H, __hmin, __hmin2)                                   \
    S2SAD_COMPUTED(H, exp) S2SAD_COMPUTED(H, exp2) S2SAD_COMPUTED(H, exp10) S2SAD_COMPUTED(H, log)          \
    S2SAD_COMPUTED(H, log2) S2SAD_COMPUTED(H, log10) S2SAD_COMPUTED(H, sin) S2SAD_COMPUTED(H, cos)          \
    S2SAD_COMPUTED(H, tanh) S2SAD_COMPUTED(H, sqrt) S2SAD_COMPUTED(H, rsqrt) S2SAD_COMPUTED(H, ceil)        \
    S2SAD_COMPUTED(H, floor) S2SAD_COMPUTED(H, trunc) S2SAD_COMPUTED(H, rint)                               \
    S2SAD_INLINE H hrcp(H a) { return H(s2sad_real(1) / (s2sad_real)a); }                                   \
    S2SAD_PAIRED_1(H, hrcp, h2rcp)                                                                          \
    S2SAD_INLINE s2sad_pair<H> __lowhigh2highlow(s2sad_pair<H> a) { return {a.y, a.x}; }
S2SAD_NARROW(__half)
S2SAD_NARROW(__nv_bfloat16)

// Conversions; `word` names the type in their identifiers, `pair` its vector of two.
#define S2SAD_CONVERTED(H, word, pair)                                                                 \
    S2SAD_INLINE H __float2##word(s2sad_real x) { return H(x); }                                            \
    S2SAD_INLINE H __float2##word##_rn(s2sad_real x) { return H(x); }                                       \
    S2SAD_INLINE H __double2##word(s2sad_double x) { return H(x); }                                         \
    S2SAD_INLINE H __int2##word##_rn(int x) { return H(x); }                                                \
    S2SAD_INLINE H __uint2##word##_rn(unsigned x) { return H(x); }                                          \
    S2SAD_INLINE H __short2##word##_rn(short x) { return H(x); }                                            \
    S2SAD_INLINE H __ushort2##word##_rn(unsigned short x) { return H(x); }                                  \
    S2SAD_INLINE s2sad_real __##word##2float(H x) { return (s2sad_real)x; }                                 \
    S2SAD_INLINE int __##word##2int_rn(H x) { return __float2int_rn((s2sad_real)x); }                       \
    S2SAD_INLINE int __##word##2int_rz(H x) { return __float2int_rz((s2sad_real)x); }                       \
    S2SAD_INLINE int __##word##2int_rd(H x) { return __float2int_rd((s2sad_real)x); }                       \
    S2SAD_INLINE int __##word##2int_ru(H x) { return __float2int_ru((s2sad_real)x); }                       \
    S2SAD_INLINE unsigned __##word##2uint_rn(H x) { return __float2uint_rn((s2sad_real)x); }                \
    S2SAD_INLINE unsigned __##word##2uint_rz(H x) { return __float2uint_rz((s2sad_real)x); }                \
    S2SAD_INLINE unsigned __##word##2uint_rd(H x) { return __float2uint_rd((s2sad_real)x); }                \
    S2SAD_INLINE unsigned __##word##2uint_ru(H x) { return __float2uint_ru((s2sad_real)x); }                \
    S2SAD_INLINE long long __##word##2ll_rn(H x) { return __float2ll_rn((s2sad_real)x); }                   \
    S2SAD_INLINE long long __##word##2ll_rz(H x) { return __float2ll_rz((s2sad_real)x); }                   \
    S2SAD_INLINE long long __##word##2ll_rd(H x) { return __float2ll_rd((s2sad_real)x); }                   \
    S2SAD_INLINE long long __##word##2ll_ru(H x) { return __float2ll_ru((s2sad_real)x); }                   \
    S2SAD_INLINE unsigned long long __##word##2ull_rn(H x) { return __float2ull_rn((s2sad_real)x); }        \
    S2SAD_INLINE unsigned long long __##word##2ull_rz(H x) { return __float2ull_rz((s2sad_real)x); }        \
    S2SAD_INLINE unsigned long long __##word##2ull_rd(H x) { return __float2ull_rd((s2sad_real)x); }        \
    S2SAD_INLINE unsigned long long __##word##2ull_ru(H x) { return __float2ull_ru((s2sad_real)x); }        \
    S2SAD_INLINE s2sad_pair<H> __float2##pair##_rn(s2sad_real x) { return {H(x), H(x)}; }                   \
    S2SAD_INLINE s2sad_pair<H> __floats2##pair##_rn(s2sad_real x, s2sad_real y) { return {H(x), H(y)}; }    \
    S2SAD_INLINE s2sad_pair<H> __float22##pair##_rn(s2sad_real2 v) { return {H(v.x), H(v.y)}; }             \
    S2SAD_INLINE s2sad_real2 __##pair##2float2(s2sad_pair<H> a) { return {(s2sad_real)a.x, (s2sad_real)a.y}; } \
    S2SAD_INLINE s2sad_pair<H> __##word##2##pair(H x) { return {x, x}; }                                    \
    S2SAD_INLINE s2sad_pair<H> __halves2##pair(H x, H y) { return {x, y}; }                                 \
    S2SAD_INLINE s2sad_pair<H> make_##pair(H x, H y) { return {x, y}; }                                     \
    S2SAD_INLINE s2sad_real __low2float(s2sad_pair<H> a) { return (s2sad_real)a.x; }                        \
    S2SAD_INLINE s2sad_real __high2float(s2sad_pair<H> a) { return (s2sad_real)a.y; }                       \
    S2SAD_INLINE H __low2##word(s2sad_pair<H> a) { return a.x; }                                            \
    S2SAD_INLINE H __high2##word(s2sad_pair<H> a) { return a.y; }                                           \
    S2SAD_INLINE s2sad_pair<H> __low2##pair(s2sad_pair<H> a) { return {a.x, a.x}; }                         \
    S2SAD_INLINE s2sad_pair<H> __high2##pair(s2sad_pair<H> a) { return {a.y, a.y}; }                        \
    S2SAD_INLINE s2sad_pair<H> __lows2##pair(s2sad_pair<H> a, s2sad_pair<H> b) { return {a.x, b.x}; }       \
    S2SAD_INLINE s2sad_pair<H> __highs2##pair(s2sad_pair<H> a, s2sad_pair<H> b) { return {a.y, b.y}; }
#ifndef S2SAD_DUAL_NUMBERS
float2 s2sad_two(float);
double2 s2sad_two(double);
typedef decltype(s2sad_two(s2sad_real())) s2sad_real2;
#endif
S2SAD_CONVERTED(__half, half, half2)
S2SAD_CONVERTED(__nv_bfloat16, bfloat16, bfloat162)
#undef S2SAD_CONVERTED
#undef S2SAD_NARROW
#undef S2SAD_COMPUTED
#undef S2SAD_TESTED
#undef S2SAD_DONE
#undef S2SAD_PAIRED_1
#undef S2SAD_PAIRED_2
#undef S2SAD_TEST
#undef S2SAD_OF

// Numbers given by their bits, as constants are in CUDA.
S2SAD_INLINE float s2sad_bfloat16_value(uint16_t bits)
{
    uint32_t whole = (uint32_t)bits << 16;
    float value;
    __builtin_memcpy(&value, &whole, sizeof value);
    return value;
}
S2SAD_INLINE __half __ushort_as_half(uint16_t bits) { return __half(s2sad_half_value(bits)); }
S2SAD_INLINE __half __short_as_half(int16_t bits) { return __half(s2sad_half_value((uint16_t)bits)); }
S2SAD_INLINE __nv_bfloat16 __ushort_as_bfloat16(uint16_t bits) { return __nv_bfloat16(s2sad_bfloat16_value(bits)); }
S2SAD_INLINE __nv_bfloat16 __short_as_bfloat16(int16_t bits) { return __ushort_as_bfloat16((uint16_t)bits); }

}  // namespace cuda_on_cpu
