// Integer intrinsics, conversions with explicit rounding, and reinterpretation of bits.
#pragma once

namespace cuda_on_cpu {

S2SAD_INLINE int __popc(unsigned x) { return __builtin_popcount(x); }
S2SAD_INLINE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
S2SAD_INLINE int __clz(int x) { return x ? __builtin_clz((unsigned)x) : 32; }
S2SAD_INLINE int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
S2SAD_INLINE int __ffs(int x) { return __builtin_ffs(x); }
S2SAD_INLINE int __ffsll(long long x) { return __builtin_ffsll(x); }
S2SAD_INLINE unsigned long long __brevll(unsigned long long x)
{
    x = (x >> 1 & 0x5555555555555555ull) | (x & 0x5555555555555555ull) << 1;
    x = (x >> 2 & 0x3333333333333333ull) | (x & 0x3333333333333333ull) << 2;
    x = (x >> 4 & 0x0f0f0f0f0f0f0f0full) | (x & 0x0f0f0f0f0f0f0f0full) << 4;
    return __builtin_bswap64(x);
}
S2SAD_INLINE unsigned __brev(unsigned x) { return (unsigned)(__brevll(x) >> 32); }
S2SAD_INLINE unsigned __byte_perm(unsigned x, unsigned y, unsigned selector)
{
    unsigned long long bytes = (unsigned long long)y << 32 | x;
    unsigned result = 0;
    for (int i = 0; i < 4; ++i) {
        unsigned pick = selector >> 4 * i & 15, byte = (unsigned)(bytes >> 8 * (pick & 7)) & 255;
        if (pick & 8)
            byte = byte & 128 ? 255 : 0;
        result |= byte << 8 * i;
    }
    return result;
}
S2SAD_INLINE int __mul24(int x, int y)
{
    return (int)((unsigned)((int)((unsigned)x << 8) >> 8) * (unsigned)((int)((unsigned)y << 8) >> 8));
}
S2SAD_INLINE unsigned __umul24(unsigned x, unsigned y) { return (x & 0xffffff) * (y & 0xffffff); }
S2SAD_INLINE int __mulhi(int x, int y) { return (int)((long long)x * y >> 32); }
S2SAD_INLINE unsigned __umulhi(unsigned x, unsigned y) { return (unsigned)((unsigned long long)x * y >> 32); }
S2SAD_INLINE long long __mul64hi(long long x, long long y) { return (long long)((__int128)x * y >> 64); }
S2SAD_INLINE unsigned long long __umul64hi(unsigned long long x, unsigned long long y)
{
    return (unsigned long long)((unsigned __int128)x * y >> 64);
}
S2SAD_INLINE int __hadd(int x, int y) { return (int)(((long long)x + y) >> 1); }
S2SAD_INLINE int __rhadd(int x, int y) { return (int)(((long long)x + y + 1) >> 1); }
S2SAD_INLINE unsigned __uhadd(unsigned x, unsigned y) { return (unsigned)(((unsigned long long)x + y) >> 1); }
S2SAD_INLINE unsigned __urhadd(unsigned x, unsigned y) { return (unsigned)(((unsigned long long)x + y + 1) >> 1); }
S2SAD_INLINE unsigned __sad(int x, int y, unsigned z)
{
    return z + (x < y ? (unsigned)y - (unsigned)x : (unsigned)x - (unsigned)y);
}
S2SAD_INLINE unsigned __usad(unsigned x, unsigned y, unsigned z) { return z + (x < y ? y - x : x - y); }
S2SAD_INLINE unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift)
{
    return (unsigned)((((unsigned long long)high << 32 | low) << (shift & 31)) >> 32);
}
S2SAD_INLINE unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift)
{
    return (unsigned)((((unsigned long long)high << 32 | low) << (shift < 32 ? shift : 32)) >> 32);
}
S2SAD_INLINE unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift)
{
    return (unsigned)(((unsigned long long)high << 32 | low) >> (shift & 31));
}
S2SAD_INLINE unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift)
{
    return (unsigned)(((unsigned long long)high << 32 | low) >> (shift < 32 ? shift : 32));
}
S2SAD_INLINE int __dp4a(int a, int b, int c)
{
    for (int i = 0; i < 4; ++i)
        c += (signed char)(a >> 8 * i) * (signed char)(b >> 8 * i);
    return c;
}
S2SAD_INLINE unsigned __dp4a(unsigned a, unsigned b, unsigned c)
{
    for (int i = 0; i < 4; ++i)
        c += (a >> 8 * i & 255) * (b >> 8 * i & 255);
    return c;
}
S2SAD_INLINE int __dp2a_lo(int a, int b, int c) { return c + (short)a * (signed char)b + (short)(a >> 16) * (signed char)(b >> 8); }
S2SAD_INLINE int __dp2a_hi(int a, int b, int c) { return __dp2a_lo(a, b >> 16, c); }
S2SAD_INLINE unsigned __dp2a_lo(unsigned a, unsigned b, unsigned c) { return c + (a & 65535) * (b & 255) + (a >> 16) * (b >> 8 & 255); }
S2SAD_INLINE unsigned __dp2a_hi(unsigned a, unsigned b, unsigned c) { return __dp2a_lo(a, b >> 16, c); }

