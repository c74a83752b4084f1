"""Loops that meeting threads must run equally often, whose counter advances by whole blocks.

    for (int i = threadIdx.x; i < n; i += blockDim.x) {         n is a multiple of blockDim.x
        tile[threadIdx.x] = x[i];
        __syncthreads();
        ...
    for (int k = threadIdx.x; k < n; k += 128)                  of 128, and no block is wider

In the last iteration of any other launch some threads would wait for threads that have left.
"""

from __future__ import annotations

import operator

from ...ir import INT, Binary, Const, Expr, For, Place, Special, Stmt
from ..constants import bare, literal
from ..loops.counted_loops import counted
from ..ssa import Versions
from .uniform_guards import Position, followed, position_of


def strided(versions: Versions, loop: For, at: Expr) -> Position | None:
    """Return the range of a loop counter that advances by whole blocks: a part of the possible positions.

    L31 again, with b the number of block widths that all threads have advanced.
    """
    count = counted(loop, versions)
    if count is None or not count.ascending:
        return None
    here = bare(at)
    if not (isinstance(here, Place) and here.sym is count.sym):
        return None
    found = position_of(versions, loop.init[0], count.start)
    if found is None:
        return None
    step = followed(versions, loop, count.step)[1]
    number, width = literal(step), found[1]
    if number is None:
        return ("part", None) if width is None and _by_blocks(versions, loop, step) else None
    if found == ("block", None):
        return "part", Const(number, INT)
    return ("part", width) if width is not None and number % int(width.value) == 0 else None


def _by_blocks(versions: Versions, stmt: Stmt, step: Expr) -> bool:
    """Whether a step is blockDim.x, or its product with sizes of the launch and numbers."""
    at, step = followed(versions, stmt, step)
    if isinstance(step, Binary) and step.op == "*":
        sides = [_by_blocks(versions, at, e) for e in (step.left, step.right)]
        sizes = [_size(versions, at, e) for e in (step.left, step.right)]
        return any(sides) and all(map(operator.or_, sides, sizes))
    return step == Special("blockDim", "x")


def _size(versions: Versions, stmt: Stmt, expr: Expr) -> bool:
    """Whether an expression is a size of the launch, or a number."""
    _, found = followed(versions, stmt, expr)
    return literal(found) is not None or (
        isinstance(found, Special) and found.name in ("gridDim", "blockDim")
    )
