"""The values of constant expressions, computed as C++ computes them."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping

from ... import ir
from ...ir import Binary, Cast, Const, Expr, Place, Scalar, Select, Sym, Unary
from . import types

Number = int | float | bool

_OPERATIONS: dict[str, Callable[[Number, Number], Number]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
_BITS: dict[str, Callable[[int, int], int]] = {
    "<<": operator.lshift,
    ">>": operator.rshift,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
}


def evaluate(expr: Expr, known: Mapping[Sym, Number]) -> Number | None:
    """The value of an expression over constants; None if it has none that is known."""
    try:
        return _evaluate(expr, known)
    except (OverflowError, ZeroDivisionError, ValueError):
        return None


def integer(expr: Expr, known: Mapping[Sym, Number]) -> int | None:
    """The value of an integer constant expression."""
    if not isinstance(expr.type, Scalar) or not expr.type.is_integer:
        return None
    value = evaluate(expr, known)
    return None if value is None else int(value)


def _evaluate(expr: Expr, known: Mapping[Sym, Number]) -> Number | None:
    match expr:
        case Const():
            return expr.value
        case Place(sym=sym, index=()):
            return known.get(sym)
        case Cast(arg=arg, type=Scalar() as type):
            value = _evaluate(arg, known)
            return None if value is None else types.wrap(value, type)
        case Unary(op=op, arg=arg, type=Scalar() as type):
            value = _evaluate(arg, known)
            return None if value is None else types.wrap(_unary(op, value), type)
        case Binary(op="&&" | "||"):
            left = _evaluate(expr.left, known)
            if left is None or bool(left) == (expr.op == "||"):
                return left
            return _evaluate(expr.right, known)
        case Binary(op=op, type=Scalar() as type):
            left, right = _evaluate(expr.left, known), _evaluate(expr.right, known)
            if left is None or right is None:
                return None
            return types.wrap(_binary(op, left, right), type)
        case Select():
            cond = _evaluate(expr.cond, known)
            if cond is None:
                return None
            return _evaluate(expr.then if cond else expr.other, known)
        case _:
            return None


def _unary(op: ir.UnaryOp, value: Number) -> Number:
    match op:
        case "-":
            return -value
        case "+":
            return value
        case "!":
            return not value
        case "~":
            return ~int(value)


def _binary(op: str, left: Number, right: Number) -> Number:
    if op in _OPERATIONS:
        return _OPERATIONS[op](left, right)
    if op in ("/", "%"):
        if isinstance(left, float) or isinstance(right, float):
            return left / right
        quotient = abs(left) // abs(right)
        quotient = quotient if (left < 0) == (right < 0) else -quotient
        return quotient if op == "/" else left - quotient * right
    if op in ("<<", ">>") and not 0 <= right < 64:
        raise OverflowError
    return _BITS[op](int(left), int(right))
