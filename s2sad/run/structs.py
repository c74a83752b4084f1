"""Structs in memory: pack fields, which the caller holds as separate arrays, with C's layout.

Validation works with numbers and arrays of numbers: `pos.x` is an array. They are
packed for the launch here, and unpacked after it. The layout depends on the type that
`float` is compiled as: offsets and sizes are those of the text that runs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

from ..signature import Argument, Layout, Signature
from .backend import LaunchFailed
from .float_widening import Real
from .values import Array, Value, components, dtype

_GUARD = 4  # elements after a packed array that must not be written
_FILL = 0xA5
_ADDRESS = np.dtype(np.uint64)


@cache
def struct_type(layout: Layout, real: Real = "float") -> np.dtype[Any]:
    """Return the numpy type of a struct. Raises KeyError for a field whose type numpy can't represent."""
    return _laid(layout, real)[0]


@cache
def _laid(layout: Layout, real: Real) -> tuple[np.dtype[Any], int]:
    """Return the numpy type and its alignment."""
    names, formats, offsets = [], [], []
    end, align = 0, max(layout.align, 1)
    for name, type, extents in layout.fields:
        if isinstance(type, str):
            kind = _ADDRESS if type.endswith("*") else dtype(type, real)
            own = kind.itemsize // components(kind)
        else:
            kind, own = _laid(type, real)
        if layout.vector and len(layout.fields) in (2, 4):
            most = len(layout.fields) * (kind.itemsize if components(kind) == 1 else kind.itemsize // 4)
            align = most if len(layout.fields) == 2 else min(most, 16)
        else:
            align = max(align, own)
        start = _up(end, own)
        whole = np.dtype((kind, extents)) if extents else kind
        names.append(name)
        formats.append(whole)
        offsets.append(start)
        end = start + whole.itemsize
    size = max(_up(end, align), 1)
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": size}), align


def _up(offset: int, align: int) -> int:
    return -(-offset // align) * align


@dataclass(frozen=True)
class Packed:
    """A launch with structs packed: the kernel with its declared parameters, and their arguments."""

    kernel: Signature
    args: Mapping[str, Value]
    given: Mapping[str, Value]
    fields: Signature

    @property
    def held(self) -> list[tuple[Argument, Array]]:
        """The arrays that structs point to, which aren't parameters themselves."""
        arrays = ((field, self.given[field.name]) for field in self.fields.arguments if field.held)
        return [(field, array) for field, array in arrays if isinstance(array, np.ndarray)]

    def unpack(self) -> None:
        """Copy the fields of written structs back into the caller's arrays. Raises LaunchFailed."""
        for argument in self.kernel.arguments:
            packed = self.args[argument.name]
            if argument.layout is None or argument.const or not argument.pointer:
                continue
            assert isinstance(packed, np.ndarray)
            assert packed.base is not None
            behind = np.asarray(packed.base).reshape(-1)[packed.size :]
            if (behind.view(np.uint8) != _FILL).any():
                raise LaunchFailed(f"{self.kernel.name} writes beyond the end of {argument.name}")
            for field in self.fields.arguments:
                if field.within == argument.name and not field.held:
                    array = self.given[field.name]
                    assert isinstance(array, np.ndarray)
                    array[...] = _at(packed, field.path).reshape(array.shape)


def packed(kernel: Signature, args: Mapping[str, Value], real: Real) -> Packed:
    """Pack the arguments of a kernel whose signature has one argument per field. Raises LaunchFailed."""
    if not kernel.wholes:
        return Packed(kernel, args, args, kernel)
    wholes: dict[str, Value] = {}
    for argument in kernel.wholes:
        if argument.layout is None:
            if argument.name in args:
                wholes[argument.name] = args[argument.name]
            continue
        fields = [f for f in kernel.arguments if f.within == argument.name]
        wholes[argument.name] = _together(argument, fields, args, real)
    return Packed(_own(kernel), wholes, args, kernel)


def by_value(kernel: Signature, args: Mapping[str, Value]) -> dict[str, Value]:
    """Drop array arguments, except those in a struct that is passed by value."""
    structs = {a.name for a in kernel.wholes if not a.pointer}
    inside = {a.name for a in kernel.arguments if a.within in structs}
    return {name: v for name, v in args.items() if name in inside or not isinstance(v, np.ndarray)}


def packed_scalars(kernel: Signature, args: Mapping[str, Value], real: Real) -> Packed:
    """Like `packed`, for arguments passed by value only: a size function takes no others."""
    values = tuple(a for a in kernel.wholes if not a.pointer and a.role == "value")
    names = {a.name for a in values}
    fields = tuple(a for a in kernel.arguments if (a.within or a.name) in names)
    if not kernel.wholes:
        return Packed(kernel, args, args, kernel)
    return packed(replace(kernel, arguments=fields, wholes=values), args, real)


@cache
def _own(kernel: Signature) -> Signature:
    """Return the kernel with its declared parameters."""
    return Signature(kernel.name, kernel.wholes, tape=kernel.tape, shared=kernel.shared)


def _together(argument: Argument, fields: list[Argument], args: Mapping[str, Value], real: Real) -> Value:
    assert argument.layout is not None
    try:
        kind = struct_type(argument.layout, real)
        values = {field.path: np.asarray(args[field.name]) for field in fields if not field.held}
        held = {field.path: _address(field, args[field.name], real) for field in fields if field.held}
    except KeyError as missing:
        raise LaunchFailed(f"argument {argument.name}: no {missing.args[0]}") from None
    shape: tuple[int, ...] = ()
    if argument.pointer:
        shape = (1,)
        for path, value in values.items():
            inner = _at(np.empty((), kind), path).shape
            shape = value.shape[: value.ndim - len(inner)] or (1,)
    count = int(np.prod(shape, dtype=np.int64))
    room = np.zeros(count + (_GUARD if argument.pointer else 0), kind)
    room[count:].view(np.uint8)[...] = _FILL
    whole: Array = room[:count]
    for path, value in values.items():
        place = _at(whole, path)
        place[...] = value.reshape(place.shape)
    for path, address in held.items():
        _at(whole, path)[...] = address
    return whole if argument.pointer else whole[0]


def _address(field: Argument, value: Value, real: Real) -> int:
    """Return the address of an array that a struct points to. Raises LaunchFailed."""
    kind = dtype(field.type, real)
    if not isinstance(value, np.ndarray) or value.dtype != kind or not value.flags.c_contiguous:
        raise LaunchFailed(f"argument {field.name}: a contiguous array of {kind} is expected")
    return value.ctypes.data if value.size else 0


def pointing(whole: Value, field: Argument, address: int) -> Value:
    """Make the struct's field point to `address`; a struct passed by pointer is modified in place."""
    found: Array = whole if isinstance(whole, np.ndarray) else np.array([whole])
    _at(found, field.path)[...] = address
    return found if isinstance(whole, np.ndarray) else found[0]


def _at(array: Array, path: tuple[str, ...]) -> Array:
    for name in path:
        array = array[name]
    return array


def place(kernel: Signature, name: str, element: int, real: Real) -> tuple[str, int, int] | None:
    """Return the parameter, first byte and size of an element of a field's array; None if not a field."""
    for field in kernel.arguments:
        if field.name == name and field.within and not field.held:
            whole = next(a for a in kernel.wholes if a.name == field.within)
            assert whole.layout is not None
            kind = struct_type(whole.layout, real)
            base = np.zeros(1, kind)
            part = _at(base, field.path)
            start = part.__array_interface__["data"][0] - base.__array_interface__["data"][0]
            start += element // part.size * kind.itemsize + element % part.size * part.itemsize
            return field.within, start, part.itemsize
    return None
