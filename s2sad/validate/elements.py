"""The numpy type of each C element type, as the caller sees it and as a check runs it.

A check compiles `float` as `double`; then its arrays are float64. Types that numpy
and the backends can't hold have no entry, and whoever asks refuses them by name.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Real = Literal["float", "double"]
Array = NDArray[np.generic]

_DTYPES: Mapping[str, str] = {
    "float": "f4",
    "double": "f8",
    "bool": "?",
    **dict.fromkeys(("char", "signed char", "int8_t"), "i1"),
    **dict.fromkeys(("unsigned char", "uint8_t"), "u1"),
    **dict.fromkeys(("short", "int16_t"), "i2"),
    **dict.fromkeys(("unsigned short", "uint16_t"), "u2"),
    **dict.fromkeys(("int", "int32_t"), "i4"),
    **dict.fromkeys(("unsigned int", "unsigned", "uint32_t"), "u4"),
    **dict.fromkeys(("long", "long long", "int64_t", "ptrdiff_t"), "i8"),
    **dict.fromkeys(("unsigned long", "unsigned long long", "uint64_t", "size_t"), "u8"),
}


def dtype(type_name: str, real: Real = "float") -> np.dtype[np.generic] | None:
    """The numpy type of a C element type; None if there is none."""
    if type_name == "float" and real == "double":
        return np.dtype("f8")
    code = _DTYPES.get(type_name)
    return np.dtype(code) if code else None


def is_floating(type_name: str) -> bool:
    """Whether values of the C type carry derivatives."""
    return type_name in ("float", "double")


def holds(kind: np.dtype[np.generic], value: int) -> bool:
    """Whether an integer is in the range of an integer or boolean type."""
    if kind.kind == "b":
        return value in (0, 1)
    info = np.iinfo(kind.name)
    return int(info.min) <= value <= int(info.max)
