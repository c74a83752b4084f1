"""The layout of launches' arrays in memory that two processes map: consecutive, with guards between.

    guard  a of launch 0  guard  b of launch 0  guard  |  guard  a of launch 1  guard  …

Launches of one message have arrays of the same shapes, so one array of both processes, with the launches
as its first dimension, is laid over each argument.
"""

from __future__ import annotations

import mmap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..signature import Signature
from .values import Value
from .worker import GUARD, Batch, Place, views

Arrays = Mapping[str, np.ndarray[Any, Any]]


@dataclass(frozen=True)
class Laid:
    """The arrays of each launch, and what the other process is told of all."""

    arrays: Sequence[Arrays]
    batch: Batch


def alike(one: Mapping[str, Value], other: Mapping[str, Value]) -> bool:
    """Whether two launches have arrays of the same types and shapes."""
    return _shapes(one) == _shapes(other)


def _shapes(args: Mapping[str, Value]) -> list[tuple[str, object, tuple[int, ...]]]:
    return [(n, v.dtype, v.shape) for n, v in args.items() if isinstance(v, np.ndarray) and v.ndim]


def lay(several: Sequence[Mapping[str, Value]]) -> tuple[Laid, int]:
    """Assign places to the arrays of launches that are alike; return them and the total size."""
    arrays = [{n: v for n, v in args.items() if isinstance(v, np.ndarray) and v.ndim} for args in several]
    scalars = [{n: v for n, v in args.items() if n not in arrays[0]} for args in several]
    places: dict[str, Place] = {}
    offset = GUARD
    for name, array in arrays[0].items():
        kind = array.dtype.str if array.dtype.fields is None else array.dtype
        places[name] = Place(offset, kind, array.shape)
        offset += (array.nbytes + 63) // 64 * 64 + GUARD
    return Laid(arrays, Batch(places, scalars, offset)), offset * len(several)


def fill(memory: mmap.mmap, laid: Laid) -> None:
    """Copy the arrays to their places."""
    for name, view in views(memory, laid.batch).items():
        for place, arrays in zip(view, laid.arrays, strict=True):
            place[...] = arrays[name]


def bring_back(memory: mmap.mmap, laid: Laid, kernel: Signature) -> None:
    """Copy arrays that the kernel may have written back to the caller's arrays."""
    constant = {a.name for a in kernel.arguments if a.const}
    for name, view in views(memory, laid.batch).items():
        if name not in constant:
            for place, arrays in zip(view, laid.arrays, strict=True):
                arrays[name][...] = place
