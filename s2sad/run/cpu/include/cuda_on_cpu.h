// CUDA-C as ordinary C++: the names available to device code, for one thread of one launch at a time.
//
// The text of a kernel is compiled after this file, inside namespace cuda_on_cpu, almost unchanged
// (see unit.py). The namespace is needed because C has some of CUDA's function names (sinf, rint, y0) with
// fewer overloads; inside it the text finds only these. Names of ours that CUDA doesn't have
// begin with s2sad_.
//
// S2SAD_REAL is `float`, or `double` if the text's floats were rewritten: then sinf takes a double and
// is as accurate as sin. With S2SAD_DUAL_NUMBERS the text's floats and doubles are dual numbers.
#pragma once

#include <float.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define S2SAD_INLINE static inline __attribute__((always_inline, unused))
#define S2SAD_HIDDEN __attribute__((visibility("hidden")))

// ---- qualifiers ----------------------------------------------------------------------------------------
// A kernel is inlined into the loops of its launch, so that the compiler can analyse threadIdx.
#ifdef S2SAD_WATCHED
#define __global__ inline __attribute__((noinline))
#else
#define __global__ inline __attribute__((always_inline))
#endif
#if defined(S2SAD_WATCHED) && !defined(__clang__)
// g++ doesn't instrument the copies of arguments and results passed by value: inline calls to instrument them.
#define __device__ __attribute__((always_inline))
#else
#define __device__
#endif
#define __host__
#define __constant__
#define __managed__
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __launch_bounds__(...)
#define __maxnreg__(...)
#define __cluster_dims__(...)
#define __block_size__(...)
#define __grid_constant__
#define __nv_pure__
#if defined(__APPLE__)
#define S2SAD_SHARED_SECTION "__DATA,s2sad_shared"
#else
#define S2SAD_SHARED_SECTION "s2sad_shared"
#endif
// Blocks run one after the other, so one copy is enough; the section lets a launch poison it.
#define __shared__ static __attribute__((section(S2SAD_SHARED_SECTION)))

#ifndef __CUDACC__
#define __CUDACC__ 1
#endif
#ifndef __CUDA_ARCH__
#define __CUDA_ARCH__ 800
#endif

// ---- constants that nvcc's own headers define ----------------------------------------------------------
#ifndef INFINITY
#define INFINITY __builtin_inff()
#endif
#ifndef NAN
#define NAN __builtin_nanf("")
#endif
#ifndef HUGE_VAL
#define HUGE_VAL __builtin_huge_val()
#define HUGE_VALF __builtin_huge_valf()
#endif
#ifndef M_PI
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#endif

namespace cuda_on_cpu {

#ifdef S2SAD_DUAL_NUMBERS
struct s2sad_dual;
struct s2sad_hyper;
typedef S2SAD_REAL s2sad_real, s2sad_double;
#else
typedef S2SAD_REAL s2sad_real;
typedef double s2sad_double;
#endif
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;

// ---- overload resolution -------------------------------------------------------------------------------
template <bool B> struct s2sad_if {};
template <> struct s2sad_if<true> { typedef int type; };
template <class T> constexpr bool s2sad_integer = false;
#define S2SAD_INTEGER(T) template <> inline constexpr bool s2sad_integer<T> = true;
S2SAD_INTEGER(bool) S2SAD_INTEGER(char) S2SAD_INTEGER(signed char) S2SAD_INTEGER(unsigned char)
S2SAD_INTEGER(short) S2SAD_INTEGER(unsigned short) S2SAD_INTEGER(int) S2SAD_INTEGER(unsigned int)
S2SAD_INTEGER(long) S2SAD_INTEGER(unsigned long) S2SAD_INTEGER(long long) S2SAD_INTEGER(unsigned long long)
#undef S2SAD_INTEGER
template <class A, class B> constexpr bool s2sad_same = false;
template <class A> inline constexpr bool s2sad_same<A, A> = true;
template <class T> constexpr bool s2sad_floating = s2sad_same<T, float> || s2sad_same<T, double>;
template <class T> constexpr bool s2sad_number = s2sad_integer<T> || s2sad_floating<T>;
template <class T> constexpr bool s2sad_converts = s2sad_number<T> || __is_enum(T);  // to a number, implicitly
// Mixed arguments: an integer counts as double, so only float with float is float, and that isn't mixed.
template <class A, class B>
constexpr bool s2sad_mixed = s2sad_number<A> && s2sad_number<B> && !(s2sad_floating<A> && s2sad_same<A, B>);

// ---- a launch that can't continue ----------------------------------------------------------------------
// Abandons the kernel; the launch returns the message.
[[noreturn]] __attribute__((cold, noinline)) S2SAD_HIDDEN void s2sad_fail(const char *message, int line);

}  // namespace cuda_on_cpu

#include "watch.h"
#include "cover.h"
#include "vector_types.h"
#ifdef S2SAD_DUAL_NUMBERS
#include "dual.h"
#endif
#include "math_basic.h"
#include "math_special.h"
#ifdef S2SAD_DUAL_NUMBERS
#include "dual_special.h"
#endif
#include "integers.h"
#ifdef S2SAD_HALF
#include "half.h"
#endif
#include "memory.h"
#ifdef S2SAD_SIMD
#include "simd.h"
#endif
#include "record.h"
#include "engine.h"

#ifdef assert
#undef assert
#endif
#define assert(condition) \
    ((condition) ? (void)0 : ::cuda_on_cpu::s2sad_fail("assertion failed: " #condition, __LINE__))
