"""The numpy type of each C element type, and its properties for a check.

A check compiles `float` as `double`; then its arrays are float64. Types that numpy
and the backends can't represent have none, and callers reject them by name.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ..run import values
from ..run.float_widening import Real as Real
from ..signature import REALS

Array = NDArray[np.generic]
Reals = NDArray[np.float64]

ROUNDING = 1e-9
"""The relative difference allowed for sums in another order; errors differ by far more."""


def dtype(type_name: str, real: Real = "float") -> np.dtype[np.generic] | None:
    """Return the numpy type of a C element type; None if there is none."""
    try:
        return values.dtype(type_name, real)
    except KeyError:
        return None


def is_floating(type_name: str) -> bool:
    """Whether the C type has derivatives."""
    return type_name in REALS


def holds(kind: np.dtype[np.generic], value: int) -> bool:
    """Whether an integer is in the range of an integer or boolean type."""
    if kind.kind == "b":
        return value in (0, 1)
    info = np.iinfo(kind.name)
    return int(info.min) <= value <= int(info.max)


def nearest(array: Array, type_name: str) -> Array:
    """Round numbers to a real type, as the backends store it."""
    with np.errstate(over="ignore"):
        found: Array = array.astype(values.dtype(type_name))
    if type_name == "__nv_bfloat16":
        bits = found.astype(np.float32).view(np.uint32)
        even = (bits + np.uint32(0x7FFF) + (bits >> np.uint32(16) & np.uint32(1))) & np.uint32(0xFFFF0000)
        found = np.where(np.isfinite(found.astype(np.float32)), even.view(np.float32), found)
    return found


def finite(value: float) -> float | None:
    """Return a number for JSON: None for infinity and NaN."""
    return value if math.isfinite(value) else None


def magnitude(array: Array) -> float:
    """Return the largest absolute value of a finite element; 1 if all are zero."""
    finite = np.abs(array[np.isfinite(array)].astype(np.float64))
    return float(finite.max()) if finite.size and finite.max() > 0 else 1.0


def close(found: Array, expected: Array, scale: Array, within: float = ROUNDING, least: float = 0.0) -> bool:
    """Compare reals to `within` of themselves and of the largest of `scale`, or to `least`; NaN equals NaN.

    Integers must be equal.
    """
    if found.dtype.kind != "f":
        return bool(np.array_equal(found, expected))
    a: Reals = found.astype(np.float64)
    b: Reals = expected.astype(np.float64)
    return bool(np.allclose(a, b, rtol=within, atol=max(within * magnitude(scale), least), equal_nan=True))
