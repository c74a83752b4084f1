"""Detect whether a text uses half precision, for which the CPU backend includes a header."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .float_widening import Token

_NAMES = re.compile(r"__half2?|half2|(?:__)?nv_bfloat162?|__\w*(?:half|bfloat16)\w*|make_bfloat162")
_HEADER = re.compile(r"<cuda_(?:fp|bf)16\.h>")
_WORDS = """
const constexpr static inline extern return else case do typedef typename volatile register mutable new
__global__ __device__ __host__ __shared__ __constant__ __managed__ __restrict__ __forceinline__
"""
_BEFORE_TYPES = frozenset(_WORDS.split())


def used(parts: Sequence[Token]) -> bool:
    """Whether a half-precision name is used; `half` doesn't count where the text declares it."""
    said = [token for token in parts if token.kind not in ("space", "comment")]
    own = plain = False
    for before, token in zip([None, *said], said, strict=False):
        if token.kind == "include" and _HEADER.search(token.text):
            return True
        if token.kind != "name":
            continue
        if _NAMES.fullmatch(token.text):
            return True
        if token.text == "half":
            plain = True
            own |= before is not None and before.kind == "name" and before.text not in _BEFORE_TYPES
    return plain and not own
