"""What threads hold while they act out a stretch of a kernel: numbers, and sums of what they brought.

Numbers are as the machine has them: integers wrap, or are not known where they would overflow,
and floats are rounded. A sum of what threads brought is the set of these threads; of two sums
with a thread in common there is no sum that counts each of them once.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence

from ..ir import Scalar


class Holds:
    """The sum of what some threads brought; bit `t + n * threads` is thread t's n-th variable."""

    __slots__ = ("bits",)

    def __init__(self, bits: int) -> None:
        self.bits = bits


class _Mark:
    """A value that isn't known, or that isn't there."""


Unknown, Nothing = _Mark(), _Mark()
Value = int | float | Holds | _Mark
Values = list[Value] | Value
"""Of the threads that come by, in order; or the one that they all have."""


def spread(values: Values, who: Sequence[int]) -> list[Value]:
    """A value for each thread."""
    return values if isinstance(values, list) else [values] * len(who)


def each(change: Callable[[Value], Value], values: Values) -> Values:
    return [change(v) for v in values] if isinstance(values, list) else change(values)


def paired(op: str, a: Values, b: Values, type_: object) -> Values:
    if isinstance(a, list):
        others = b if isinstance(b, list) else [b] * len(a)
        return [binary(op, v, w, type_) for v, w in zip(a, others, strict=True)]
    if isinstance(b, list):
        return [binary(op, a, w, type_) for w in b]
    return binary(op, a, b, type_)


def goes(op: str, first: Value) -> bool:
    """Whether the right side is asked for."""
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


_COMPARED: dict[str, Callable[[float, float], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
}


def _computed(op: str, a: float, b: float, type_: object) -> Value:
    if op in _COMPARED:
        return int(_COMPARED[op](a, b))
    if isinstance(type_, Scalar) and type_.is_float:
        match op:
            case "+":
                return converted(float(a) + float(b), type_)
            case "-":
                return converted(float(a) - float(b), type_)
            case "*":
                return converted(float(a) * float(b), type_)
            case "/" if b:
                return converted(float(a) / float(b), type_)
            case _:
                return Unknown
    if not isinstance(a, int) or not isinstance(b, int):
        return Unknown
    found = _whole(op, int(a), int(b))
    return Unknown if found is None else converted(found, type_)


def _whole(op: str, a: int, b: int) -> int | None:
    match op:
        case "+":
            return a + b
        case "-":
            return a - b
        case "*":
            return a * b
        case "/" | "%" if b:
            quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
            return quotient if op == "/" else a - quotient * b
        case "&":
            return a & b
        case "|":
            return a | b
        case "^":
            return a ^ b
        case "<<" if 0 <= b < 64:
            return a << b
        case ">>" if 0 <= b < 64:
            return a >> b
        case _:
            return None


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
    """A value as a type has it; of what threads brought, what stays as it is."""
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
