"""Give each contribution to an adjoint a `Site`, by which the audit identifies it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from ...ir import Accumulate, Assign, Body, Clear, Place, Quote, Site, Stmt, Sym, rebuilt, statements


def assign_sites(body: Body) -> Body:
    """The body of a newly built adjoint, with a site for each contribution."""
    adjoints = {s.target.sym for s in statements(body) if isinstance(s, Accumulate | Clear)}
    return _sited(body, None, adjoints)


def _sited(body: Body, primal: Stmt | None, adjoints: Collection[Sym]) -> Body:
    out: list[Stmt] = []
    for stmt in body:
        match stmt:
            case Quote():
                primal = stmt.primal
            case Accumulate(sites=()):
                stmt = replace(stmt, sites=(Site(primal, stmt.target),))
            case Assign(Place(sym) as target, sites=()) | Clear(Place(sym) as target, sites=()) if (
                sym in adjoints and sym.ours
            ):
                stmt = replace(stmt, sites=stmt.told or (Site(primal, target),), told=())
            case _:
                stmt = rebuilt(stmt, lambda b, p=primal: _sited(b, p, adjoints))  # type: ignore[misc]
        out.append(stmt)
    return tuple(out)
