"""Split a caller's arrays of structs into arrays of their fields, and convert back to the caller's form.

`float3 *pos` is an array of shape (n, 3) or one of a structured type with the fields x, y
and z. Matrices whose columns are structs are an array of shape (n, 9). A struct with fields of
several types is of a structured type, nested like the struct. Results have the form of the arguments.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..diagnostics import Code, Diagnostic, Rejected, diagnose
from ..run.structs import struct_type
from ..signature import Argument, Layout, Signature, fields

Array = np.ndarray[Any, np.dtype[Any]]


def spread(given: Mapping[str, ArrayLike], kernel: Signature) -> dict[str, ArrayLike]:
    """Return the arguments with an entry for each field of a struct. Raises Rejected."""
    wholes = {a.name: a for a in kernel.wholes if a.layout is not None}
    found: list[Diagnostic] = []
    result: dict[str, ArrayLike] = {}
    for name, value in given.items():
        argument = wholes.get(name)
        if argument is None or argument.layout is None:
            result[name] = value
            continue
        parts = _held(value, argument.layout) if argument.parts else _parts(value, argument.layout)
        if parts is None:
            known = ", ".join(".".join(path) for path, _, _ in fields(argument.layout))
            what = f"{np.asarray(value).dtype} of shape {np.shape(value)} for {argument.layout.name}"
            help = f"pass an array of a structured type with the fields {known}"
            if argument.parts:
                what = f"{type(value).__name__} for {argument.layout.name}, which holds pointers"
                help = f"pass a dictionary with an entry for each of {known}"
                if argument.layout.rank:
                    help = f"pass an array of {argument.layout.rank} dimensions"
            if (count := _homogeneous(argument.layout)) is not None:
                help = f"pass an array whose last extent is {count}"
            found.append(diagnose(Code.ARGUMENT_VALUE, None, name=name, what=what, help=help))
            continue
        for path, part in parts.items():
            result[f"{name}.{'.'.join(path)}"] = part if argument.pointer or part.ndim else part[()]
    if found:
        raise Rejected(*found)
    return result


def _held(value: Any, layout: Layout) -> dict[tuple[str, ...], Array] | None:
    """Return the fields of a struct with pointers, passed as a dictionary; None if it isn't one."""
    found: dict[tuple[str, ...], Array] = {}
    inner = {name: type for name, type, _ in layout.fields}
    if layout.rank and np.ndim(value) == layout.rank and not isinstance(value, Mapping):
        return _viewed(np.ascontiguousarray(value))
    if not isinstance(value, Mapping) or not inner.keys() >= value.keys():
        return None
    for name, part in value.items():
        type = inner[name]
        parts = {(): np.asarray(part)} if isinstance(type, str) else _held(part, type)
        if parts is None:
            return None
        found |= {(name, *path): array for path, array in parts.items()}
    return found


def _viewed(array: Array) -> dict[tuple[str, ...], Array]:
    """Return the fields of a tensor's accessor."""
    strides = [stride // array.itemsize for stride in array.strides]
    return {("data_",): array, ("sizes_",): np.array(array.shape), ("strides_",): np.array(strides)}


def _homogeneous(layout: Layout) -> int | None:
    """Return the number of numbers in a struct if all have the same type, else None."""
    leaves = list(fields(layout))
    types = {(type, extents) for _, type, extents in leaves}
    return len(leaves) if len(types) == 1 and not leaves[0][2] else None


def _parts(value: Any, layout: Layout) -> dict[tuple[str, ...], Array] | None:
    """Return the fields of an array of structs; None if it isn't one."""
    if isinstance(value, Mapping):
        value = _record(value, layout)
    array: Array = np.asarray(value)
    if array.dtype.names is not None:
        found: dict[tuple[str, ...], Array] = {}
        for path, _, _ in fields(layout):
            part = array
            for name in path:
                if part.dtype.names is None or name not in part.dtype.names:
                    return None
                part = part[name]
            found[path] = part.copy()
        return found
    count = _homogeneous(layout)
    if count is None or array.ndim == 0 or array.shape[-1] != count:
        return None
    return {path: array[..., k].copy() for k, (path, _, _) in enumerate(fields(layout))}


def _record(value: Mapping[str, Any], layout: Layout) -> Array:
    """Convert a dictionary of fields to a struct."""
    made: Array = np.zeros((), struct_type(layout, "double"))
    for name, part in value.items():
        if made.dtype.names is None or name not in made.dtype.names:
            return np.asarray(0)
        inner = next(type for field, type, _ in layout.fields if field == name)
        if isinstance(part, Mapping):
            if isinstance(inner, str):
                return np.asarray(0)
            part = _record(part, inner)
        made[name] = part
    return made


def gathered(
    found: Mapping[str, Array], given: Mapping[str, ArrayLike], kernel: Signature, *, adjoint: bool
) -> dict[str, Array]:
    """Combine arrays of fields into arrays of structs, each in the caller's form.

    Integer fields of adjoints and tangents are zero. Arrays that a struct points to stay separate:
    `view.x` is an array. A tensor that was passed as an array has its own name.
    """
    result: dict[str, Array] = {}
    views = {a.name for a in kernel.wholes if a.layout is not None and a.layout.rank}
    tensors = {f"{name}.data_": name for name in views if not isinstance(given.get(name), Mapping)}
    extents = {f"{name}.{part}" for name in tensors.values() for part in ("sizes_", "strides_")}
    wholes = {a.name: a for a in kernel.wholes if a.layout is not None and not a.parts}
    inside = {a.name: a for a in kernel.arguments if a.within in wholes}
    for name, array in found.items():
        if name in extents:
            continue
        if name not in inside:
            result[tensors.get(name, name)] = array
            continue
        whole = wholes[inside[name].within]
        if whole.name not in result:
            result[whole.name] = _empty(whole, given[whole.name], array, adjoint)
        place = _place(result[whole.name], inside[name].path, whole)
        place[...] = array.reshape(place.shape)
    return result


def _empty(whole: Argument, given: Any, like: Array, adjoint: bool) -> Array:
    """Return an array of structs in the caller's form, all zeros."""
    assert whole.layout is not None
    if isinstance(given, Mapping):
        return np.zeros((), struct_type(whole.layout, "double"))
    array = np.asarray(given)
    if array.dtype.names is not None:
        return np.zeros(array.shape, array.dtype)
    kind = array.dtype
    if adjoint and kind.kind != "f":
        kind = like.dtype
    return np.zeros(array.shape, kind)


def _place(array: Array, path: tuple[str, ...], whole: Argument) -> Array:
    assert whole.layout is not None
    if array.dtype.names is None:
        return array[..., [p for p, _, _ in fields(whole.layout)].index(path)]
    for name in path:
        array = array[name]
    return array
