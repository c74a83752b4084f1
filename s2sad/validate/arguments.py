"""Prepare a caller's arrays and numbers for a kernel.

Values are copied and converted to the parameter's element type. Values that don't fit
are rejected, all at once: floating values for an integer parameter, for instance. So are
overlapping arrays if one of them is written.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike

from ..diagnostics import Code, Diagnostic, Rejected, diagnose
from ..signature import Argument, Signature
from .elements import Array, Real, dtype, holds, is_floating
from .recipe import Dim3, Value

_AWAY = "an array on a GPU"
_FETCH = "copy it to the host: .get() in CuPy, .detach().cpu() in PyTorch, .copy_to_host() in Numba"


def prepare(args: Mapping[str, ArrayLike], kernel: Signature, real: Real = "float") -> dict[str, Value]:
    """Copy arguments to contiguous arrays of the parameters' types, and numbers. Raises Rejected."""
    found: list[Diagnostic] = []
    known = [argument for argument in kernel.arguments if argument.role == "value"]
    missing = [argument.name for argument in known if argument.name not in args]
    if missing:
        help = "args needs an entry for each parameter, including outputs"
        found.append(
            diagnose(Code.ARGUMENT_MISSING, None, names=", ".join(missing), kernel=kernel.name, help=help)
        )
    for name in args:
        if name not in {argument.name for argument in known}:
            help = f"its parameters are {', '.join(argument.name for argument in known)}"
            found.append(diagnose(Code.ARGUMENT_UNKNOWN, None, kernel=kernel.name, name=str(name), help=help))
    values: dict[str, Value] = {}
    for argument in known:
        if argument.name not in args:
            continue
        kind = dtype(argument.type, real)
        if kind is None:
            found.append(diagnose(Code.UNSUPPORTED_TYPE, None, name=argument.name, type=argument.type))
            continue
        if (given := on_host(args[argument.name])) is None:
            found.append(diagnose(Code.ARGUMENT_VALUE, None, name=argument.name, what=_AWAY, help=_FETCH))
        elif problem := _misfit(given, argument, kind):
            found.append(
                diagnose(Code.ARGUMENT_VALUE, None, name=argument.name, what=problem[0], help=problem[1])
            )
        elif argument.pointer:
            values[argument.name] = np.array(given, dtype=kind, order="C", copy=True)
        else:
            values[argument.name] = float(given) if is_floating(argument.type) else int(given)
    found += _overlaps(args, kernel)
    if found:
        raise Rejected(*found)
    return values


def on_host(value: ArrayLike) -> Array | None:
    """Return a value as numpy's array; None if it is on a GPU and its library doesn't copy it."""
    try:
        return np.asarray(value)
    except Exception:  # its type depends on the library
        if _on_device(value):
            return None
        raise


def _on_device(value: object) -> bool:
    """Whether it is an array on a GPU, by the protocols of CuPy, PyTorch, Numba and others."""
    try:
        return getattr(value, "__cuda_array_interface__", None) is not None
    except Exception:  # PyTorch: it is, but requires a gradient
        return True


def _overlaps(args: Mapping[str, ArrayLike], kernel: Signature) -> Iterator[Diagnostic]:
    """Report arrays that share memory, if one is written: copies of them would give different results."""
    held = [(a, given) for a in kernel.arguments if isinstance(given := args.get(a.name), np.ndarray)]
    for (one, first), (other, second) in combinations(held, 2):
        written = [a.name for a in (one, other) if a.pointer and a.written]
        if written and np.shares_memory(first, second):
            yield diagnose(
                Code.OVERLAPPING_ARGUMENTS,
                None,
                first=one.name,
                second=other.name,
                kernel=kernel.name,
                written=" and ".join(written),
            )


def prepare_seeds(
    seeds: Mapping[str, ArrayLike] | None, dependents: tuple[str, ...], values: Mapping[str, Value]
) -> dict[str, Array]:
    """Return a seed for each dependent, ones by default. Raises Rejected."""
    found: list[Diagnostic] = []
    for name in seeds or {}:
        if name not in dependents:
            help = f"the dependents are {', '.join(dependents)}"
            found.append(
                diagnose(
                    Code.ARGUMENT_VALUE, None, name=str(name), what="a seed for a non-dependent", help=help
                )
            )
    ready: dict[str, Array] = {}
    for name in dependents:
        like = values[name]
        assert isinstance(like, np.ndarray)
        seed = on_host((seeds or {}).get(name, 1.0))
        if seed is None:
            found.append(diagnose(Code.ARGUMENT_VALUE, None, name=name, what=_AWAY, help=_FETCH))
        elif seed.dtype.kind not in "fiub":
            what, help = f"a seed of {seed.dtype}", "a seed must be numeric"
            found.append(diagnose(Code.ARGUMENT_VALUE, None, name=name, what=what, help=help))
        elif seed.shape not in ((), like.shape):
            what = f"a seed of shape {seed.shape} for an array of shape {like.shape}"
            help = "a seed must have the shape of its dependent"
            found.append(diagnose(Code.ARGUMENT_VALUE, None, name=name, what=what, help=help))
        else:
            ready[name] = np.ascontiguousarray(np.broadcast_to(seed, like.shape).astype(like.dtype))
    if found:
        raise Rejected(*found)
    return ready


def dimensions(what: str, extents: int | tuple[int, ...]) -> Dim3:
    """Return a grid or block with three extents. Raises Rejected."""
    given = (extents,) if isinstance(extents, int) else tuple(extents)
    if not 1 <= len(given) <= 3 or any(not isinstance(e, int | np.integer) or e < 1 for e in given):
        text = f"{extents} isn't one to three positive integers"
        raise Rejected(diagnose(Code.ARGUMENT_VALUE, None, name=what, what=text, help=f"{what}=(4, 2)"))
    x, y, z = [*(int(e) for e in given), 1, 1][:3]
    return x, y, z


def _misfit(given: Array, argument: Argument, kind: np.dtype[np.generic]) -> tuple[str, str] | None:
    """Return why a value doesn't fit a parameter and a help text; None if it fits."""
    if given.dtype.kind not in "fiub":
        return f"values of {given.dtype}", f"the parameter is {argument.type}"
    if argument.pointer and given.ndim == 0:
        return "a number for an array", f"pass a numpy array of {kind.name}"
    if not argument.pointer and given.ndim != 0:
        return "an array for a by-value parameter", "pass a number"
    if argument.pointer and not given.size:
        return "an empty array", "pass an array with at least one element"
    if kind.kind == "f":
        return None
    if given.dtype.kind == "f":
        return f"floating-point values for {argument.type}", f"convert it: .astype(numpy.{kind.name})"
    for extreme in (int(given.min()), int(given.max())):
        if not holds(kind, extreme):
            return f"{extreme} doesn't fit {argument.type}", f"its range is that of numpy.{kind.name}"
    return None
