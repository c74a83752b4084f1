"""Guards that threads which meet must pass together: which launches ensure that.

    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        tile[threadIdx.x] = x[i];
        __syncthreads();                    all threads of the block, or none: n is a multiple
        ...                                 of blockDim.x, or no less than all threads

    if (i >= n) return;
    v += __shfl_xor_sync(~0u, v, 16);       all lanes of the warp: n is a multiple of 32, or as above

A primal in which they diverge waits for threads that never come, so every launch for which it
is defined is of this kind. The adjoint doesn't rely on that: it tests its launch.

L31. With 0 <= t < B, b * B + t < q * B if and only if b < q: whatever t is, all or none.
A position below P passes `position < n` if P <= n, whichever it is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from ...ir import (
    Binary,
    Const,
    Expr,
    For,
    If,
    Place,
    Special,
    Stmt,
    Sym,
    While,
    asked,
)
from ..constants import bare, is_wide
from ..ssa import Versions

Over = Literal["grid", "block", "part"]
"""The range of a position: all threads along x, those of a block, or an unknown part."""


@dataclass(frozen=True)
class Even:
    """A bound is a multiple of a group's size, or no position compared with it reaches it.

    `group` is "block" or "warp". `width` replaces blockDim.x in a position `blockIdx.x * 64 +
    threadIdx.x`: no block is wider.
    """

    bound: Sym
    group: Literal["block", "warp"]
    over: Over
    width: Const | None = None


Position = tuple[Over, Const | None]
"""The range of a position, and the replacement for blockDim.x in it."""

Differs = Callable[[Stmt, Expr], bool]
"""Whether threads that meet may get different values for an expression of a statement."""


def evened(
    versions: Versions,
    stmt: Stmt,
    group: Literal["block", "warp"],
    differs: Differs,
    stepping: Differs = lambda stmt, expr: False,
    strided: Callable[[Versions, For, Expr], Position | None] = lambda versions, loop, at: None,
) -> tuple[Even, ...] | None:
    """Return conditions on the launch for a whole group to take a branch together; None if there are none.

    All lanes of a warp run a loop equally often if its counter is a multiple of the warp's size plus
    the lane number. `stepping`: whether an expression is that. `strided` returns the range of a
    loop counter, if all threads of a block run the loop equally often (see `block_stride_loops`).
    """
    if not (isinstance(stmt, If | For) or (group == "warp" and isinstance(stmt, While))) or stmt.cond is None:
        return None
    found: list[Even] = []
    for part in asked(stmt.cond):
        if not differs(stmt, part):
            continue
        sides = _compared(part)
        if sides is None:
            return None
        at, limit = sides
        bound = _parameter(versions, stmt, limit)
        if isinstance(stmt, For) and group == "block":
            position = strided(versions, stmt, at)
        else:
            position = position_of(versions, stmt, at)
        if (position is None or (group == "warp" and position[1] is not None)) and stepping(stmt, at):
            position = "part", None
        if bound is None or position is None or (group == "warp" and position[1] is not None):
            return None
        over, width = position
        found.append(Even(bound, group, over, width))
    return tuple(dict.fromkeys(found))


def _compared(cond: Expr) -> tuple[Expr, Expr] | None:
    """Return the two sides of `position < bound`, or of its negation."""
    match cond:
        case Binary("<" | ">=", left, right):
            return left, right
        case Binary(">" | "<=", left, right):
            return right, left
        case _:
            return None


def _parameter(versions: Versions, stmt: Stmt, expr: Expr) -> Sym | None:
    """Return the integer parameter that an expression reads, with its value at kernel entry."""
    match bare(expr):
        case Place(sym, ()) if sym in versions.function.syms and is_wide(sym.type):
            version = versions.read(stmt, sym)
            return sym if version is None or version.kind == "entry" else None
        case _:
            return None


def position_of(versions: Versions, stmt: Stmt, expr: Expr) -> Position | None:
    """Return the range of a position, and the width of its blocks if that isn't blockDim.x."""
    match followed(versions, stmt, expr):
        case _, Special("threadIdx", "x"):
            return "block", None
        case at, Binary("+", left, right):
            for one, two in ((left, right), (right, left)):
                if followed(versions, at, one)[1] == Special("threadIdx", "x"):
                    return block_of(versions, *followed(versions, at, two))
        case _:
            pass
    return None


def block_of(versions: Versions, stmt: Stmt, expr: Expr) -> Position | None:
    """The same for a position's block start: blockIdx.x * blockDim.x."""
    if not (isinstance(expr, Binary) and expr.op == "*"):
        return None
    sides = [followed(versions, stmt, e)[1] for e in (expr.left, expr.right)]
    block = Special("blockIdx", "x")
    if block not in sides:
        return None
    (width,) = sides[: sides.index(block)] + sides[sides.index(block) + 1 :]
    match width:
        case Special("blockDim", "x"):
            return "grid", None
        case Const(value) if isinstance(value, int) and value > 0:
            return "grid", width
        case _:
            return None


def followed(versions: Versions, stmt: Stmt, expr: Expr) -> tuple[Stmt, Expr]:
    """Follow a variable to the expression that defines it, and the statement of that definition."""
    return versions.followed(stmt, expr, bare)
