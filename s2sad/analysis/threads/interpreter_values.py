"""Values of threads while a stretch of a kernel is interpreted: numbers, and sums of initial values.

Numbers follow the machine: integers wrap, or are unknown where they would overflow,
and floats are rounded. A sum of initial values is represented by the set of its threads; two
sums with a common thread have no sum that counts each thread once.
"""

from __future__ import annotations

import operator
import struct
from collections.abc import Callable, Sequence
from typing import TypeGuard

from ...ir import Scalar
from ..constants import COMPARED, computed


class Holds:
    """The sum of some threads' initial values; bit `t + n * threads` is thread t's n-th variable."""

    __slots__ = ("bits",)

    def __init__(self, bits: int) -> None:
        self.bits = bits


class _Mark:
    """A value that is unknown, or absent."""


Unknown, Nothing = _Mark(), _Mark()
Value = int | float | Holds | _Mark
Values = list[Value] | Value
"""The values of the executing threads, in order; or one value that they all have."""


def spread(values: Values, who: Sequence[int]) -> list[Value]:
    """Return one value per thread."""
    return values if isinstance(values, list) else [values] * len(who)


def each(change: Callable[[Value], Value], values: Values) -> Values:
    return [change(v) for v in values] if isinstance(values, list) else change(values)


def cast(values: Values, type_: object, before: object = None) -> Values:
    """Convert values to a type, as `converted` does one."""
    if not isinstance(values, list):
        return converted(values, type_, before)
    if integers(values) and _within(values, type_):
        return list(values)
    if _sums(values) and isinstance(type_, Scalar) and before in (None, type_):
        return values
    if integers(values) and _as_floats(values, type_):
        return [float(v) for v in values]
    return [converted(v, type_, before) for v in values]


def paired(op: str, a: Values, b: Values, type_: object) -> Values:
    if isinstance(a, list) or isinstance(b, list):
        found = _alike(op, a, b, type_)
        if found is not None:
            return found
    if isinstance(a, list):
        others = b if isinstance(b, list) else [b] * len(a)
        return [binary(op, v, w, type_) for v, w in zip(a, others, strict=True)]
    if isinstance(b, list):
        return [binary(op, a, w, type_) for w in b]
    return binary(op, a, b, type_)


def _alike(op: str, a: Values, b: Values, type_: object) -> Values | None:
    """Like `paired`, if all threads have integers, or all have sums; else None."""
    length = len(a) if isinstance(a, list) else len(b) if isinstance(b, list) else 0
    left, right = (v if isinstance(v, list) else [v] * length for v in (a, b))
    if integers(left) and integers(right):
        if op in COMPARED:
            return [int(c) for c in map(COMPARED[op], left, right)]
        if op in _COUNTING and (min(left) < 0 or min(right) <= 0):
            return None
        if op in _SHIFTING and not 0 <= min(right) <= max(right) < 64:
            return None
        compute = _EXACT.get(op) or _COUNTING.get(op) or _SHIFTING.get(op)
        out = [] if compute is None else list(map(compute, left, right))
        return list(out) if out and _within(out, type_) else None
    if op == "+" and _sums(left) and _sums(right):
        return _joined_each(left, right)
    return None


def _joined(a: Value, b: Value) -> Value:
    """Add two sums, or marks."""
    if isinstance(a, Holds) and isinstance(b, Holds):
        return Unknown if a.bits & b.bits else Holds(a.bits | b.bits)
    return Nothing if a is Nothing or b is Nothing else Unknown


def _joined_each(left: Sequence[Value], right: Sequence[Value]) -> list[Value]:
    """The same for all threads."""
    if set(map(type, left)) == set(map(type, right)) == {Holds}:
        pairs = zip(map(_BITS, left), map(_BITS, right), strict=True)
        return [Unknown if a & b else Holds(a | b) for a, b in pairs]
    return list(map(_joined, left, right))


_BITS = operator.attrgetter("bits")


