"""Add a thread's contribution to a by-value scalar's adjoint: at its only site, else at the end.

adj_s += x[i] * g;     ->     atomicAdd(&adj_s[0], x[i] * g);
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ...analysis.ssa import Loop
from ...ir import (
    INT,
    Accumulate,
    Const,
    Declare,
    Expr,
    If,
    Place,
    Stmt,
    Switch,
    Sym,
    bodies,
    expressions,
    scalar_type,
)
from ..common.symbol_uses import symbols

SHARE = "every thread contributes"


def added(body: list[Stmt], total: Sym, pointer: Sym) -> list[Stmt]:
    """Add a thread's total to memory: at its only site, or else once at the end."""
    if total not in symbols(body):
        return body
    why = SHARE
    target = Place(pointer, (Const(0, INT),), scalar_type(total))
    sites = list(_sites(body, total))
    if len(sites) == 1 or (len(sites) == 2 and _zero(sites[0])):
        site = sites[-1]
        match site:
            case Declare(_, init) if isinstance(init, Expr):
                return _without(body, sites, Accumulate(target, init, "atomic", why=why, sites=site.sites))
            case Accumulate(_, amount):
                new = Accumulate(target, amount, "atomic", site.negative, why, sites=site.sites)
                return _without(body, sites, new)
            case _:
                pass
    return [*body, Accumulate(target, Place(total, (), scalar_type(total)), "atomic", why=why)]


def _zero(stmt: Stmt) -> bool:
    return isinstance(stmt, Declare) and isinstance(stmt.init, Const) and stmt.init.value == 0


def _sites(body: Iterable[Stmt], sym: Sym, times: int = 1) -> Iterator[Stmt]:
    """The statements that mention a symbol; those in loops are repeated."""
    for stmt in body:
        if isinstance(stmt, Declare) and stmt.sym is sym:
            yield stmt
        elif any(sym in e.symbols for e in expressions(stmt)):
            for _ in range(times):
                yield stmt
        again = 2 if isinstance(stmt, Loop) else times
        for inner in bodies(stmt):
            yield from _sites(inner, sym, again)


def _without(body: Iterable[Stmt], sites: list[Stmt], new: Stmt) -> list[Stmt]:
    """The body with the last of the sites replaced and the others removed."""
    out: list[Stmt] = []
    for stmt in body:
        if stmt is sites[-1]:
            out.append(new)
        elif stmt in sites:
            continue
        elif isinstance(stmt, If):
            then, other = _without(stmt.then, sites, new), _without(stmt.other, sites, new)
            out.append(replace(stmt, then=tuple(then), other=tuple(other)))
        elif isinstance(stmt, Switch):
            cases = tuple(replace(c, body=tuple(_without(c.body, sites, new))) for c in stmt.cases)
            out.append(replace(stmt, cases=cases))
        else:
            out.append(stmt)
    return out
