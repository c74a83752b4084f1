"""Whether each variable of an adjoint is used where it is declared.

A use that means another declaration than its name finds may compile, and even be right
by chance: names are given to what the transformation means.
"""

from __future__ import annotations

from collections.abc import Iterator

from s2sad.ir import Body, Declare, For, Function, Place, Record, Restore, Stmt, Sym, bodies, expressions
from s2sad.transform.common.symbol_uses import in_expr


def misused(function: Function) -> list[str]:
    """The variables that are named outside of where they live."""
    return sorted({sym.name for sym in _body(function.body, set(function.syms))})


def _body(body: Body, outer: set[Sym]) -> Iterator[Sym]:
    scope = set(outer)
    for stmt in body:
        yield from _stmt(stmt, scope)


def _stmt(stmt: Stmt, scope: set[Sym]) -> Iterator[Sym]:
    """The statement's; what it declares is in scope after it."""
    inner = scope
    match stmt:
        case For():
            inner = set(scope)
            for first in stmt.init:
                yield from _stmt(first, inner)
            yield from _body(stmt.step, inner)
        case Record(Place(sym), _, True) | Restore(Place(sym), _, True):
            scope.add(sym)
        case _:
            pass
    for expr in expressions(stmt):
        used = (sym for sym in in_expr(expr) if sym.storage not in ("global", "tape"))
        yield from (sym for sym in used if sym not in inner)
    if isinstance(stmt, Declare):
        scope.add(stmt.sym)
    for part in (stmt.body,) if isinstance(stmt, For) else bodies(stmt):
        yield from _body(part, inner)