def integers(values: Sequence[Value]) -> TypeGuard[Sequence[int]]:
    """Whether all threads have integers."""
    return set(map(type, values)) == {int}


def _sums(values: Sequence[Value]) -> bool:
    """Whether there are only sums and marks."""
    return set(map(type, values)) <= {Holds, _Mark}


def _within(values: Sequence[int], type_: object) -> bool:
    """Whether integers keep their values in a type."""
    if not isinstance(type_, Scalar) or type_.is_float or type_.kind == "bool":
        return False
    size = 8 * type_.size
    low, high = (0, 1 << size) if type_.kind == "unsigned" else (-(1 << size - 1), 1 << size - 1)
    return low <= min(values) and max(values) < high


def _as_floats(values: Sequence[int], type_: object) -> bool:
    """Whether a floating type represents all of these integers exactly."""
    exact = min(values) >= -_EXACT_IN_FLOAT and max(values) <= _EXACT_IN_FLOAT
    return exact and isinstance(type_, Scalar) and type_.is_float


def goes(op: str, first: Value) -> bool:
    """Whether the right operand is evaluated."""
    return not isinstance(first, int | float) or bool(first) == (op == "&&")


def both(op: str, first: Value, second: Value | None) -> Value:
    if isinstance(first, int | float):
        return int(op == "||") if second is None else second
    return first if first is Nothing else Unknown


def binary(op: str, a: Value, b: Value, type_: object) -> Value:
    if isinstance(a, Holds) and isinstance(b, Holds):
        return Unknown if op != "+" or a.bits & b.bits else Holds(a.bits | b.bits)
    if a is Nothing or b is Nothing:
        return Nothing
    if isinstance(a, int | float) and isinstance(b, int | float):
        return _computed(op, a, b, type_)
    if op != "+":
        return Unknown
    if isinstance(a, Holds) and b == 0.0:
        return a
    return b if isinstance(b, Holds) and a == 0.0 else Unknown


_EXACT: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
}
_REAL: dict[str, Callable[[float, float], float]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
}
_EXACT_IN_FLOAT = 1 << 24
# Without negative operands, rounding down is rounding towards zero.
_COUNTING: dict[str, Callable[[int, int], int]] = {"/": operator.floordiv, "%": operator.mod}
_SHIFTING: dict[str, Callable[[int, int], int]] = {"<<": operator.lshift, ">>": operator.rshift}


def _computed(op: str, a: float, b: float, type_: object) -> Value:
    if op in COMPARED:
        return int(COMPARED[op](a, b))
    if isinstance(type_, Scalar) and type_.is_float:
        if op == "/" and b:
            return converted(float(a) / float(b), type_)
        return converted(_REAL[op](float(a), float(b)), type_) if op in _REAL else Unknown
    if not isinstance(a, int) or not isinstance(b, int):
        return Unknown
    found = computed(op, int(a), int(b))
    return Unknown if found is None else converted(found, type_)


def unary(op: str, value: Value, type_: object) -> Value:
    if not isinstance(value, int | float):
        return value if op == "+" or value is Nothing else Unknown
    match op:
        case "-":
            return converted(-value, type_)
        case "+":
            return value
        case "!":
            return int(not value)
        case "~" if isinstance(value, int):
            return converted(~value, type_)
        case _:
            return Unknown


def converted(value: Value, type_: object, before: object = None) -> Value:
    """Convert a value to a type; a sum is kept only if its type doesn't change."""
    if not isinstance(type_, Scalar):
        return Unknown
    if not isinstance(value, int | float):
        kept = isinstance(value, Holds) and (before is None or before == type_)
        return value if kept or value is Nothing else Unknown
    if type_.is_float:
        return float(struct.unpack("f", struct.pack("f", value))[0]) if type_.size == 4 else float(value)
    if type_.kind == "bool":
        return int(bool(value))
    number, size = int(value), 8 * type_.size
    if type_.kind == "unsigned":
        return number % (1 << size)
    return number if -(1 << size - 1) <= number < 1 << size - 1 else Unknown
