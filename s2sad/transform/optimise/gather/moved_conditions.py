"""Shorten conditions that another thread decides: `i + 1 < n - 1` is `i + 2 < n`, `i + 1 > 0` always holds.

A thread's position isn't negative, and the sum of it and a literal doesn't overflow: no index does.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import replace

from ....analysis.constants import FLIPPED
from ....ir import Binary, Body, Const, Expr, If, Place, Scalar, Stmt, Sym, scalar_type, substituted
from ...common.algebra import shifted
from ...common.replay import all_of, conjuncts


def shorter(body: Body, positions: Container[Sym]) -> Body:
    """Return a body of branches without `else` with short conditions, and without those that always hold."""

    def change(stmt: Stmt) -> Body | None:
        if not isinstance(stmt, If) or stmt.other:
            return None
        kept = [one for cond in conjuncts(stmt.cond) if (one := shortened(cond, positions)) is not None]
        then = substituted(stmt.then, change)
        return (If(all_of(kept), then),) if kept else then

    return substituted(body, change)


def shortened(cond: Expr, positions: Container[Sym]) -> Expr | None:
    """Return a comparison of a position with one offset at most; None if it holds for every thread.

    What isn't a comparison of a position and an offset is returned as it is.
    """
    match cond:
        case Binary("<" | "<=" | ">" | ">=" as op, left, right) if left.type == right.type and signed(left):
            for one, sign, other in ((left, op, right), (right, FLIPPED[op], left)):
                place, by = split(one)
                if by and isinstance(place, Place) and not place.index and place.sym in positions:
                    return _compared(cond, place, by, sign, other)
    return cond


def signed(expr: Expr) -> bool:
    """Whether an expression is a signed integer."""
    return isinstance(expr.type, Scalar) and expr.type.kind == "signed"


def split(expr: Expr) -> tuple[Expr, int]:
    """Return a sum with a literal as what it is added to and the literal; anything else with 0."""
    match expr:
        case Binary("+" | "-" as op, left, Const(int() as value) as right) if (
            expr.macro is None and not right.named and left.type == expr.type
        ):
            return left, value if op == "+" else -value
        case _:
            return expr, 0


def _compared(cond: Binary, place: Place, by: int, op: str, other: Expr) -> Expr | None:
    """`place + by op other` in its short form."""
    if isinstance(other, Const) and not other.named and isinstance(other.value, int):
        bound = other.value - by
        if op in (">", ">=") and bound + (op == ">") <= 0:
            return None
        return cond if bound < 0 else replace(cond, op=op, left=place, right=Const(bound, scalar_type(place)))
    rest, moved = split(other)
    if not moved:
        return cond
    return replace(cond, op=op, left=shifted(place, by - moved), right=rest)
