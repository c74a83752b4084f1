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

HYPER = np.dtype([("value", "f8"), ("first", "f8"), ("second", "f8"), ("both", "f8")])
"""A number with its derivatives along a first direction, along a second, and along one after the other."""

_REALS: dict[str, dict[Real, np.dtype[Any]]] = {
    name: {"float": np.dtype(own), "double": np.dtype("f8"), "dual": np.dtype("c16"), "hyper": HYPER}
    for name, own in {
        "float": "f4",
        "double": "f8",
        "half": "f2",
        "__half": "f2",
        "nv_bfloat16": "f4",  # numpy has none: use a float
        "__nv_bfloat16": "f4",
    }.items()
}
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


def components(kind: np.dtype[Any]) -> int:
    """Return how many numbers a real of this type is: its value and its derivatives."""
    return 4 if kind == HYPER else 2 if kind.kind == "c" else 1


def dtype(c_type: str, real: Real = "float") -> np.dtype[Any]:
    """Return the numpy type of a C type as compiled. Raises KeyError for a type that isn't a number."""
    words = [word for word in c_type.split() if word not in ("const", "volatile")]
    if len(words) == 1 and words[0] in _REALS:
        return _REALS[words[0]][real]
    if len(words) == 1 and words[0] in _NAMED:
        code = _NAMED[words[0]]
        return np.dtype({"N": np.uintp, "n": np.intp}.get(code, code))
    key = tuple(sorted(w for w in words if w != "int" and (w != "signed" or "char" in words)))
    if not words or key not in _INTEGERS:
        raise KeyError(c_type)
    return np.dtype(_INTEGERS[key])
