"""The numpy type of each C element type, and what a check needs to know of it.

A check compiles `float` as `double`; then its arrays are float64. Types that numpy
and the backends can't hold have none, and whoever asks refuses them by name.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..run import backend
from ..run.reals import Real as Real

Array = NDArray[np.generic]
Reals = NDArray[np.float64]


def dtype(type_name: str, real: Real = "float") -> np.dtype[np.generic] | None:
    """The numpy type of a C element type; None if there is none."""
    try:
        return backend.dtype(type_name, real)
    except KeyError:
        return None


def is_floating(type_name: str) -> bool:
    """Whether values of the C type carry derivatives."""
    return type_name in ("float", "double")


def holds(kind: np.dtype[np.generic], value: int) -> bool:
    """Whether an integer is in the range of an integer or boolean type."""
    if kind.kind == "b":
        return value in (0, 1)
    info = np.iinfo(kind.name)
    return int(info.min) <= value <= int(info.max)
