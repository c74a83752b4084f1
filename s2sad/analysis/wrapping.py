"""Whether a loop's counter wraps around before the loop ends.

Unsigned integers wrap, and so do narrow signed ones, whose sums are computed as `int` and
converted back. A loop over such a counter has the trips and the direction that its head
suggests only if no value that the counter takes is followed by one on the other side:

    for (unsigned j = 3; j != -1; --j)         3, 2, 1, 0
    for (unsigned char j = 250; j != 3; ++j)   250 ... 255, 0, 1, 2
    for (unsigned j = 5; j >= 0; --j) { ...; if (j == 0) break; }

An overflow of `int` and wider signed types is undefined, so these count on to their bound.
For types of 32 bits and more a bound that isn't a literal is taken to be further than one
step from the end of the type, as the header says: a loop that passes it runs 2^32 times.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import replace

from ..ir import INT, Binary, Cast, Const, Expr, Scalar, Special, Unary

Range = tuple[int, int]
"""The least and the greatest value."""


def range_of(kind: Scalar) -> Range:
    """The values of an integer type."""
    bits = 8 * kind.size
    if kind.kind == "bool":
        return 0, 1
    return (0, (1 << bits) - 1) if kind.kind == "unsigned" else (-(1 << bits - 1), (1 << bits - 1) - 1)


def overflows(kind: Scalar) -> bool:
    """Whether leaving the range of a type is undefined: `int` and wider signed types."""
    return kind.kind == "signed" and kind.size >= INT.size


def stays_natural(expr: Cast) -> bool:
    """Whether an integer that isn't negative stays so in a conversion.

    A narrow signed type may not hold it; of others the header says that no index wraps.
    """
    kind, source = expr.type, expr.arg.type
    if not isinstance(kind, Scalar) or not isinstance(source, Scalar) or not source.is_integer:
        return False
    if kind.kind != "signed" or kind.size >= INT.size or source.size < kind.size:
        return True
    value = exact(expr.arg)
    return source == kind if value is None else value <= range_of(kind)[1]


def values(expr: Expr, kind: Scalar) -> Range:
    """The values that an integer expression may have, converted to a type."""
    low, high = range_of(kind)
    value = exact(expr)
    if value is not None:
        value = wrapped(value, kind)
        return value, value
    least, most = _form(expr)
    return (least, most) if low <= least and most <= high else (low, high)


def exact(expr: Expr) -> int | None:
    """The value of an integer expression of literals, as C++ computes it in the types that it has."""
    kind = expr.type
    if not isinstance(kind, Scalar) or not kind.is_integer:
        return None
    found: int | None = None
    match expr:
        case Const(int() as value):
            return int(value)
        case Special("warpSize"):
            return 32
        case Cast(arg) | Unary("+", arg):
            found = exact(arg)
        case Unary("-", arg):
            found = None if (inner := exact(arg)) is None else -inner
        case Unary("~", arg):
            found = None if (inner := exact(arg)) is None else ~inner
        case Binary(op, left, right) if op in _OPERATIONS:
            one, other = exact(left), exact(right)
            found = None if one is None or other is None else _OPERATIONS[op](one, other)
        case _:
            pass
    return None if found is None else wrapped(found, kind)


def spelled_out(expr: Expr) -> Expr:
    """An expression whose conversion to a narrow type is written out, where it may change the value."""
    kind, source = expr.type, expr.arg.type if isinstance(expr, Cast) and expr.implicit else None
    if not isinstance(expr, Cast) or not isinstance(source, Scalar) or not source.is_integer:
        return expr
    if not isinstance(kind, Scalar) or not kind.is_integer or kind.size >= INT.size or kind.kind == "bool":
        return expr
    low, high = range_of(kind)
    least, most = values(expr.arg, source)
    if low <= least and most <= high:
        return expr
    value = exact(expr)
    return replace(expr, implicit=False) if value is None else Const(value, kind)


def wrapped(value: int, kind: Scalar) -> int:
    """A value converted to a type; of a signed sum that leaves its type nothing is said anyway."""
    if kind.kind == "bool":
        return int(value != 0)
    low, high = range_of(kind)
    return (value - low) % (high - low + 1) + low


def _shifted(one: int, by: int) -> int | None:
    return one << by if 0 <= by < 64 else None


def _shifted_down(one: int, by: int) -> int | None:
    return one >> by if 0 <= by < 64 else None


def _remainder(one: int, other: int) -> int | None:
    """Its sign is the dividend's."""
    return None if other == 0 else abs(one) % abs(other) * (-1 if one < 0 else 1)


