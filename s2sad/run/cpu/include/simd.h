// Integer intrinsics that treat a word as two halves or four bytes.
#pragma once

namespace cuda_on_cpu {

// Calls f with the bit offset of each part of type T, and combines the results' low bits.
template <class T, class F> S2SAD_INLINE unsigned s2sad_parts(F f)
{
    constexpr unsigned bits = 8 * sizeof(T), all = (1u << bits) - 1;
    unsigned result = 0;
    for (unsigned at = 0; at < 32; at += bits)
        result |= ((unsigned)f(at) & all) << at;
    return result;
}
template <class T> S2SAD_INLINE int s2sad_clamp(int x)
{
    constexpr int low = (T)-1 < 0 ? -(1 << (8 * sizeof(T) - 1)) : 0;
    constexpr int high = low + (1 << 8 * sizeof(T)) - 1;
    return x < low ? low : x > high ? high : x;
}

#define S2SAD_PARTS1(T, name, value)                                             \
    S2SAD_INLINE unsigned name(unsigned x)                                       \
    {                                                                            \
        return s2sad_parts<T>([=](unsigned at) { int a = (T)(x >> at); return value; }); \
    }
#define S2SAD_PARTS2(T, name, value)                                             \
    S2SAD_INLINE unsigned name(unsigned x, unsigned y)                           \
    {                                                                            \
        return s2sad_parts<T>([=](unsigned at) {                                 \
            int a = (T)(x >> at), b = (T)(y >> at);                              \
            return value;                                                        \
        });                                                                      \
    }
#define S2SAD_COMPARE(n, S, U, test, op)                                         \
    S2SAD_PARTS2(S, __vcmp##test##s##n, a op b ? -1 : 0)                         \
    S2SAD_PARTS2(U, __vcmp##test##u##n, a op b ? -1 : 0)                         \
    S2SAD_PARTS2(S, __vset##test##s##n, a op b)                                  \
    S2SAD_PARTS2(U, __vset##test##u##n, a op b)
#define S2SAD_WIDTH(n, S, U)                                                     \
    S2SAD_PARTS1(S, __vabs##n, a < 0 ? -a : a)                                   \
    S2SAD_PARTS1(S, __vabsss##n, s2sad_clamp<S>(a < 0 ? -a : a))                 \
    S2SAD_PARTS1(S, __vneg##n, -a)                                               \
    S2SAD_PARTS1(S, __vnegss##n, s2sad_clamp<S>(-a))                             \
    S2SAD_PARTS2(S, __vabsdiffs##n, a < b ? b - a : a - b)                       \
    S2SAD_PARTS2(U, __vabsdiffu##n, a < b ? b - a : a - b)                       \
    S2SAD_PARTS2(U, __vadd##n, a + b)                                            \
    S2SAD_PARTS2(S, __vaddss##n, s2sad_clamp<S>(a + b))                          \
    S2SAD_PARTS2(U, __vaddus##n, s2sad_clamp<U>(a + b))                          \
    S2SAD_PARTS2(U, __vsub##n, a - b)                                            \
    S2SAD_PARTS2(S, __vsubss##n, s2sad_clamp<S>(a - b))                          \
    S2SAD_PARTS2(U, __vsubus##n, s2sad_clamp<U>(a - b))                          \
    S2SAD_PARTS2(S, __vavgs##n, (a + b + (a + b >= 0)) >> 1)                     \
    S2SAD_PARTS2(U, __vavgu##n, (a + b + 1) >> 1)                                \
    S2SAD_PARTS2(U, __vhaddu##n, (a + b) >> 1)                                   \
    S2SAD_PARTS2(S, __vmaxs##n, a < b ? b : a)                                   \
    S2SAD_PARTS2(U, __vmaxu##n, a < b ? b : a)                                   \
    S2SAD_PARTS2(S, __vmins##n, b < a ? b : a)                                   \
    S2SAD_PARTS2(U, __vminu##n, b < a ? b : a)                                   \
    S2SAD_PARTS2(U, __vcmpeq##n, a == b ? -1 : 0)                                \
    S2SAD_PARTS2(U, __vcmpne##n, a != b ? -1 : 0)                                \
    S2SAD_PARTS2(U, __vseteq##n, a == b)                                         \
    S2SAD_PARTS2(U, __vsetne##n, a != b)                                         \
    S2SAD_COMPARE(n, S, U, ge, >=) S2SAD_COMPARE(n, S, U, gt, >)                 \
    S2SAD_COMPARE(n, S, U, le, <=) S2SAD_COMPARE(n, S, U, lt, <)                 \
    S2SAD_INLINE unsigned __vsads##n(unsigned x, unsigned y) { return s2sad_sum<U>(__vabsdiffs##n(x, y)); } \
    S2SAD_INLINE unsigned __vsadu##n(unsigned x, unsigned y) { return s2sad_sum<U>(__vabsdiffu##n(x, y)); }

template <class U> S2SAD_INLINE unsigned s2sad_sum(unsigned x)
{
    unsigned sum = 0;
    for (unsigned at = 0; at < 32; at += 8 * sizeof(U))
        sum += (U)(x >> at);
    return sum;
}
S2SAD_WIDTH(2, short, unsigned short)
S2SAD_WIDTH(4, signed char, unsigned char)
#undef S2SAD_WIDTH
#undef S2SAD_COMPARE

// ---- maximum or minimum of two or three, of a sum and a third, of these and zero -----------------------
#define S2SAD_LARGEST(max, s, op)                                                                              \
    S2SAD_INLINE int s##max##_s32_relu(int a, int b) { return ::cuda_on_cpu::max(::cuda_on_cpu::max(a, b), 0); } \
    S2SAD_INLINE int s##max##3_s32(int a, int b, int c) { return ::cuda_on_cpu::max(::cuda_on_cpu::max(a, b), c); } \
    S2SAD_INLINE int s##max##3_s32_relu(int a, int b, int c)                                                   \
    {                                                                                                          \
        int largest = s##max##3_s32(a, b, c);                                                                  \
        return largest < 0 ? 0 : largest;                                                                      \
    }                                                                                                          \
    S2SAD_INLINE unsigned s##max##3_u32(unsigned a, unsigned b, unsigned c)                                    \
    {                                                                                                          \
        return ::cuda_on_cpu::max(::cuda_on_cpu::max(a, b), c);                                                \
    }                                                                                                          \
    S2SAD_INLINE int __viadd##max##_s32(int a, int b, int c)                                                   \
    {                                                                                                          \
        return ::cuda_on_cpu::max((int)((unsigned)a + (unsigned)b), c);                                        \
    }                                                                                                          \
    S2SAD_INLINE int __viadd##max##_s32_relu(int a, int b, int c)                                              \
    {                                                                                                          \
        int largest = __viadd##max##_s32(a, b, c);                                                             \
        return largest < 0 ? 0 : largest;                                                                      \
    }                                                                                                          \
    S2SAD_INLINE unsigned __viadd##max##_u32(unsigned a, unsigned b, unsigned c)                               \
    {                                                                                                          \
        return ::cuda_on_cpu::max(a + b, c);                                                                   \
    }                                                                                                          \
    S2SAD_INLINE unsigned s##max##3_s16x2(unsigned a, unsigned b, unsigned c) { return __v##max##s2(__v##max##s2(a, b), c); } \
    S2SAD_INLINE unsigned s##max##3_u16x2(unsigned a, unsigned b, unsigned c) { return __v##max##u2(__v##max##u2(a, b), c); } \
    S2SAD_INLINE unsigned s##max##_s16x2_relu(unsigned a, unsigned b) { return __vmaxs2(__v##max##s2(a, b), 0); } \
    S2SAD_INLINE unsigned s##max##3_s16x2_relu(unsigned a, unsigned b, unsigned c) { return __vmaxs2(s##max##3_s16x2(a, b, c), 0); } \
    S2SAD_INLINE unsigned __viadd##max##_s16x2(unsigned a, unsigned b, unsigned c) { return __v##max##s2(__vadd2(a, b), c); } \
    S2SAD_INLINE unsigned __viadd##max##_u16x2(unsigned a, unsigned b, unsigned c) { return __v##max##u2(__vadd2(a, b), c); } \
    S2SAD_INLINE unsigned __viadd##max##_s16x2_relu(unsigned a, unsigned b, unsigned c) { return __vmaxs2(__viadd##max##_s16x2(a, b, c), 0); } \
    S2SAD_INLINE int __vib##max##_s32(int a, int b, bool *first) { *first = a op b; return *first ? a : b; }   \
    S2SAD_INLINE unsigned __vib##max##_u32(unsigned a, unsigned b, bool *first) { *first = a op b; return *first ? a : b; } \
    S2SAD_INLINE unsigned __vib##max##_s16x2(unsigned a, unsigned b, bool *high, bool *low)                    \
    {                                                                                                          \
        *high = (short)(a >> 16) op (short)(b >> 16), *low = (short)a op (short)b;                             \
        return __v##max##s2(a, b);                                                                             \
    }                                                                                                          \
    S2SAD_INLINE unsigned __vib##max##_u16x2(unsigned a, unsigned b, bool *high, bool *low)                    \
    {                                                                                                          \
        *high = (a >> 16) op (b >> 16), *low = (unsigned short)a op (unsigned short)b;                         \
        return __v##max##u2(a, b);                                                                             \
    }
S2SAD_LARGEST(max, __vi, >=)
S2SAD_LARGEST(min, __vi, <=)
#undef S2SAD_LARGEST
#undef S2SAD_PARTS1
#undef S2SAD_PARTS2

}  // namespace cuda_on_cpu
