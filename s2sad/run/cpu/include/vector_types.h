// dim3, the built-in vectors and their constructors.
#pragma once

namespace cuda_on_cpu {

#define S2SAD_VECTOR(T, name, align)                                                      \
    struct name##1 { T x; };                                                              \
    struct __attribute__((aligned(sizeof(T) * (align) / 2))) name##2 { T x, y; };         \
    struct name##3 { T x, y, z; };                                                        \
    struct __attribute__((aligned(sizeof(T) * (align) > 16 ? 16 : sizeof(T) * (align)))) name##4 { T x, y, z, w; }; \
    S2SAD_INLINE name##1 make_##name##1(T x) { return {x}; }                              \
    S2SAD_INLINE name##2 make_##name##2(T x, T y) { return {x, y}; }                      \
    S2SAD_INLINE name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; }              \
    S2SAD_INLINE name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }
S2SAD_VECTOR(signed char, char, 4)
S2SAD_VECTOR(unsigned char, uchar, 4)
S2SAD_VECTOR(short, short, 4)
S2SAD_VECTOR(unsigned short, ushort, 4)
S2SAD_VECTOR(int, int, 4)
S2SAD_VECTOR(unsigned int, uint, 4)
S2SAD_VECTOR(long, long, 4)
S2SAD_VECTOR(unsigned long, ulong, 4)
S2SAD_VECTOR(long long, longlong, 4)
S2SAD_VECTOR(unsigned long long, ulonglong, 4)
S2SAD_VECTOR(float, float, 4)
S2SAD_VECTOR(double, double, 4)
#ifndef S2SAD_DUAL_NUMBERS
#undef S2SAD_VECTOR
#endif

struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return {x, y, z}; }
};

// One thread runs at a time; the engine sets these before it starts or resumes one.
#ifdef S2SAD_WATCHED
// The text sees them as constants, so that the compiler doesn't instrument reads of them. This is safe: a
// kernel isn't inlined, and they don't change while one thread of it runs.
#define S2SAD_PLACE(name)                                                                         \
    extern const uint3 name __asm__("s2sad_" #name) S2SAD_HIDDEN;                                 \
    extern uint3 s2sad_now_##name __asm__("s2sad_" #name) S2SAD_HIDDEN;
extern "C" {
S2SAD_PLACE(threadIdx) S2SAD_PLACE(blockIdx) S2SAD_PLACE(blockDim) S2SAD_PLACE(gridDim)
}
#undef S2SAD_PLACE
#define S2SAD_NOW(name) s2sad_now_##name
#else
static uint3 threadIdx, blockIdx;
static dim3 blockDim, gridDim;
#define S2SAD_NOW(name) name
#endif
static constexpr int warpSize = 32;

}  // namespace cuda_on_cpu
