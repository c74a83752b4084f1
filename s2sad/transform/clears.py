"""Clears of local arrays that nobody comes back to, taken out of an adjoint.

    for (int d = 3; d >= 0; --d) {
        adj_x[4 * i + d] += adj_v[d];
        adj_v[d] = 0.0f;                    goes, if nothing behind the loop reads adj_v
    }

An element that no later statement reads or adds to needn't be zero. In a loop that means
also the iterations to come, unless each iteration keeps to the elements of its own number.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..ir import (
    AddressOf,
    Array,
    Assign,
    Body,
    Call,
    Clear,
    Const,
    Declare,
    DoWhile,
    For,
    Place,
    Stmt,
    Switch,
    Sym,
    While,
    rebuilt,
    statements,
    walk,
)
from .syms import expressions


def without_dead_clears(body: Body) -> Body:
    """The body without clears whose zero nobody reads."""
    arrays = {s.target.sym for s in statements(body) if isinstance(s, Clear) and _local(s.target)}
    arrays -= {place.sym for place in _mentions(body) if len(place.index) != _rank(place.sym)}
    arrays -= {sym for stmt in statements(body) for sym in _handed_on(stmt)}
    return _without(body, frozenset(), frozenset(arrays)) if arrays else body


def _without(body: Body, after: frozenset[Sym], arrays: frozenset[Sym]) -> Body:
    """`after`: the arrays that may be read, or added to, behind the body."""
    live = set(after)
    out: list[Stmt] = []
    for stmt in reversed(body):
        if isinstance(stmt, Clear) and stmt.target.sym in arrays and stmt.target.sym not in live:
            continue
        used = {place.sym for place in _mentions((stmt,))}
        inside = frozenset(live)
        if isinstance(stmt, For):
            inside = frozenset(live | {sym for sym in used if not _own(sym, stmt)})
        elif isinstance(stmt, While | DoWhile | Switch):
            inside = frozenset(live | used)
        out.append(rebuilt(stmt, lambda b, inside=inside: _without(b, inside, arrays)))  # type: ignore[misc]
        live |= used
    return tuple(reversed(out))


def _local(place: Place) -> bool:
    return isinstance(place.sym.type, Array) and place.sym.storage != "shared" and bool(place.index)


def _rank(sym: Sym) -> int:
    return len(sym.type.extents) if isinstance(sym.type, Array) else 0


def _mentions(body: Body) -> Iterator[Place]:
    """Elements of arrays, and whole ones, that statements name; a clear alone asks for nothing."""
    for stmt in statements(body):
        if not isinstance(stmt, Clear):
            for expr in expressions(stmt):
                for part in walk(expr):
                    if isinstance(part, Place) and isinstance(part.sym.type, Array):
                        yield part


def _handed_on(stmt: Stmt) -> Iterator[Sym]:
    """Arrays whose elements others may reach: a pointer is kept, or passed."""
    for expr in expressions(stmt):
        for part in walk(expr):
            if isinstance(part, AddressOf):
                yield part.place.sym
            elif isinstance(part, Call):
                yield from (a.sym for a in part.args if isinstance(a, Place) and not a.index)


def _own(sym: Sym, loop: For) -> bool:
    """Whether each iteration of a loop keeps to elements that no other iteration touches."""
    counter = _counter(loop)
    if counter is None:
        return False
    positions = [
        {k for k, e in enumerate(place.index) if isinstance(e, Place) and e.sym is counter and not e.index}
        for place in [*_mentions(loop.body), *_cleared(loop.body)]
        if place.sym is sym
    ]
    return bool(set.intersection(*positions)) if positions else True


def _cleared(body: Body) -> Iterator[Place]:
    return (s.target for s in statements(body) if isinstance(s, Clear))


def _counter(loop: For) -> Sym | None:
    """The variable that a loop's head alone moves, always the same way."""
    match loop.init, loop.step:
        case (Declare(sym),), (Assign(Place(moved, ()), Const(by), "+=" | "-="),) if moved is sym and by:
            stored = {s.target.sym for s in statements(loop.body) if isinstance(s, Assign)}
            return None if sym in stored else sym
        case _:
            return None


__all__ = ["without_dead_clears"]
