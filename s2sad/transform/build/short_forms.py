"""Write statements in their short form: branches without empty ones, declarations with their value."""

from __future__ import annotations

from ...ir import Assign, Break, Declare, Expr, If, Place, Return, Stmt
from ...source import Span
from ..common.jumps import negation


def branches(cond: Expr, then: list[Stmt], other: list[Stmt], span: Span | None) -> list[Stmt]:
    """An `if` without empty branches, and without `else` after an exit."""
    if then and isinstance(then[-1], Break | Return):
        return [If(cond, tuple(then), (), span), *other]
    if other and isinstance(other[-1], Break | Return):
        return [If(negation(cond), tuple(other), (), span), *then]
    if not then:
        return [If(negation(cond), tuple(other), (), span)] if other else []
    return [If(cond, tuple(then), tuple(other), span)]


def append(out: list[Stmt], stmt: Stmt) -> None:
    """Append; `float m; m = e;` becomes `float m = e;`."""
    match stmt:
        case Assign(Place(sym, ()), value, None) if (
            out and isinstance(out[-1], Declare) and out[-1].sym is sym and out[-1].init is None
        ):
            out[-1] = Declare(sym, value, stmt.span)
        case _:
            out.append(stmt)
