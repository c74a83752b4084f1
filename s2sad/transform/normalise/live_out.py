"""The reads of a variable or array after a stretch of statements, and the threads that make them.

if (t == 0)
    y[blockIdx.x] = v;          v, where t == 0
z[i] = part[0];                 part[0], everywhere
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...analysis.threads.block_interpreter import Enacted, Meaningless, Stuck
from ...ir import (
    AddressOf,
    Array,
    Assign,
    Call,
    Declare,
    Expr,
    If,
    Place,
    Scalar,
    Stmt,
    Sym,
    bodies,
    expressions,
    walk,
)

Guards = tuple[tuple[Expr, bool], ...]


@dataclass(frozen=True)
class Read:
    """A read of a variable or element by the threads for which conditions hold or don't hold.

    No index: it is unknown what is read.
    """

    sym: Sym
    index: tuple[Expr, ...] | None
    type: Scalar
    guards: Guards


def reads(stmt: Stmt, sym: Sym, guards: Guards, deep: bool = True) -> Iterator[Read]:
    """The reads in a statement and, if `deep`, in nested ones."""
    whole = sym.type.element if isinstance(sym.type, Array) else sym.type
    assert isinstance(whole, Scalar)
    own = stmt.target if isinstance(stmt, Assign) and stmt.op is None else None
    for top in expressions(stmt):
        tops = own.index if own is not None and top is own else (top,)
        for e in (e for part in tops for e in walk(part)):
            match e:
                case Place(named, index) if named is sym:
                    given = bool(index) == isinstance(sym.type, Array)
                    yield Read(sym, index if given else None, whole, guards)
                case AddressOf(Place(named)) if named is sym:
                    yield Read(sym, None, whole, guards)
                case _:
                    pass
    if not deep:
        return
    for k, body in enumerate(bodies(stmt)):
        more = ((stmt.cond, k == 0),) if isinstance(stmt, If) else ()
        for inner in body:
            yield from reads(inner, sym, (*guards, *more))


def perhaps(cond: Expr, block: Enacted, who: list[int]) -> list[bool | None]:
    """Whether a condition holds for each thread; None where unknown."""
    if not all(_given(e, block) for e in walk(cond)):
        return [None] * len(who)
    try:
        found = block.of(cond, who)
        values = found if isinstance(found, list) else [found] * len(who)
        return [bool(v) if isinstance(v, int | float) else None for v in values]
    except (Stuck, Meaningless):
        return [None] * len(who)


def _given(expr: Expr, block: Enacted) -> bool:
    """Whether a part of a condition has the same value everywhere."""
    return not isinstance(expr, Place | Call) or (isinstance(expr, Place) and expr.sym in block.positions)


def sets(stmt: Stmt, sym: Sym) -> bool:
    """Whether a statement sets a variable regardless of its old value."""
    match stmt:
        case Declare(declared):
            return declared is sym
        case Assign(Place(target, ()), value, None):
            return target is sym and sym not in value.symbols
        case _:
            return False
