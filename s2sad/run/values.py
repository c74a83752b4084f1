"""The arguments of a launch, arrays and numbers, and the numpy type of each C type as compiled."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from .float_widening import Real

Extent = tuple[int, int, int]
Array = NDArray[Any]
Value = Array | int | float | np.generic
Order = Literal["forward", "reverse"] | int
"""The order in which blocks and threads run: an integer seeds a permutation. A GPU ignores it."""

_INTEGERS: dict[tuple[str, ...], str] = {
    ("char",): "b",
    ("char", "signed"): "b",
    ("char", "unsigned"): "B",
    ("short",): "h",
    ("short", "unsigned"): "H",
    (): "i",
    ("unsigned",): "I",
    ("long",): "l",
    ("long", "unsigned"): "L",
    ("long", "long"): "q",
    ("long", "long", "unsigned"): "Q",
}


_NAMED: dict[str, str] = {
    "bool": "?",
    "size_t": "N",
    "ptrdiff_t": "n",
    "uchar": "B",
    "ushort": "H",
    "uint": "I",
    "ulong": "L",
    "int8_t": "i1",
    "uint8_t": "u1",
    "int16_t": "i2",
    "uint16_t": "u2",
    "int32_t": "i4",
    "uint32_t": "u4",
    "int64_t": "i8",
    "uint64_t": "u8",
}


def dtype(c_type: str, real: Real = "float") -> np.dtype[Any]:
    """Return the numpy type of a C type as compiled. Raises KeyError for a type that isn't a number."""
    words = [word for word in c_type.split() if word not in ("const", "volatile")]
    if words == ["float"]:
        return np.dtype({"float": np.float32, "double": np.float64, "dual": np.complex128}[real])
    if words in (["half"], ["__half"]):
        return np.dtype({"float": np.float16, "double": np.float64, "dual": np.complex128}[real])
    if words in (["nv_bfloat16"], ["__nv_bfloat16"]):  # numpy has none: use a float
        return np.dtype({"float": np.float32, "double": np.float64, "dual": np.complex128}[real])
    if words == ["double"]:
        return np.dtype(np.complex128 if real == "dual" else np.float64)
    if len(words) == 1 and words[0] in _NAMED:
        code = _NAMED[words[0]]
        return np.dtype({"N": np.uintp, "n": np.intp}.get(code, code))
    key = tuple(sorted(w for w in words if w != "int" and (w != "signed" or "char" in words)))
    if not words or key not in _INTEGERS:
        raise KeyError(c_type)
    return np.dtype(_INTEGERS[key])
