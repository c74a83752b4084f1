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


def evaluated(expr: Expr) -> Iterator[Expr]:
    """Yield an expression, and the parts of it that evaluating it always evaluates."""
    yield expr
    cond, _ = _guard(expr)
    for part in children(expr) if cond is None else (cond,):
        yield from evaluated(part)


def evaluates(expr: Expr, part: Expr) -> bool:
    """Whether evaluating an expression always evaluates an equal one in it."""
    return any(one == part for one in evaluated(expr))


def _guard(expr: Expr) -> tuple[Expr | None, tuple[Expr, ...]]:
    """Return the condition of an expression, and the operands evaluated only under it."""
    match expr:
        case Select(cond, then, other):
            return cond, (then, other)
        case Binary("&&" | "||", cond, right):
            return cond, (right,)
        case _:
            return None, ()
