"""Small arithmetic on integer expressions, and exits of loops, that the sweeps share."""

from __future__ import annotations

from ..analysis.tbr import own_breaks
from ..analysis.versions import loads
from ..ir import (
    INT,
    AddressOf,
    Binary,
    Break,
    Cast,
    Const,
    Expr,
    Place,
    Scalar,
    Stmt,
    Sym,
    walk,
)
from .algebra import converted, shifted
from .jumps import TRUE, leaves
from .syms import symbols


def over(expr: Expr, stride: Sym) -> Expr:
    return Binary("/", converted(expr, INT), Place(stride, (), INT), INT)


def minus_one(sym: Sym) -> Expr:
    return Binary("-", Place(sym, (), INT), Const(1, INT), INT)


def less(expr: Expr, by: int) -> Expr:
    return plus(expr, -by)


def plus(expr: Expr, by: int) -> Expr:
    """The sum in the type in which C++ makes it."""
    assert isinstance(expr.type, Scalar)
    return shifted(converted(expr, INT) if expr.type.size < INT.size else expr, by)


def integer_sum(a: Expr, b: Expr) -> Expr:
    return Binary("+", a, converted(b, a.type), a.type)


def spelled_step(op: str, sym: Sym, unit: bool) -> str | None:
    if not unit:
        return None
    return f"{'++' if op == '+=' else '--'}{sym.name}"


def has_break(body: tuple[Stmt, ...]) -> bool:
    return bool(breaks_in(body))


def breaks_in(body: tuple[Stmt, ...]) -> list[Break]:
    return own_breaks(body)


def integral(cond: Expr) -> bool:
    """Whether a condition is decided by integers alone."""
    return all(not (isinstance(e.type, Scalar) and e.type.is_float) for e in walk(cond))


def mentioned(stmts: list[Stmt]) -> dict[Sym, None]:
    """Symbols in statements, in order of appearance."""
    return symbols(stmts)


def mentioned_in(expr: Expr) -> set[Sym]:
    out = set()
    for e in walk(expr):
        if isinstance(e, Place):
            out.add(e.sym)
        if isinstance(e, AddressOf):
            out.add(e.place.sym)
    return out


_ = (Cast, loads, TRUE, leaves)
