"""The name of the double function for each of CUDA's float functions.

nvcc's `sinf` takes and returns a float whatever its argument, so text whose
`float` became `double` needs other function names too. The CPU backend doesn't:
its header defines `sinf` for doubles.
"""

from __future__ import annotations

import re

_NAMES = """
__cosf __exp10f __expf __log10f __log2f __logf __powf __sincosf __sinf __tanf __tanhf acosf acoshf
asinf asinhf atan2f atanf atanhf cbrtf ceilf copysignf cosf coshf cospif cyl_bessel_i0f
cyl_bessel_i1f erfcf erfcinvf erfcxf erff erfinvf exp10f exp2f expf expm1f fabsf fdimf floorf fmaf
fmaxf fminf fmodf frexpf hypotf ilogbf j0f j1f jnf ldexpf lgammaf llrintf llroundf log10f log1pf
log2f logbf logf lrintf lroundf modff nanf nearbyintf nextafterf norm3df norm4df normcdff
normcdfinvf normf powf rcbrtf remainderf remquof rhypotf rintf rnorm3df rnorm4df rnormf roundf
rsqrtf scalblnf scalbnf sincosf sincospif sinf sinhf sinpif sqrtf tanf tanhf tgammaf truncf y0f y1f
ynf
"""
FLOAT_FUNCTIONS = frozenset(_NAMES.split())

# CUDA has no double form of these. They are on one line, emitted before the text's first.
HELPERS = (
    "static __device__ __forceinline__ double s2sad_divide(double x, double y) { return x / y; } "
    "static __device__ __forceinline__ double s2sad_saturate(double x) { return x > 0 ? x < 1 ? x : 1 : 0; } "
    "template <class T, class V> static __device__ __forceinline__ T s2sad_exchange(T *p, V v) { "
    "return atomicExch(p, (T)v); } "
    "template <class V> static __device__ __forceinline__ double s2sad_exchange(double *p, V v) { "
    "return __longlong_as_double(atomicExch((unsigned long long *)p, __double_as_longlong(v))); }"
)

_OTHER = {
    "__fdividef": "s2sad_divide",
    "fdividef": "s2sad_divide",
    "__saturatef": "s2sad_saturate",
    "atomicExch": "s2sad_exchange",
    "__frsqrt_rn": "rsqrt",
}
_TO_INTEGER = re.compile(r"__float2(u?int|u?ll)_(r[nzud])")
_FROM_INTEGER = re.compile(r"__(u?int|u?ll)2float_(r[nzud])")
_ARITHMETIC = re.compile(r"__f(add|sub|mul|div|rcp|sqrt)_(r[nzud])")
_FUSED = re.compile(r"__fmaf(?:_ieee)?_(r[nzud])")
_NARROWING = re.compile(r"__double2float_r[nzud]")


def double_name(name: str) -> str:
    """Return the double function for a CUDA float function, and any other name unchanged."""
    if name in FLOAT_FUNCTIONS:
        return name.removeprefix("__").removesuffix("f")
    if match := _TO_INTEGER.fullmatch(name):
        return f"__double2{match[1]}_{match[2]}"
    if match := _FROM_INTEGER.fullmatch(name):
        # a double represents every int: CUDA has no rounding modes for this conversion
        return f"__{match[1]}2double_{'rn' if 'int' in match[1] else match[2]}"
    if match := _ARITHMETIC.fullmatch(name):
        return f"__d{match[1]}_{match[2]}"
    if match := _FUSED.fullmatch(name):
        return f"__fma_{match[1]}"
    if _NARROWING.fullmatch(name):
        return "double"
    return _OTHER.get(name, name)
