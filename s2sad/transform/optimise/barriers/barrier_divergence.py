"""Barriers that all threads of a block come to: none after a return that only some of them take.

if (i >= n)
    return;             the others wait for nobody, but a barrier is for the whole block
__syncthreads();
"""

from __future__ import annotations

from ....ir import Body, For, If, Return, Stmt, Switch, While, bodies, expressions, statements
from ...common.mod_ref import meets_all
from ..uniformity import Alike


def parted_by_returns(body: Body) -> bool:
    """Whether some threads of a block may return from a kernel while others go on."""
    if not any(isinstance(s, Return) for s in statements(body)):
        return False
    alike = Alike(body, steady=True)
    return any(_parts(stmt, alike, True) for stmt in body)


def missed_barrier(body: Body) -> Stmt | None:
    """The first statement of a kernel at which all threads meet after some may have returned."""
    if not parted_by_returns(body):
        return None
    alike = Alike(body, steady=True)
    parted = False
    for stmt in body:
        if parted and meets_all(stmt):
            return stmt
        parted = parted or _parts(stmt, alike, True)
    return None


def _parts(stmt: Stmt, alike: Alike, together: bool) -> bool:
    """Whether some threads return in a statement and others don't; `together` come to it all or none."""
    if isinstance(stmt, Return):
        return not together
    if isinstance(stmt, If | Switch):
        together = together and alike.same(*expressions(stmt))
    elif isinstance(stmt, For | While) or bodies(stmt):
        together = together and alike.together(stmt)
    return any(_parts(inner, alike, together) for body in bodies(stmt) for inner in body)
