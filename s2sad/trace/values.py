"""Recorded values as people read them, and the elements of the launch's arrays that addresses are."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..run import values
from ..run.float_widening import Real, to_double
from ..run.recording import Placed, Value
from ..run.structs import struct_type
from ..signature import Layout

_ARRAY = re.compile(r"(?:const )?([\w ]+?) ?((?:\[\d+\])+)")
_MOST = 16  # numbers of an object that are shown


class Element(NamedTuple):
    """An element of an array of the launch, or a field of one."""

    array: str
    number: int
    path: tuple[str | int, ...] = ()

    def __str__(self) -> str:
        return f"{self.array}[{self.number}]{_path(self.path)}"


def _path(path: Sequence[str | int]) -> str:
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)


def element(arrays: Sequence[Placed], address: int, size: int) -> Element | None:
    """Return the element of an array at an address, of `size` bytes; None if it is in none."""
    for array in arrays:
        offset = address - array.address
        if 0 <= offset < array.count * array.type.itemsize:
            index, inside = divmod(offset, array.type.itemsize)
            return Element(array.name, index, tuple(_inside(array.type, inside, size)))
    return None


def _inside(kind: np.dtype[Any], offset: int, size: int) -> list[str | int]:
    """Return what leads to a number in a struct: names of fields, and indices in a field's array."""
    if kind.subdtype is not None:
        base, _ = kind.subdtype
        return [offset // base.itemsize, *_inside(base, offset % base.itemsize, size)]
    if kind.fields is None or (offset == 0 and size >= kind.itemsize):
        return []
    for name, found in kind.fields.items():
        inner, start = found[0], found[1]
        if start <= offset < start + inner.itemsize:
            return [name, *_inside(inner, offset - start, size)]
    return []


def shown(value: Value, arrays: Sequence[Placed], layouts: Mapping[str, Layout], real: Real) -> str:
    """Return a value as text."""
    match value.form:
        case "truth":
            return "true" if value.number else "false"
        case "integer":
            return str(value.number)
        case "real":
            return number(float(value.number), value.size)
        case "pointer":
            if not value.number:
                return "null"
            at = element(arrays, int(value.number), 1 << 30)
            return "an address" if at is None else f"{at.array} + {at.number}" if at.number else at.array
        case "bytes":
            return _object(value, layouts, real)
        case _:
            return ""


def number(value: float, size: int) -> str:
    """Return a real with the digits that tell it from other numbers of its type."""
    if not math.isfinite(value):
        return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"
    kind = np.float64 if size > 4 else np.float32 if size == 4 else np.float16
    short = f"{value:.{ {8: 17, 4: 9}.get(size, 5) }g}" if math.isinf(kind(value)) else str(kind(value))
    return short.removesuffix(".0")


def _object(value: Value, layouts: Mapping[str, Layout], real: Real) -> str:
    """Return an object's numbers, with the names of its fields: {x = 1, y = 2}."""
    match = _ARRAY.fullmatch(value.type)
    name, extents = (match[1].strip(), match[2]) if match else (value.type.removeprefix("const "), "")
    sizes = tuple(int(n) for n in re.findall(r"\d+", extents))
    kind = _kind(name, value.size // math.prod(sizes), layouts, real)
    if kind is None:
        return f"an object of {value.size} bytes"
    whole = np.dtype((kind, sizes)) if sizes else kind
    if whole.itemsize != len(value.bytes):
        return f"an object of {value.size} bytes"
    return _spelled(np.frombuffer(value.bytes, kind).reshape(sizes), [_MOST])


def _kind(name: str, size: int, layouts: Mapping[str, Layout], real: Real) -> np.dtype[Any] | None:
    """Return numpy's type for a C++ type; None if it isn't known.

    Instances of templates have names of ours among the layouts: `Row_3` of `Row<3>`.
    """
    if name.startswith("thrust::complex<"):
        part = values.dtype(name[16:-1], "float")
        return np.dtype([("re", part), ("im", part)])
    base = name.partition("<")[0].rpartition("::")[2]
    known = [layout for own, layout in layouts.items() if name in (own, to_double(own))]
    known += [layout for own, layout in layouts.items() if own.startswith(f"{base}_") and "<" in name]
    for layout in known:
        try:
            kind = struct_type(layout, real)
        except KeyError:
            continue
        if size % kind.itemsize == 0:
            return kind
    try:
        return values.dtype(name, "float")
    except KeyError:
        return None


def _spelled(array: Any, left: list[int]) -> str:
    if isinstance(array, np.ndarray) and array.ndim:
        parts = []
        for one in array:
            if left[0] <= 0:
                parts.append("…")
                break
            parts.append(_spelled(one, left))
        return "{" + ", ".join(parts) + "}"
    left[0] -= 1
    if array.dtype.names:
        return "{" + ", ".join(f"{name} = {_spelled(array[name], left)}" for name in array.dtype.names) + "}"
    plain = array.item()
    if isinstance(plain, float):
        return number(plain, array.dtype.itemsize)
    return str(plain).lower() if isinstance(plain, bool) else str(plain)