def _quotient(one: int, other: int) -> int | None:
    """C++ rounds towards zero."""
    return None if other == 0 else abs(one) // abs(other) * (1 if (one < 0) == (other < 0) else -1)


_OPERATIONS: dict[str, Callable[[int, int], int | None]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": _quotient,
    "%": _remainder,
    "<<": _shifted,
    ">>": _shifted_down,
    "^": operator.xor,
    "&": operator.and_,
    "|": operator.or_,
}


def _form(expr: Expr) -> Range:
    match expr:
        case Special("threadIdx"):
            return 0, 1023
        case Special("blockDim" | "gridDim" | "warpSize"):
            return 1, (1 << 31) - 1
        case Special("blockIdx"):
            return 0, (1 << 31) - 2
        case Cast(arg, Scalar() as kind) if kind.is_integer and isinstance(arg.type, Scalar):
            return values(arg, kind) if arg.type.is_integer else range_of(kind)
        case _:
            assert isinstance(expr.type, Scalar)
            return range_of(expr.type)


def reaches(
    kind: Scalar, compared: Scalar, start: Expr | None, op: str, bound: Expr, step: int, exits: bool
) -> bool:
    """Whether a counter gets to the end that `counter op bound` gives without wrapping around.

    `kind` is the counter's type, `compared` the one that it is compared in; `step` is what is
    added each time, negative downwards. `exits`: the loop may end otherwise, so that it needn't
    ever get there; a loop without exits that never did would run for ever.
    """
    if compared.kind == "unsigned" and kind.kind == "signed":
        kind = compared  # a negative counter is a large one
    low, high = range_of(kind)
    first = (low, high) if start is None else values(start, kind)
    last = values(bound, compared)
    if op == "!=":
        return _meets(kind, start, bound, first, last, step, exits)
    if overflows(kind):
        return True
    up = step > 0
    if op not in (("<", "<=") if up else (">", ">=")):
        return False
    if abs(step) == 1 and not exits:
        return True  # past the end of the type it would begin again, for ever
    if first[0] == first[1] and last[0] == last[1]:
        return _stays(first[0], op, last[0], step, low, high)
    strict = op in ("<", ">")
    if up:
        if kind.size >= INT.size and last[0] != last[1]:
            return True
        return last[1] - strict + step <= high
    if kind.size >= INT.size and not exits:
        return True
    return last[0] + strict + step >= low


def _stays(value: int, op: str, bound: int, step: int, low: int, high: int) -> bool:
    """As `reaches`, of literals: whether the first value beyond the bound is one of the type's."""
    distance = (bound - value if step > 0 else value - bound) + (op in ("<=", ">="))
    trips = max(0, -(-distance // abs(step)))
    return low <= value + trips * step <= high


def _meets(
    kind: Scalar, start: Expr | None, bound: Expr, first: Range, last: Range, step: int, exits: bool
) -> bool:
    """Whether a counter with the step 1 or -1 meets its bound without passing the end of its type."""
    if abs(step) != 1:
        return False
    if overflows(kind) and not exits:
        return True
    match start, bound:
        case Special("threadIdx", a), Special("blockDim", b) if a == b and step > 0:
            return True
    return first[1] <= last[0] if step > 0 else first[0] >= last[1]
