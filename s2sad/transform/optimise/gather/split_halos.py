"""If blocks share elements only at their rims, use non-atomic additions inside.

    atomicAdd(&adj_x[i], adj_tile[t]);      ->      if (i % BLOCK == 0 || i % BLOCK == BLOCK - 1)
                                                        atomicAdd(&adj_x[i], adj_tile[t]);
                                                    else
                                                        adj_x[i] += adj_tile[t];

Lemma L20 (see `analysis.access.halos`). The additions of the threads that load a rim stay atomic.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ....analysis.access.halos import Edge
from ....analysis.symbolic.polynomials import ONE
from ....ir import BOOL, INT, Accumulate, Binary, Body, Const, Expr, If, Special, Stmt, Sym, rebuilt
from ...common.algebra import converted, shifted
from ...common.thread_coordinates import Point, Points
from ..contribution_audit import accounted


def with_rims(body: Body, edges: Mapping[Sym, Sequence[Edge]]) -> tuple[Body, frozenset[Sym]]:
    """The body with such branches, and the adjoints that they are of."""
    if not edges:
        return body, frozenset()
    made = _Rims(Points(body, "xy"), edges)
    new = accounted("with_rims", body, made.body(body))
    return new, frozenset(made.done)


class _Rims:
    def __init__(self, points: Points, edges: Mapping[Sym, Sequence[Edge]]) -> None:
        self.points = points
        self.edges = edges
        self.done: set[Sym] = set()

    def body(self, body: Body) -> Body:
        out: list[Stmt] = []
        for stmt in body:
            if isinstance(stmt, Accumulate) and (cond := self.rim(stmt)) is not None:
                self.done.add(stmt.target.sym)
                out.append(If(cond, (stmt,), (replace(stmt, how="owner"),)))
            else:
                out.append(rebuilt(stmt, self.body))
        return tuple(out)

    def rim(self, stmt: Accumulate) -> Expr | None:
        """The condition under which the thread's own element is one that other threads add to."""
        array = stmt.target.sym.of
        if stmt.how != "atomic" or array is None or array not in self.edges or len(stmt.target.index) != 1:
            return None
        if not {e.axis for e in self.edges[array]} <= {p.axis for p in self.points.known}:
            return None
        form = self.points.split(stmt.target.index[0])
        if form is None or form[1].terms or form[0][0] != ONE:
            return None
        cond: Expr | None = None
        for edge in self.edges[array]:
            test = _at(edge, next(p for p in self.points.known if p.axis == edge.axis))
            cond = test if cond is None else Binary("||", cond, test, BOOL)
        return cond


def _at(edge: Edge, point: Point) -> Expr:
    width = point.width
    if isinstance(width, Const):
        mine: Expr = Binary("%", point.place, converted(width, point.kind), point.kind)
        last = shifted(width, -1)
    else:
        mine = Special("threadIdx", edge.axis)
        last = Binary("-", width, Const(1, INT, spelling="1"), point.width.type)
    other = last if edge.at is None else Const(edge.at, INT)
    return Binary("==", mine, converted(other, mine.type), BOOL)
