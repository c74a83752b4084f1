// Dual numbers: a value and its tangent, for the text's `float` and `double` in forward differentiation.
//
// Each operation propagates the tangent by the chain rule, so one launch gives values and directional
// derivatives, exact to rounding and without a step size. A zero tangent contributes zero, even if the
// partial is infinite. At a kink, the derivative is that of the executed branch. A comparison, a maximum or
// an absolute value that a nearby value would decide otherwise is recorded with its place. A launch may be
// shaken: inexact results are rounded up or down at random, which shows how accurate the derivative is.
//
// With S2SAD_HYPER_DUAL the text's numbers are dual numbers whose parts are dual numbers: two directions and the
// second derivative along both. dual_number.h defines both types, and is included once for each.
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

// partial times tangent
S2SAD_INLINE constexpr double s2sad_times(double partial, double tangent)
{
    return tangent == 0 ? 0 : s2sad_product(partial, tangent);
}

// ---- what dual_number.h asks of the parts of a number, for parts without tangents -------------------------
S2SAD_INLINE constexpr double s2sad_value(double x) { return x; }
S2SAD_INLINE constexpr double s2sad_rounded(double x) { return S2SAD_ROUNDED(x); }
S2SAD_INLINE constexpr bool s2sad_zero(double x) { return x == 0; }
S2SAD_INLINE constexpr bool s2sad_equal(double a, double b) { return a == b; }
S2SAD_INLINE constexpr bool s2sad_moves(double) { return false; }
S2SAD_INLINE constexpr bool s2sad_move_apart(double, double) { return false; }
// The result of a function that is linear between steps, with its slope at x.
S2SAD_INLINE constexpr double s2sad_linear(double value, double, double) { return value; }

struct s2sad_dual;
struct s2sad_hyper;
// At least one is T; the other is any number.
template <class T, class A, class B>
constexpr bool s2sad_among = (s2sad_same<A, T> && (s2sad_same<B, T> || s2sad_converts<B>))
                             || (s2sad_same<B, T> && s2sad_converts<A>);

#define S2SAD_SELF s2sad_dual
#define S2SAD_PART double
#define S2SAD_OF(name) __builtin_##name
#include "dual_number.h"
#ifdef S2SAD_HYPER_DUAL
#undef S2SAD_SELF
#undef S2SAD_PART
#undef S2SAD_OF

// ---- parts that are dual numbers -------------------------------------------------------------------------
S2SAD_INLINE constexpr s2sad_dual s2sad_rounded(s2sad_dual x) { return x; }
S2SAD_INLINE s2sad_dual s2sad_result(s2sad_dual x) { return x; }
S2SAD_INLINE constexpr bool s2sad_equal(s2sad_dual a, s2sad_dual b) { return a.v == b.v && a.d == b.d; }
S2SAD_INLINE constexpr s2sad_dual s2sad_plus(s2sad_dual a, s2sad_dual b) { return s2sad_add(a, b); }
S2SAD_INLINE constexpr s2sad_dual s2sad_terms(s2sad_dual a, s2sad_dual b)
{
    return {s2sad_terms(a.v, b.v), s2sad_terms(a.d, b.d)};
}
S2SAD_INLINE constexpr s2sad_dual s2sad_product(s2sad_dual a, s2sad_dual b) { return s2sad_multiply(a, b); }
S2SAD_INLINE constexpr s2sad_dual s2sad_ratio(s2sad_dual a, s2sad_dual b) { return s2sad_divide(a, b); }
S2SAD_INLINE constexpr s2sad_dual s2sad_times(s2sad_dual partial, s2sad_dual tangent)
{
    return {s2sad_times(partial.v, tangent.v),
            s2sad_terms(s2sad_times(partial.d, tangent.v), s2sad_times(partial.v, tangent.d))};
}
S2SAD_INLINE s2sad_dual s2sad_of_tanh(s2sad_dual v, s2sad_dual) { return 1 / (cosh(v) * cosh(v)); }

#define S2SAD_SELF s2sad_hyper
#define S2SAD_PART s2sad_dual
#define S2SAD_OF(name) name
#include "dual_number.h"
#endif
#undef S2SAD_SELF
#undef S2SAD_PART
#undef S2SAD_OF

// Vectors of the text's numbers.
S2SAD_VECTOR(s2sad_real, s2sad_real, 1)
#undef S2SAD_VECTOR

}  // namespace cuda_on_cpu
