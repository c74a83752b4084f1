"""Replace a tile of which each thread reads only what it has stored itself by the variable that it stored."""

from __future__ import annotations

from collections.abc import Sequence

from ....ir import (
    Assign,
    Body,
    Clear,
    Declare,
    Expr,
    Initialiser,
    Place,
    Scalar,
    Site,
    Stmt,
    Sym,
    expressions,
    statements,
    substituted,
    walk,
)
from ...common.algebra import real
from ...common.mod_ref import sets
from ...common.symbol_uses import mapped, own_uses


def without_tile(body: Body, value: Place, tile: Sym, position: tuple[Expr, ...]) -> tuple[Body, list[Site]]:
    """The body with a variable instead of a tile, if that is right, and the sites that are gone.

    The variable is declared before the guard in which it is set, as zero, and isn't changed once stored.
    """
    reads = (s for s in statements(body) if tile in own_uses(s) and not isinstance(s, Clear))
    places = (e for s in reads for expr in expressions(s) for e in walk(expr) if isinstance(e, Place))
    if any(e.sym is tile and e.index != position for e in places):
        return body, []
    first = next(k for k, s in enumerate(body) if any(_stores(inner, tile) for inner in statements((s,))))
    following = list(statements(body[first:]))
    store = next(k for k, s in enumerate(following) if _stores(s, tile))
    declared = [s for s in following if isinstance(s, Declare) and s.sym is value.sym]
    if (
        len(declared) != 1
        or value.sym.const
        or declared[0] not in following[:store]
        or declared[0].init is None
    ):
        return body, []
    if any(value.sym in sets(s) for s in following[store + 1 :]):
        return body, []
    assert isinstance(value.type, Scalar)
    gone: list[Site] = []

    def change(stmt: Stmt) -> Sequence[Stmt] | None:
        match stmt:
            case Declare(sym) if sym is tile:
                return ()
            case Declare(_, init) if stmt is declared[0] and not isinstance(init, Initialiser | None):
                return [Assign(value, init, span=stmt.span, sites=stmt.sites, told=stmt.told)]
            case Assign(Place(sym)) | Clear(Place(sym)) if sym is tile:
                gone.extend(stmt.sites)
                return ()
            case _:
                return None

    def own(expr: Expr) -> Expr | None:
        return value if isinstance(expr, Place) and expr.sym is tile else None

    begun = Declare(value.sym, real(0.0, value.type))
    made = substituted((*body[:first], begun, *body[first:]), change)
    return tuple(mapped(stmt, own) for stmt in made), gone


def _stores(stmt: Stmt, sym: Sym) -> bool:
    return isinstance(stmt, Assign) and stmt.target.sym is sym
