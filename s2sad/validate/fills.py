"""The contents of a case's arrays: `normal`, `uniform(-1, 1)`, `randint(0, n)`, `data.npy` …

A fill is drawn in double precision and then converted, so that a case has the same
values whether `float` is compiled as `float` or as `double`, up to rounding.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from .elements import Array, holds
from .expressions import Expression, ExpressionError, parse

Kind = Literal[
    "normal", "uniform", "zeros", "ones", "arange", "randint", "sorted", "permutation", "file", "values",
    "sizes",
]  # fmt: skip

PLAIN: tuple[Kind, ...] = ("normal", "zeros", "ones", "arange", "permutation")
SPELLED = (
    "normal, uniform(lo, hi), zeros, ones, arange, randint(lo, hi), sorted(lo, hi), permutation, FILE.npy, "
    "and [0, 2, 5] itself"
)

_CALL = re.compile(r"^\s*(uniform|randint|sorted)\s*\((.*)\)\s*$", re.DOTALL)


@dataclass(frozen=True)
class Fill:
    """The contents of an array.

    `low` and `high` belong to uniform, `bounds` to randint and sorted, `file` to a file, `values` and
    `extents` to explicit values, `sizes` to expressions, which only a view of a tensor has.
    """

    kind: Kind
    low: float = 0.0
    high: float = 1.0
    bounds: tuple[Expression, Expression] | None = None
    file: Path | None = None
    values: tuple[int | float, ...] = ()
    extents: tuple[int, ...] = ()
    sizes: tuple[Expression, ...] = ()


def written_out(value: list[object], floating: bool) -> Fill:
    """Return the fill of explicit values, `[0, 2, 5]`, nested like the array. Raises ExpressionError."""
    try:
        found = np.array(value)
    except ValueError:  # rows of different lengths
        found = np.array(None)
    if found.dtype.kind not in "if" or not found.size:
        raise ExpressionError("expected numbers in rows of equal length", 0, 0)
    if found.dtype.kind == "f" and not floating:
        raise ExpressionError("floating-point values for an integer parameter", 0, 0)
    if not np.isfinite(found).all():
        raise ExpressionError("not all values are finite", 0, 0)
    return Fill("values", values=tuple(found.ravel().tolist()), extents=found.shape)


def read(text: str, folder: Path, floating: bool) -> Fill:
    """Parse a fill, for an element type that is floating or not. Raises ExpressionError."""
    name = text.strip()
    if name.endswith(".npy"):
        return Fill("file", file=folder / name)
    for kind in PLAIN:
        if name == kind:
            if kind == "normal" and not floating:
                raise ExpressionError("integers have no normal fill; use randint(lo, hi)", 0, len(text))
            return Fill(kind)
    match = _CALL.match(text)
    if not match:
        raise ExpressionError(f"'{name}' is not a fill; valid: {SPELLED}", 0, len(text))
    arguments = _split(match.group(2), match.start(2))
    if len(arguments) != 2:
        raise ExpressionError(f"{match.group(1)} takes two bounds, not {len(arguments)}", 0, len(text))
    (low, low_at), (high, high_at) = arguments
    if match.group(1) != "uniform":
        if match.group(1) == "sorted" and floating:
            raise ExpressionError("sorted(lo, hi) is for integers", 0, len(text))
        kind = "randint" if match.group(1) == "randint" else "sorted"
        return Fill(kind, bounds=(_bound(low, low_at), _bound(high, high_at)))
    if not floating:
        raise ExpressionError("integers have no uniform fill; use randint(lo, hi)", 0, len(text))
    fill = Fill("uniform", low=_number(low, low_at), high=_number(high, high_at))
    if not fill.low < fill.high:
        raise ExpressionError("the lower bound is not below the upper one", 0, len(text))
    return fill


def draw(
    fill: Fill, shape: tuple[int, ...] | None, kind: np.dtype[np.generic], seed: int, names: Mapping[str, int]
) -> Array:
    """Make an array with that fill. Raises ExpressionError, of which only the message is meaningful."""
    if fill.kind == "file":
        return _load(fill, shape, kind)
    if fill.kind == "values":
        return _written_out(fill, shape, kind)
    if fill.kind == "sizes":
        return np.array([size.value(names) for size in fill.sizes]).astype(kind)
    assert shape is not None
    random = np.random.default_rng(seed)
    count = int(np.prod(shape, dtype=np.int64))
    values: Array
    match fill.kind:
        case "normal":
            values = random.standard_normal(count)
        case "uniform":
            values = random.uniform(fill.low, fill.high, count)
        case "zeros":
            values = np.zeros(count)
        case "ones":
            values = np.ones(count)
        case "arange":
            values = np.arange(count)
        case "permutation":
            values = random.permutation(count)
        case "randint" | "sorted":
            assert fill.bounds
            low, high = (bound.value(names) for bound in fill.bounds)
            if not low < high:
                raise ExpressionError(f"{fill.kind}({low}, {high}) is an empty range", 0, 0)
            if low < -(2**63) or high > 2**63 - 1:
                raise ExpressionError(f"{fill.kind}({low}, {high}) does not fit 64 bits", 0, 0)
            values = random.integers(low, high, count)
            if fill.kind == "sorted":
                values = np.sort(values)
    _check_range(values, kind)
    return values.astype(kind).reshape(shape)


def _written_out(fill: Fill, shape: tuple[int, ...] | None, kind: np.dtype[np.generic]) -> Array:
    values = np.array(fill.values)
    if shape is not None and values.size != int(np.prod(shape, dtype=np.int64)):
        raise ExpressionError(f"{values.size} values for the shape {shape}", 0, 0)
    _check_range(values, kind)
    return values.astype(kind).reshape(shape or fill.extents)


def _load(fill: Fill, shape: tuple[int, ...] | None, kind: np.dtype[np.generic]) -> Array:
    assert fill.file is not None
    try:
        values: Array = np.load(fill.file, allow_pickle=False)
    except OSError as error:
        reason = error.strerror or "it cannot be read"
        raise ExpressionError(f"cannot read {fill.file.name}: {reason}", 0, 0) from None
    except ValueError:
        raise ExpressionError(f"{fill.file.name} is not a plain numpy array", 0, 0) from None
    if not isinstance(values, np.ndarray) or values.dtype.kind not in "fiub":
        raise ExpressionError(f"{fill.file.name} holds no numbers", 0, 0)
    if values.dtype.kind == "f" and kind.kind != "f":
        raise ExpressionError(f"{fill.file.name} holds floating-point values, not integers", 0, 0)
    if shape is not None and values.size != int(np.prod(shape, dtype=np.int64)):
        raise ExpressionError(f"{fill.file.name} has shape {values.shape}, not {shape}", 0, 0)
    if not values.size:
        raise ExpressionError(f"{fill.file.name} holds no elements", 0, 0)
    _check_range(values, kind)
    return np.ascontiguousarray(values.astype(kind).reshape(shape or values.shape))


def _check_range(values: Array, kind: np.dtype[np.generic]) -> None:
    if kind.kind == "f" or not values.size:
        return
    for extreme in (int(values.min()), int(values.max())):
        if not holds(kind, extreme):
            raise ExpressionError(f"{extreme} does not fit the element type ({kind.name})", 0, 0)


def _split(text: str, offset: int) -> list[tuple[str, int]]:
    """Split at commas outside parentheses; return the parts with their offsets."""
    parts, depth, start = [], 0, 0
    for i, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if char == "," and depth == 0:
            parts.append((text[start:i], offset + start))
            start = i + 1
    parts.append((text[start:], offset + start))
    return parts


def _bound(text: str, offset: int) -> Expression:
    try:
        return parse(text)
    except ExpressionError as error:
        raise ExpressionError(str(error), offset + error.start, offset + error.end) from None


def _number(text: str, offset: int) -> float:
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if not np.isfinite(number):
        raise ExpressionError(f"'{text.strip()}' is not a number", offset, offset + len(text))
    return number
