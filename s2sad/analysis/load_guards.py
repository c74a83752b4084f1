"""Conditions inside a statement that decide whether an element is read: `c` for x[i] in `c ? x[i] : 0`."""

from __future__ import annotations

from collections.abc import Iterator

from ..ir import Binary, Expr, Place, Select, children, walk


def deciders(expr: Expr, place: Place) -> Iterator[Expr]:
    """Yield the conditions on the paths to a place in an expression."""
    cond, guarded = _guard(expr)
    if cond is not None and any(part == place for side in guarded for part in walk(side)):
        yield cond
    if expr != place:
        for part in children(expr):
            yield from deciders(part, place)


def always_read(expr: Expr, place: Place) -> bool:
    """Whether evaluating an expression always reads a place."""
    _, guarded = _guard(expr)
    return expr == place or any(always_read(e, place) for e in children(expr) if e not in guarded)


def _guard(expr: Expr) -> tuple[Expr | None, tuple[Expr, ...]]:
    """Return the condition of an expression, and the operands evaluated only under it."""
    match expr:
        case Select(cond, then, other):
            return cond, (then, other)
        case Binary("&&" | "||", cond, right):
            return cond, (right,)
        case _:
            return None, ()
