"""Integer arithmetic in 64 bits, and which conversions preserve every value.

An unsigned trip count wraps if the loop doesn't run, and an element count may not fit
into `int`. So the host computes the tape's size in signed 64 bits, and so does the
kernel its tape offsets, where they could wrap.
"""

from __future__ import annotations

from dataclasses import replace

from ...analysis.constants import literal
from ...ir import LLONG, Binary, Call, Cast, Const, Expr, Place, Scalar, Select, Type, Unary, walk

_DIGITS = {2: 11, 4: 24, 8: 53}  # significand bits of half, float, double


def same(a: Type, b: Type) -> bool:
    """Whether both types have the same values (`size_t` and `unsigned long` do)."""
    match a, b:
        case Scalar(), Scalar():
            return a.kind == b.kind and a.size == b.size and (not a.is_half or a.name == b.name)
        case _:
            return a == b


def exact(source: Type, target: Type) -> bool:
    """Whether `target` holds every value of `source`, so that the conversion loses nothing."""
    if same(source, target):
        return True
    if not (isinstance(source, Scalar) and isinstance(target, Scalar)):
        return False
    if source.kind == "bool":
        return True
    if target.kind == "bool":
        return False
    match source.is_float, target.is_float:
        case True, True:
            return source.size < target.size
        case True, False:
            return False
        case False, True:
            bits = 8 * source.size - (source.kind == "signed")
            return bits <= _DIGITS.get(target.size, 0)
        case _:
            if source.kind == target.kind:
                return source.size <= target.size
            return source.kind == "unsigned" and source.size < target.size


def widened(expr: Expr) -> Expr:
    """The same integer arithmetic in 64 bits: an element count may not fit into `int`."""
    if isinstance(expr, Const) and expr.macro is None and (expr.spelling or "0").isdigit():
        return replace(expr, type=LLONG)
    if not any(isinstance(e, Binary) and e.op in "+-*" for e in walk(expr)):
        return _long(expr)
    if expr.macro is not None and literal(expr) is not None:
        return _long(expr)  # what the author computed, under its name
    match expr:
        case Unary(op="-" | "+"):
            return replace(expr, arg=widened(expr.arg), type=LLONG, spelling=None, macro=None)
        case Binary(op="+" | "-" | "*" | "/" | "%"):
            return Binary(expr.op, widened(expr.left), widened(expr.right), LLONG)
        case Select():
            return Select(_condition(expr.cond), widened(expr.then), widened(expr.other), LLONG)
        case Cast() if _integer(expr.arg) and exact(expr.arg.type, expr.type):
            return widened(expr.arg)
        case Call(rule="min" | "max"):
            return replace(expr, args=tuple(widened(a) for a in expr.args), type=LLONG)
        case _:
            return _long(expr)


def wraps(expr: Expr) -> bool:
    """Whether an expression may wrap where the count itself is small.

    Unsigned arithmetic does if the loop doesn't run. The dividend of `(step + n - 1) / step` does for a
    huge step, with which the loop runs once.
    """
    return any(isinstance(e, Binary) and (_unsigned(e) or _rounded_up(e)) for e in walk(expr))


def _unsigned(expr: Binary) -> bool:
    return isinstance(expr.type, Scalar) and expr.type.kind == "unsigned"


def _rounded_up(expr: Binary) -> bool:
    """Whether it is the quotient of a sum by a variable; a block's size is small."""
    sums = any(isinstance(e, Binary) and e.op in "+-" for e in walk(expr.left))
    return expr.op == "/" and sums and any(isinstance(e, Place) for e in walk(expr.right))


def _condition(expr: Expr) -> Expr:
    """A condition with its integer arithmetic widened; unchanged if there is none."""
    match expr:
        case Unary(op="!"):
            return replace(expr, arg=_condition(expr.arg), spelling=None, macro=None)
        case Binary(op="&&" | "||"):
            return Binary(expr.op, _condition(expr.left), _condition(expr.right), expr.type)
        case Binary(left=left, right=right) if _integer(left) and _integer(right):
            if any(isinstance(e, Binary) for side in (left, right) for e in walk(side)):
                return Binary(expr.op, widened(left), widened(right), expr.type)
            return expr
        case _:
            return expr


def _integer(expr: Expr) -> bool:
    return isinstance(expr.type, Scalar) and expr.type.is_integer and expr.type.kind != "bool"


def _long(expr: Expr) -> Expr:
    return Cast(expr, LLONG, implicit=True)
