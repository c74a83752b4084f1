"""Write the tests that decide about one addition as one condition.

    if (threadIdx.x == 0) {                           // 14:  tile[0] = i > 0 ? x[i - 1] : 0.0f
        // 14:  tile[0] = i > 0 ? x[i - 1] : 0.0f     if (threadIdx.x == 0 && i > 0)
        if (i > 0)                              ->        atomicAdd(&adj_x[i - 1], adj_tile[0]);
            atomicAdd(&adj_x[i - 1], adj_tile[0]);
    }

The outer test is the author's, the inner one is a guard that the adjoint of a statement needs. Only
branches that hold nothing but additions to adjoints and stores to them are merged: the author's own
statements keep the author's tests.
"""

from __future__ import annotations

from dataclasses import replace

from ..ir import BOOL, Accumulate, Assign, Binary, Body, Clear, Comment, If, Place, Quote, Stmt, rebuilt
from ..transform.common.replay import conjuncts


def merge_conditions(body: Body) -> Body:
    """The body with such nested tests as one."""
    return tuple(new for stmt in body for new in _merged(rebuilt(stmt, merge_conditions)))


def _merged(stmt: Stmt) -> Body:
    match stmt:
        case If(cond, (*said, If(inner, then, ()) as guard), ()) if then and _only_said(said):
            if all(map(_is_adjoints, then)):
                for part in conjuncts(inner):
                    cond = Binary("&&", cond, part, BOOL)
                return (*said, replace(guard, cond=cond, span=stmt.span))
        case _:
            pass
    return (stmt,)


def _only_said(stmts: list[Stmt]) -> bool:
    return all(isinstance(s, Quote | Comment) for s in stmts)


def _is_adjoints(stmt: Stmt) -> bool:
    """Whether a statement only adds to an adjoint or stores to it."""
    match stmt:
        case Accumulate() | Clear() | Quote() | Comment():
            return True
        case Assign(Place(sym)):
            return sym.ours
        case _:
            return False
