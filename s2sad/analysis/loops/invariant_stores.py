"""Stores that are the same in all iterations of a loop: the same elements, under the same conditions.

for (int k0 = 0; k0 < K; k0 += TILE) {
    tile[threadIdx.x] = x[k0 + threadIdx.x];     the same elements each time
    __syncthreads();
    ...
"""

from __future__ import annotations

from collections.abc import Container

from ...ir import AddressOf, Assign, Call, Declare, Expr, For, If, Place, Stmt, Switch, walk
from ..ssa import Scope, Version, Versions, operands, own_breaks
from .counted_loops import counted


def fixed_in(v: Versions, store: Stmt, body: Scope, but: Container[int] = ()) -> bool:
    """Whether a store runs in all iterations of a loop's body or in none, on the same elements.

    Their indices in the dimensions `but` may vary.
    """
    if not isinstance(store, Assign):
        return False
    if not all(_expr(v, store, e, body) for k, e in enumerate(store.target.index) if k not in but):
        return False
    for scope in v.scopes_between(body, v.scope_of[store]):
        owner = scope.owner
        match owner:
            case If() | Switch():
                if not all(_expr(v, owner, e, body) for e in operands(owner)):
                    return False
            case For():
                if not _loop(v, owner, body):
                    return False
            case _:
                return False
    return not own_breaks(body.stmts)


def _loop(v: Versions, loop: For, body: Scope) -> bool:
    """Whether a loop inside the body counts over the same numbers in every iteration."""
    count = counted(loop, v)
    if count is None or own_breaks(loop.body):
        return False
    return _expr(v, loop.init[0], count.start, body) and all(
        _expr(v, loop, e, body) for e in (count.bound, count.step)
    )


def _expr(v: Versions, stmt: Stmt, expr: Expr, body: Scope) -> bool:
    for part in walk(expr):
        match part:
            case Call() | AddressOf():
                return False
            case Place(sym, index):
                if index:
                    return False  # memory may change
                version = v.read(stmt, sym)
                if version is not None and not _version(v, version, body):
                    return False
            case _:
                pass
    return True


def _version(v: Versions, version: Version, body: Scope) -> bool:
    if version.kind == "entry" or not version.scope.within(body):
        return True
    match version.kind, version.stmt:
        case "def", Declare() | Assign() as made:
            return all(_expr(v, made, e, body) for e in operands(made))
        case "head", For() as loop if version.scope is not body:
            count = counted(loop, v)
            return count is not None and count.sym is version.sym and _loop(v, loop, body)
        case _:
            return False
