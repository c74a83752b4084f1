"""Where a body uses each variable: asked once per body, not once per variable."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence

from ...ir import Body, Declare, Stmt, Sym, bodies, once, remembered
from .symbol_uses import own_uses, used


@once
def chains(body: Body) -> Mapping[Sym, Sequence[int]]:
    """The positions of the statements in a body that use each variable, in order."""
    found: dict[Sym, list[int]] = {}
    for position, stmt in enumerate(body):
        for sym in used(stmt):
            found.setdefault(sym, []).append(position)
    return found


def positions(body: Body, sym: Sym, start: int = 0) -> Sequence[int]:
    """The positions, from `start` on, of the statements in a body that use a variable."""
    found = chains(body).get(sym, ())
    return found[bisect_left(found, start) :]


@once
def initialised(body: Body) -> Mapping[Sym, int]:
    """The position of the statement in a body that declares a variable with a value."""
    found: dict[Sym, int] = {}
    for position, stmt in enumerate(body):
        if isinstance(stmt, Declare) and stmt.init is not None:
            found.setdefault(stmt.sym, position)
    return found


@remembered
def times(stmt: Stmt) -> Counter[Sym]:
    """How often a statement and those in it use each variable."""
    found = Counter(own_uses(stmt))
    for body in bodies(stmt):
        for inner in body:
            found.update(times(inner))
    return found
