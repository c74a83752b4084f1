"""Where the arrays of launches lie in memory that two processes map: between guards, one behind the other."""

from __future__ import annotations

import mmap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..signature import Signature
from .values import Value
from .worker import GUARD, Place, view

Arrays = Mapping[str, np.ndarray[Any, Any]]


@dataclass(frozen=True)
class Laid:
    """The arguments of one launch: its arrays, and everything that is passed, arrays as their places."""

    arrays: Arrays
    passed: Mapping[str, Any]


def lay(several: Sequence[Mapping[str, Value]]) -> tuple[list[Laid], int]:
    """Places for the arrays of launches, and the size of them all."""
    found: list[Laid] = []
    offset = 0
    for args in several:
        arrays = {name: value for name, value in args.items() if isinstance(value, np.ndarray) and value.ndim}
        passed: dict[str, Any] = {name: value for name, value in args.items() if name not in arrays}
        offset += GUARD
        for name, array in arrays.items():
            passed[name] = Place(offset, array.dtype.str, array.shape)
            offset += (array.nbytes + 63) // 64 * 64 + GUARD
        found.append(Laid(arrays, passed))
    return found, offset


def fill(memory: mmap.mmap, every: Sequence[Laid]) -> None:
    """Writes the arrays to their places."""
    for laid in every:
        for name, array in laid.arrays.items():
            view(memory, laid.passed[name])[...] = array


def bring_back(memory: mmap.mmap, every: Sequence[Laid], kernel: Signature) -> None:
    """What the kernel may have written goes into the caller's arrays."""
    constant = {a.name for a in kernel.arguments if a.const}
    for laid in every:
        for name, array in laid.arrays.items():
            if name not in constant:
                array[...] = view(memory, laid.passed[name])
