"""Small helpers on integer expressions, shared by both sweeps."""

from __future__ import annotations

from ...ir import INT, Binary, Const, Expr, Place, Sym, is_floating, scalar_type, walk
from .algebra import converted, shifted


def over(expr: Expr, stride: Sym) -> Expr:
    return Binary("/", converted(expr, INT), Place(stride, (), INT), INT)


def minus_one(sym: Sym) -> Expr:
    return Binary("-", Place(sym, (), INT), Const(1, INT), INT)


def less(expr: Expr, by: int) -> Expr:
    return plus(expr, -by)


def plus(expr: Expr, by: int) -> Expr:
    """The sum, in the type that C++ integer promotion gives it."""
    return shifted(converted(expr, INT) if scalar_type(expr).size < INT.size else expr, by)


def integer_sum(a: Expr, b: Expr) -> Expr:
    return Binary("+", a, converted(b, a.type), a.type)


def spelled_step(op: str, sym: Sym, unit: bool) -> str | None:
    if not unit:
        return None
    return f"{'++' if op == '+=' else '--'}{sym.name}"


def integral(cond: Expr) -> bool:
    """Whether a condition contains no floating-point operand."""
    return all(not is_floating(e) for e in walk(cond))
