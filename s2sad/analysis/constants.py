"""Compile-time integer arithmetic as in C++, and the value ranges of integer types."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import replace

from ..ir import (
    INT,
    Binary,
    Cast,
    Const,
    Expr,
    Place,
    Scalar,
    Special,
    Stmt,
    Sym,
    Unary,
    scalar_type,
    unconverted,
    walk,
)
from .ssa import Version, Versions

Range = tuple[int, int]
"""The least and the greatest value."""


def range_of(kind: Scalar) -> Range:
    """Return the range of an integer type."""
    bits = 8 * kind.size
    if kind.kind == "bool":
        return 0, 1
    return (0, (1 << bits) - 1) if kind.kind == "unsigned" else (-(1 << bits - 1), (1 << bits - 1) - 1)


def overflows(kind: Scalar) -> bool:
    """Whether leaving the range of a type is undefined: `int` and wider signed types."""
    return kind.kind == "signed" and kind.size >= INT.size


def is_wide(kind: object) -> bool:
    """Whether a type is an integer type that holds every size of a launch."""
    return isinstance(kind, Scalar) and kind.is_integer and kind.size >= INT.size


def bare(expr: Expr) -> Expr:
    """Strip conversions between such types."""
    while isinstance(expr, Cast) and is_wide(expr.type) and is_wide(expr.arg.type):
        expr = expr.arg
    return expr


def uncast(expr: Expr) -> Expr:
    """Strip all conversions around an expression."""
    return uncast(expr.arg) if isinstance(expr, Cast) else expr


def natural(expr: Expr) -> bool:
    """Whether the form of an integer shows that it isn't negative: positions in the launch, sums of them."""
    match expr:
        case Const(value):
            return value >= 0
        case Special():
            return True
        case Cast(arg, _):
            return stays_natural(expr) and natural(arg)
        case Binary("+" | "*" | "/" | "%", left, right):
            return natural(left) and natural(right)
        case _:
            return isinstance(expr.type, Scalar) and expr.type.kind == "unsigned"


def stays_natural(expr: Cast) -> bool:
    """Whether a conversion keeps a non-negative integer non-negative.

    A narrow signed type may not hold it; for other types the header states that no index wraps.
    """
    kind, source = expr.type, expr.arg.type
    if not isinstance(kind, Scalar) or not isinstance(source, Scalar) or not source.is_integer:
        return False
    if kind.kind != "signed" or kind.size >= INT.size or source.size < kind.size:
        return True
    value = exact(expr.arg)
    return source == kind if value is None else value <= range_of(kind)[1]


def values(expr: Expr, kind: Scalar) -> Range:
    """Bound the values of an integer expression converted to a type."""
    low, high = range_of(kind)
    value = exact(expr)
    if value is not None:
        value = wrapped(value, kind)
        return value, value
    least, most = _form(expr)
    return (least, most) if low <= least and most <= high else (low, high)


def exact(expr: Expr) -> int | None:
    """Evaluate an integer expression of literals as C++ does, in the expression's own types."""
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
            found = None if one is None or other is None else computed(op, one, other)
        case _:
            pass
    return None if found is None else wrapped(found, kind)


def spelled_out(expr: Expr) -> Expr:
    """Make an implicit conversion to a narrow type explicit, where it may change the value."""
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
    """Convert a value to a type; signed overflow is undefined anyway."""
    if kind.kind == "bool":
        return int(value != 0)
    low, high = range_of(kind)
    return (value - low) % (high - low + 1) + low


def _shifted(one: int, by: int) -> int | None:
    return one << by if 0 <= by < 64 else None


def _shifted_down(one: int, by: int) -> int | None:
    return one >> by if 0 <= by < 64 else None


def _remainder(one: int, other: int) -> int | None:
    """Return the C++ remainder; its sign is the dividend's."""
    return None if other == 0 else abs(one) % abs(other) * (-1 if one < 0 else 1)


def _quotient(one: int, other: int) -> int | None:
    """C++ rounds towards zero."""
    return None if other == 0 else abs(one) // abs(other) * (1 if (one < 0) == (other < 0) else -1)


def computed(op: str, a: int, b: int) -> int | None:
    """Apply an operator to two numbers; None if the result is undefined."""
    return _OPERATIONS[op](a, b) if op in _OPERATIONS else None


COMPARED: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
OPPOSITE = {"<": ">=", ">=": "<", ">": "<=", "<=": ">", "==": "!=", "!=": "=="}
FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "!=": "!="}
"""The comparison with its sides exchanged; without `==`, as no counted loop continues on equality."""
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
            return range_of(scalar_type(expr))


WARP = 32
FULL = 0xFFFFFFFF


def constant_of(version: Version) -> Expr | None:
    """Return the literal expression that defines a version, if there is one: `0`, `BLOCK / 2`."""
    if version.made is None or literal(version.made[1]) is None:
        return None
    return spelled_out(version.made[1])


def literal(expr: Expr) -> int | None:
    """Evaluate an integer expression of literals as C++ does; `warpSize` is one."""
    return exact(expr)


def has_name(expr: Expr) -> bool:
    """Whether an expression contains a constant that the author has named: `TILE`, `(STEPS - 1) / 2`.

    Its value decides, but isn't written: who changes the name in the output expects the rest to follow.
    """
    return any(e.named if isinstance(e, Const) else e.macro is not None for e in walk(expr))


def real_literal(versions: Versions, stmt: Stmt, expr: Expr) -> float | None:
    """Return the number of a literal without a name, or of a variable that holds one where it is read.

    const Complex i = {0.0, 1.0};      i.r is 0 and i.i is 1
    """
    match unconverted(expr):
        case Const(value) as literal if not literal.named:
            return float(value)
        case Place(sym, ()):
            version = versions.read(stmt, sym)
            return None if version is None or version.made is None else real_literal(versions, *version.made)
        case _:
            return None


def number(versions: Versions, stmt: Stmt, expr: Expr) -> int | None:
    """Evaluate an integer that a statement reads, if literals alone decide it."""
    found = literal(expr)
    if found is not None:
        return found
    match expr:
        case Cast(arg, Scalar() as type_) if type_.is_integer:
            inner = number(versions, stmt, arg)
            return None if inner is None else wrapped(inner, type_)
        case Place(sym, ()):
            version = versions.read(stmt, sym)
            return None if version is None or version.made is None else number(versions, *version.made)
        case _:
            return None


def is_named(expr: Expr, sym: Sym) -> bool:
    """Whether an expression is a variable alone, perhaps converted between such types."""
    named = bare(expr)
    return isinstance(named, Place) and named.sym is sym and not named.index
