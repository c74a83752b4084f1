"""Declare a lane's index in its warp, if the adjoint of a shuffle uses it.

const int lane = threadIdx.x % 32;
"""

from __future__ import annotations

from ...analysis.constants import WARP
from ...ir import INT, UINT, Binary, Const, Declare, Stmt, Sym
from ..common.algebra import converted
from ..common.thread_index import linear_thread


def numbered(body: list[Stmt], lane: Sym, dimensions: int) -> list[Stmt]:
    """The body with the lane's index declared, if it is used."""
    from ..common.symbol_uses import uses

    if lane not in set(uses(body)):
        return body
    threads = linear_thread(dimensions)
    return [
        Declare(lane, converted(Binary("%", threads, Const(WARP, UINT, spelling="32"), UINT), INT)),
        *body,
    ]
