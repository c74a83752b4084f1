"""A thread's linear index in its block, and the block's size."""

from __future__ import annotations

from ...ir import UINT, Binary, Expr, Special


def linear_thread(dimensions: int) -> Expr:
    """A thread's linear index in its block, over the given number of dimensions."""
    found: Expr = Special("threadIdx", "xyz"[dimensions - 1])
    for axis in reversed("xyz"[: dimensions - 1]):
        found = Binary("*", found, Special("blockDim", axis), UINT)
        found = Binary("+", found, Special("threadIdx", axis), UINT)
    return found


def block_size(dimensions: int) -> Expr:
    """The number of threads of a block, over the given number of dimensions."""
    found: Expr = Special("blockDim", "x")
    for axis in "xyz"[1:dimensions]:
        found = Binary("*", found, Special("blockDim", axis), UINT)
    return found
