"""Macros defined before the first line: the compiler's, and those of headers that aren't read."""

from __future__ import annotations

from collections.abc import Sequence

from . import pp_tokens
from .pp_tokens import Lexeme

_FUNCTIONS = "gpuAtomicAdd", "gpuAtomicAddNoReturn"
"""Functions that PyTorch's headers declare; if a file declares one, that is the file's own."""

PREDEFINED = {
    "__CUDACC__": "1",
    "__CUDA_ARCH__": "800",
    "__NVCC__": "1",
    "__cplusplus": "201703L",
    "__linux__": "1",  # types have its sizes here: `long` has eight bytes
    "__unix__": "1",
    "__LP64__": "1",
    "M_E": "2.7182818284590452354",
    "M_LOG2E": "1.4426950408889634074",
    "M_LOG10E": "0.43429448190325182765",
    "M_LN2": "0.69314718055994530942",
    "M_LN10": "2.30258509299404568402",
    "M_PI": "3.14159265358979323846",
    "M_PI_2": "1.57079632679489661923",
    "M_PI_4": "0.78539816339744830962",
    "M_1_PI": "0.31830988618379067154",
    "M_2_PI": "0.63661977236758134308",
    "M_2_SQRTPI": "1.12837916709551257390",
    "M_SQRT2": "1.41421356237309504880",
    "M_SQRT1_2": "0.70710678118654752440",
    "FLT_MAX": "3.402823466e+38F",
    "FLT_MIN": "1.175494351e-38F",
    "FLT_EPSILON": "1.192092896e-07F",
    "DBL_MAX": "1.7976931348623157e+308",
    "DBL_MIN": "2.2250738585072014e-308",
    "DBL_EPSILON": "2.2204460492503131e-16",
    "INT_MAX": "2147483647",
    "INT_MIN": "(-2147483647 - 1)",
    "UINT_MAX": "4294967295U",
    "CHAR_BIT": "8",
    "SCHAR_MAX": "127",
    "SCHAR_MIN": "(-128)",
    "UCHAR_MAX": "255",
    "SHRT_MAX": "32767",
    "SHRT_MIN": "(-32768)",
    "USHRT_MAX": "65535",
    "LONG_MAX": "9223372036854775807L",
    "LONG_MIN": "(-9223372036854775807L - 1L)",
    "ULONG_MAX": "18446744073709551615UL",
    "LLONG_MAX": "9223372036854775807LL",
    "LLONG_MIN": "(-9223372036854775807LL - 1LL)",
    "ULLONG_MAX": "18446744073709551615ULL",
    "INT8_MAX": "127",
    "INT8_MIN": "(-128)",
    "UINT8_MAX": "255",
    "INT16_MAX": "32767",
    "INT16_MIN": "(-32768)",
    "UINT16_MAX": "65535",
    "INT32_MAX": "2147483647",
    "INT32_MIN": "(-2147483647 - 1)",
    "UINT32_MAX": "4294967295U",
    "INT64_MAX": "9223372036854775807L",
    "INT64_MIN": "(-9223372036854775807L - 1L)",
    "UINT64_MAX": "18446744073709551615UL",
    "SIZE_MAX": "18446744073709551615UL",
    **dict.fromkeys(_FUNCTIONS, "atomicAdd"),
    "C10_LAUNCH_BOUNDS_1(n)": "__launch_bounds__(n)",
    "C10_LAUNCH_BOUNDS_2(n, m)": "__launch_bounds__(n, m)",
    "C10_HOST_DEVICE": "__host__ __device__",
    "C10_DEVICE": "__device__",
    "C10_HOST": "__host__",
    "INT8_C(x)": "x",
    "UINT8_C(x)": "x",
    "INT16_C(x)": "x",
    "UINT16_C(x)": "x",
    "INT32_C(x)": "x",
    "UINT32_C(x)": "x##U",
    "INT64_C(x)": "x##L",
    "UINT64_C(x)": "x##UL",
}
"""The compiler's macros, and those of headers that aren't read."""


def redeclared(tokens: Sequence[Lexeme]) -> set[str]:
    """Return those of PyTorch's functions that a file declares itself: a type precedes their name."""
    found: set[str] = set()
    before = ""
    for token in tokens:
        if token.type in pp_tokens.BLANK:
            continue
        if token.value in _FUNCTIONS and (before in ("*", "&", ">") or before.isidentifier()):
            found |= {token.value} if before not in ("return", "else", "do", "define", "undef") else set()
        before = token.value
    return found
