"""Masks that name the lanes of a segment: each lane its own aligned group of 2, 4, 8, 16 or 32.

    0xffu << (threadIdx.x % 32 / 8 * 8)        the eight lanes of a tile
    0xffu << (threadIdx.x & 24)                the same

Lanes of different segments may take different paths. A tile of cooperative groups is read so.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ...ir import Binary, Expr, Special, Stmt
from ..constants import FULL, WARP, bare, literal
from ..ssa import Versions

_SIZES = (2, 4, 8, 16, WARP)


@dataclass(frozen=True)
class Segments:
    """Reads masks in a block of so many dimensions; `aligned`: its rows are whole warps."""

    versions: Versions
    dimensions: int
    aligned: bool

    def size(self, stmt: Stmt, mask: Expr) -> int | None:
        """Return how many lanes a mask names if these are the lane's own aligned segment, else None."""
        at, shifted = self._followed(stmt, mask)
        if not (isinstance(shifted, Binary) and shifted.op == "<<"):
            return None
        size = next((s for s in _SIZES if literal(shifted.left) == (1 << s) - 1), None)
        return size if size is not None and self._is_start(at, shifted.right, size) else None

    def _is_start(self, stmt: Stmt, expr: Expr, size: int) -> bool:
        """Whether an integer is the first lane of this lane's segment."""
        match self._followed(stmt, expr):
            case at, Binary("*", inner, factor) if literal(factor) == size:
                at, divided = self._followed(at, inner)
                if not (isinstance(divided, Binary) and divided.op == "/" and literal(divided.right) == size):
                    return False
                return self._is_lane(at, divided.left)
            case at, Binary("&", inner, bits) if (kept := literal(bits)) is not None:
                if kept & FULL == WARP - size and self._is_rank(at, inner):
                    return True
                return kept & (WARP - 1) == WARP - size and self._is_lane(at, inner)
            case _:
                return False

    def _is_lane(self, stmt: Stmt, expr: Expr) -> bool:
        """Whether an integer is the lane's number in its warp."""
        match self._followed(stmt, expr):
            case at, Binary("%" | "&" as op, inner, right):
                return literal(right) == (WARP if op == "%" else WARP - 1) and self._is_rank(at, inner)
            case _:
                return False

    def _is_rank(self, stmt: Stmt, expr: Expr) -> bool:
        """Whether an integer is the thread's number in its block, perhaps plus whole warps."""
        match self._followed(stmt, expr):
            case _, Special("threadIdx", "x"):
                return self.dimensions == 1 or self.aligned
            case at, Binary("+", upper, lower) if _is(lower, "threadIdx", "x"):
                return self._is_row(at, upper)
            case _:
                return False

    def _is_row(self, stmt: Stmt, expr: Expr) -> bool:
        """Whether an integer is the number of threads in the block's rows before this one."""
        match self._followed(stmt, expr):
            case at, Binary("*", inner, width) if _is(width, "blockDim", "x"):
                match self._followed(at, inner):
                    case _, Special("threadIdx", "y"):
                        return self.dimensions == 2 or self.aligned
                    case _, Binary("+", Binary("*", z, height), y):
                        of_plane = _is(z, "threadIdx", "z") and _is(height, "blockDim", "y")
                        return of_plane and _is(y, "threadIdx", "y")
        return False

    def _followed(self, stmt: Stmt, expr: Expr) -> tuple[Stmt, Expr]:
        return self.versions.followed(stmt, expr, bare)


def _is(expr: Expr, name: Literal["threadIdx", "blockDim"], axis: str) -> bool:
    return bare(expr) == Special(name, axis)
