"""Clears of local arrays that nobody comes back to, taken out of an adjoint.

    for (int d = 3; d >= 0; --d) {
        adj_x[4 * i + d] += adj_v[d];
        adj_v[d] = 0.0f;                    goes, if nothing behind the loop reads adj_v
    }

An element that no later statement reads or adds to needn't be zero: `adj_q[1]` isn't `adj_q[0]`,
and in one iteration `adj_p[2 * i + 1]` isn't `adj_p[2 * i]`. In a loop that means also the iterations
to come, unless each iteration keeps to elements of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ....ir import (
    INT,
    AddressOf,
    Array,
    Assign,
    Binary,
    Body,
    Call,
    Cast,
    Clear,
    Const,
    Declare,
    DoWhile,
    Expr,
    For,
    Place,
    Scalar,
    Stmt,
    Switch,
    Sym,
    While,
    expressions,
    rebuilt,
    statements,
    walk,
)
from ...common.mod_ref import written


def without_dead_clears(body: Body) -> Body:
    """The body without clears whose zero nobody reads."""
    arrays = {s.target.sym for s in statements(body) if isinstance(s, Clear) and _local(s.target)}
    arrays -= {place.sym for place in _mentions(body) if len(place.index) != _rank(place.sym)}
    arrays -= {sym for stmt in statements(body) for sym in _handed_on(stmt)}
    return _without(body, frozenset(), frozenset(arrays)) if arrays else body


def _without(
    body: Body, after: frozenset[Element], arrays: frozenset[Sym], counters: frozenset[Sym] = frozenset()
) -> Body:
    """`after`: the elements that may be read, or added to, behind the body.

    `counters` are of the loops around it, and the same all through an iteration.
    """
    live = set(after)
    out: list[Stmt] = []
    for stmt in reversed(body):
        if isinstance(stmt, Clear) and stmt.target.sym in arrays:
            element = _element(stmt.target, counters)
            if not any(_meet(element, other) for other in live):
                continue
        used = {_element(place, counters) for place in _mentions((stmt,)) if place.sym in arrays}
        inside, known = frozenset(live), counters
        if isinstance(stmt, For):
            inside |= {(sym, index) for sym, index in used if not _own(sym, stmt)}
            known |= {counter} if (counter := _counter(stmt)) is not None else set()
        elif isinstance(stmt, While | DoWhile | Switch):
            inside |= used
        out.append(rebuilt(stmt, partial(_without, after=inside, arrays=arrays, counters=known)))
        live |= used
    return tuple(reversed(out))


Part = tuple[Sym | None, int, int] | None
"""An index that is `factor * counter + number`; nothing where it is something else."""
Element = tuple[Sym, tuple[Part, ...]]


def _element(place: Place, counters: frozenset[Sym]) -> Element:
    return place.sym, tuple(_part(e, counters) for e in place.index)


def _part(expr: Expr, counters: frozenset[Sym]) -> Part:
    match expr:
        case Const(int() as value):
            return None, 0, value
        case Place(sym, ()) if sym in counters:
            return sym, 1, 0
        case Cast(arg, Scalar() as type) if type.is_integer and type.size >= INT.size:
            return _part(arg, counters)
        case Binary("+" | "-" | "*" as op, left, right):
            a, b = _part(left, counters), _part(right, counters)
            if a is None or b is None:
                return None
            if op == "*":
                a, b = (b, a) if a[0] is None else (a, b)
                return (a[0], a[1] * b[2], a[2] * b[2]) if b[0] is None else None
            if a[0] is not None and b[0] is not None:
                return None
            sign = 1 if op == "+" else -1
            return a[0] or b[0], a[1] + sign * b[1], a[2] + sign * b[2]
        case _:
            return None


def _meet(one: Element, other: Element) -> bool:
    """Whether two elements may be the same: nothing says that an index differs."""
    if one[0] is not other[0]:
        return False
    pairs = zip(one[1], other[1], strict=True)
    return not any(a and b and a[:2] == b[:2] and a[2] != b[2] for a, b in pairs)


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
    places = [p for p in (*_mentions(loop.body), *_cleared(loop.body)) if p.sym is sym]
    if not places:
        return True
    indices = ([_part(e, frozenset({counter})) for e in place.index] for place in places)
    return any(map(_strided, zip(*indices, strict=True)))


def _strided(parts: tuple[Part, ...]) -> bool:
    """Whether indices move on by more with the counter than they lie apart."""
    known = [p for p in parts if p is not None and p[1]]
    if len(known) < len(parts) or len({p[1] for p in known}) > 1:
        return False
    numbers = [p[2] for p in known]
    return max(numbers) - min(numbers) < abs(known[0][1])


def _cleared(body: Body) -> Iterator[Place]:
    return (s.target for s in statements(body) if isinstance(s, Clear))


def _counter(loop: For) -> Sym | None:
    """The variable that a loop's head alone moves, always the same way."""
    match loop.init, loop.step:
        case (Declare(sym),), (Assign(Place(moved, ()), Const(by), "+=" | "-="),) if moved is sym and by:
            begun = {s.sym for s in statements(loop.body) if isinstance(s, Declare)}
            return None if sym in begun or any(sym in written(s) for s in loop.body) else sym
        case _:
            return None


__all__ = ["without_dead_clears"]
