"""The layout of launches' arrays in memory that two processes map: consecutive, with guards between."""

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
    """The arguments of one launch: its arrays, and all arguments with arrays replaced by their places."""

    arrays: Arrays
    passed: Mapping[str, Any]


def lay(several: Sequence[Mapping[str, Value]]) -> tuple[list[Laid], int]:
    """Assign places to the arrays of launches; return them and the total size."""
    found: list[Laid] = []
    offset = 0
    for args in several:
        arrays = {name: value for name, value in args.items() if isinstance(value, np.ndarray) and value.ndim}
        passed: dict[str, Any] = {name: value for name, value in args.items() if name not in arrays}
        offset += GUARD
        for name, array in arrays.items():
            kind = array.dtype.str if array.dtype.fields is None else array.dtype
            passed[name] = Place(offset, kind, array.shape)
            offset += (array.nbytes + 63) // 64 * 64 + GUARD
        found.append(Laid(arrays, passed))
    return found, offset


def fill(memory: mmap.mmap, every: Sequence[Laid]) -> None:
    """Copy the arrays to their places."""
    for laid in every:
        for name, array in laid.arrays.items():
            view(memory, laid.passed[name])[...] = array


def bring_back(memory: mmap.mmap, every: Sequence[Laid], kernel: Signature) -> None:
    """Copy arrays that the kernel may have written back to the caller's arrays."""
    constant = {a.name for a in kernel.arguments if a.const}
    for laid in every:
        for name, array in laid.arrays.items():
            if name not in constant:
                array[...] = view(memory, laid.passed[name])
