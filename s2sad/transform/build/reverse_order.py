"""The order in which the reverse sweep goes through the statements of a body: backwards.

    d.x = b.x - a.x;                 adjoints of:    s = w * q;
    d.y = b.y - a.y;          ->                     d.x = b.x - a.x;
    s = w * q;                                       d.y = b.y - a.y;

The components of one vector that are set one after the other, none of which reads another, may come in
any order. They keep the author's, in which they are read. Where the components that one statement sets can't
all come together with what follows them, none does: its quote would stand before and after another one's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...ir import Assign, Declare, Stmt, Sym
from ..common.mod_ref import sets
from ..common.symbol_uses import used


def in_reverse(stmts: Sequence[Stmt]) -> Iterator[Stmt]:
    """Yield the statements of a body in the order in which they are reversed."""
    left = len(stmts)
    while left:
        start = left - 1
        while start and _one_vector(stmts[start - 1], stmts[start]) and _apart(stmts[start - 1 : left]):
            start -= 1
        start = _whole(stmts, start, left)
        yield from stmts[start:left]
        left = start


def _whole(stmts: Sequence[Stmt], start: int, end: int) -> int:
    """Where to start, so that a part of one of the author's statements isn't joined to another statement."""
    if start and _same(stmts[start - 1], stmts[start]):
        later = range(start + 1, end)
        return next((at for at in later if not _same(stmts[at], stmts[start])), start)
    return start


def _same(one: Stmt, other: Stmt) -> bool:
    """Whether two statements are parts of one of the author's."""
    match one, other:
        case Assign(part_of=whole), Assign(part_of=again):
            return whole is not None and whole is again
        case Declare(sym), Declare(after):
            return sym.within is not None and sym.within is after.within
        case _:
            return False


def _one_vector(one: Stmt, other: Stmt) -> bool:
    """Whether two statements set components of the same variable or array."""
    vector = _vector(one)
    return vector is not None and vector is _vector(other)


def _vector(stmt: Stmt) -> Sym | None:
    match stmt:
        case Assign(target):
            return target.sym.within
        case Declare(sym, init) if init is not None:
            return sym.within
        case _:
            return None


def _apart(run: Sequence[Stmt]) -> bool:
    """Whether the first of the statements has nothing to do with the others."""
    first, *rest = run
    changed, read = sets(first), used(first)
    return all(changed.isdisjoint(used(s)) and read.isdisjoint(sets(s)) for s in rest)