// The position of the offset-th set bit of the mask, counting up or down from `base`.
S2SAD_INLINE unsigned __fns(unsigned mask, unsigned base, int offset)
{
    if (offset == 0)
        return base < 32 && mask >> base & 1 ? base : 0xffffffffu;
    int step = offset > 0 ? 1 : -1, left = offset * step;
    for (int place = (int)base; place >= 0 && place < 32; place += step)
        if (mask >> place & 1 && --left == 0)
            return (unsigned)place;
    return 0xffffffffu;
}

// ---- to integers: saturating, NaN to 0, as the hardware does -------------------------------------------
template <class I> S2SAD_INLINE I s2sad_to(double x)
{
    constexpr bool is_signed = (I)-1 < 0;
    constexpr I largest = is_signed ? (I)(((unsigned long long)1 << (8 * sizeof(I) - 1)) - 1) : (I)-1;
    constexpr I smallest = is_signed ? (I)(-largest - 1) : (I)0;
    if (x != x)
        return 0;
    return x >= (double)largest ? largest : x <= (double)smallest ? smallest : (I)x;
}
#define S2SAD_TO_INTEGER(from, T, name, I)                                                                    \
    S2SAD_INLINE I __##from##2##name##_rn(T x) { return s2sad_to<I>(__builtin_rint((double)x)); }             \
    S2SAD_INLINE I __##from##2##name##_rz(T x) { return s2sad_to<I>(__builtin_trunc((double)x)); }            \
    S2SAD_INLINE I __##from##2##name##_ru(T x) { return s2sad_to<I>(__builtin_ceil((double)x)); }             \
    S2SAD_INLINE I __##from##2##name##_rd(T x) { return s2sad_to<I>(__builtin_floor((double)x)); }            \
    S2SAD_ROUNDED(T, __##name##2##from, (I x), (T)x)
#define S2SAD_TO_INTEGERS(from, T)                       \
    S2SAD_TO_INTEGER(from, T, int, int)                  \
    S2SAD_TO_INTEGER(from, T, uint, unsigned)            \
    S2SAD_TO_INTEGER(from, T, ll, long long)             \
    S2SAD_TO_INTEGER(from, T, ull, unsigned long long)
S2SAD_TO_INTEGERS(float, s2sad_real)
S2SAD_TO_INTEGERS(double, s2sad_double)
#undef S2SAD_TO_INTEGERS
#undef S2SAD_TO_INTEGER
S2SAD_ROUNDED(s2sad_real, __double2float, (s2sad_double x), (s2sad_real)x)

// ---- bits ----------------------------------------------------------------------------------------------
// Bits are those of a float even if `float` means double: a text that reads them expects 32.
template <class To, class From> S2SAD_INLINE To s2sad_bits(From x)
{
    static_assert(sizeof(To) == sizeof(From), "as many bits");
    To result;
    memcpy(&result, &x, sizeof result);
    return result;
}
S2SAD_INLINE int __float_as_int(float x) { return s2sad_bits<int>(x); }
S2SAD_INLINE unsigned __float_as_uint(float x) { return s2sad_bits<unsigned>(x); }
S2SAD_INLINE s2sad_real __int_as_float(int x) { return s2sad_bits<float>(x); }
S2SAD_INLINE s2sad_real __uint_as_float(unsigned x) { return s2sad_bits<float>(x); }
S2SAD_INLINE long long __double_as_longlong(double x) { return s2sad_bits<long long>(x); }
S2SAD_INLINE double __longlong_as_double(long long x) { return s2sad_bits<double>(x); }
S2SAD_INLINE int __double2hiint(double x) { return (int)(s2sad_bits<long long>(x) >> 32); }
S2SAD_INLINE int __double2loint(double x) { return (int)s2sad_bits<long long>(x); }
S2SAD_INLINE double __hiloint2double(int high, int low)
{
    return s2sad_bits<double>((long long)((unsigned long long)(unsigned)high << 32 | (unsigned)low));
}

}  // namespace cuda_on_cpu
