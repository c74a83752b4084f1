"""Names that are predeclared in CUDA's and C's headers, which aren't read."""

from __future__ import annotations

from ..source.pp_tokens import words
from ..source.reduction_operators import REDUCTION
from ..types import half_functions
from ..types.builtins import BUILTINS

_SCALARS = words("char uchar short ushort int uint long ulong longlong ulonglong float double")
TYPES = words(
    "size_t ssize_t ptrdiff_t intptr_t uintptr_t clock_t dim3 uchar ushort uint ulong "
    "wchar_t char16_t char32_t "
    "int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t "
    "half half2 __half __half2 nv_bfloat16 nv_bfloat162 __nv_bfloat16 __nv_bfloat162 "
    "cudaTextureObject_t cudaSurfaceObject_t cudaStream_t cudaError_t "
    "curandState curandState_t curandStatePhilox4_32_10_t curandStateXORWOW_t"
) | {scalar + width for scalar in _SCALARS for width in "1234"}
"""Types that CUDA's and C's headers declare. Lowering decides which of them can be differentiated."""
_BUILT_IN = words(
    "threadIdx blockIdx blockDim gridDim warpSize printf assert malloc free memcpy memset INFINITY NAN NULL"
)
_BUILT_IN_PREFIXES = ("__", "atomic", "tex", "surf", "curand", "clock", "make_", "cuda")

TEMPLATES = words("min max swap")


def is_predeclared(name: str) -> bool:
    """Whether CUDA or C declares a name without a header of the project."""
    return (
        name.startswith(REDUCTION)
        or name in BUILTINS
        or name in half_functions.FUNCTIONS
        or name in TYPES
        or name in _BUILT_IN
        or name.startswith(_BUILT_IN_PREFIXES)
    )
