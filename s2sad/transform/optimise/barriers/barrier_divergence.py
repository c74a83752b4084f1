"""Check that all threads of a block reach each barrier: none may follow a divergent return.

if (i >= n)
    return;             the others don't wait for these, but a barrier is for the whole block
__syncthreads();
"""

from __future__ import annotations

from ....ir import Body, For, If, Return, Stmt, Switch, While, bodies, expressions, statements
from ...common.mod_ref import meets_all
from ..uniformity import Alike


def parted_by_returns(body: Body) -> bool:
    """Whether some threads of a block may return from a kernel while others continue."""
    if not any(isinstance(s, Return) for s in statements(body)):
        return False
    alike = Alike(body, steady=True)
    return any(_parts(stmt, alike, True) for stmt in body)


def missed_barrier(body: Body) -> Stmt | None:
    """The first block-wide synchronization of a kernel that follows a divergent return."""
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
    """Whether a statement contains a divergent return; `together`: threads reach the statement together."""
    if isinstance(stmt, Return):
        return not together
    if isinstance(stmt, If | Switch):
        together = together and alike.same(*expressions(stmt))
    elif isinstance(stmt, For | While) or bodies(stmt):
        together = together and alike.together(stmt)
    return any(_parts(inner, alike, together) for body in bodies(stmt) for inner in body)
