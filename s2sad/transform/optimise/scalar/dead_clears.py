"""Remove clears of local arrays whose zero is never read.

    for (int d = 3; d >= 0; --d) {
        adj_x[4 * i + d] += adj_v[d];
        adj_v[d] = 0.0f;                    removed if nothing after the loop reads adj_v
    }

An element that no later statement reads or adds to needs no clear: `adj_q[1]` isn't `adj_q[0]`,
and in one iteration `adj_p[2 * i + 1]` isn't `adj_p[2 * i]`. In a loop, later statements include
the next iterations, unless each iteration uses different elements.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ....ir import (
    INT,
    Array,
    Assign,
    Binary,
    Body,
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
    bodies,
    calls,
    expressions,
    rebuilt,
    statements,
    walk,
)
from ...common.mod_ref import written


def without_dead_clears(body: Body) -> Body:
    """The body without clears whose zero is never read."""
    arrays = {s.target.sym for s in statements(body) if isinstance(s, Clear) and _local(s.target)}
    arrays -= {place.sym for place in _mentions(body) if len(place.index) != _rank(place.sym)}
    arrays -= {sym for stmt in statements(body) for sym in _handed_on(stmt)}
    return _without(body, frozenset(), frozenset(arrays)) if arrays else body


def _without(
    body: Body, after: frozenset[Element], arrays: frozenset[Sym], counters: frozenset[Sym] = frozenset()
) -> Body:
    """`after`: the elements that may be read or added to after the body.

    `counters`: those of the enclosing loops, constant within an iteration.
    """
    live = set(after)
    loose = {e for e in live if not _fixed(e)}
    out: list[Stmt] = []
    for stmt in reversed(body):
        if isinstance(stmt, Clear) and stmt.target.sym in arrays:
            element = _element(stmt.target, counters)
            # Two elements at constant indices are equal, or they differ.
            others = loose if _fixed(element) else live
            if element not in live and not any(_meet(element, other) for other in others):
                continue
        used = {_element(place, counters) for place in _mentions((stmt,)) if place.sym in arrays}
        inside, known = frozenset(live if bodies(stmt) else ()), counters
        if isinstance(stmt, For):
            inside |= {(sym, index) for sym, index in used if not _own(sym, stmt)}
            known |= {counter} if (counter := _counter(stmt)) is not None else set()
        elif isinstance(stmt, While | DoWhile | Switch):
            inside |= used
        out.append(rebuilt(stmt, partial(_without, after=inside, arrays=arrays, counters=known)))
        live |= used
        loose |= {e for e in used if not _fixed(e)}
    return tuple(reversed(out))


Part = tuple[Sym | None, int, int] | None
"""An index `factor * counter + number`; None for any other."""
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


def _fixed(element: Element) -> bool:
    """Whether each index is constant."""
    return all(part is not None and part[0] is None for part in element[1])


def _meet(one: Element, other: Element) -> bool:
    """Whether two elements may be the same: no index is known to differ."""
    if one[0] is not other[0]:
        return False
    pairs = zip(one[1], other[1], strict=True)
    return not any(a and b and a[:2] == b[:2] and a[2] != b[2] for a, b in pairs)


def _local(place: Place) -> bool:
    return isinstance(place.sym.type, Array) and place.sym.storage != "shared" and bool(place.index)


def _rank(sym: Sym) -> int:
    return len(sym.type.extents) if isinstance(sym.type, Array) else 0


def _mentions(body: Body) -> Iterator[Place]:
    """Elements of arrays, and whole arrays, that statements mention; clears don't count."""
    for stmt in statements(body):
        if not isinstance(stmt, Clear):
            for expr in expressions(stmt):
                for part in walk(expr):
                    if isinstance(part, Place) and isinstance(part.sym.type, Array):
                        yield part


def _handed_on(stmt: Stmt) -> Iterator[Sym]:
    """Arrays whose elements may be accessed through a pointer that is kept or passed."""
    for expr in expressions(stmt):
        yield from (place.sym for place in expr.outputs)
    for call in calls(stmt):
        yield from (a.sym for a in call.args if isinstance(a, Place) and not a.index)


def _own(sym: Sym, loop: For) -> bool:
    """Whether each iteration of a loop uses elements that no other iteration accesses."""
    counter = _counter(loop)
    if counter is None:
        return False
    places = [p for p in (*_mentions(loop.body), *_cleared(loop.body)) if p.sym is sym]
    if not places:
        return True
    indices = ([_part(e, frozenset({counter})) for e in place.index] for place in places)
    return any(map(_strided, zip(*indices, strict=True)))


def _strided(parts: tuple[Part, ...]) -> bool:
    """Whether the indices' stride per iteration exceeds their spread."""
    known = [p for p in parts if p is not None and p[1]]
    if len(known) < len(parts) or len({p[1] for p in known}) > 1:
        return False
    numbers = [p[2] for p in known]
    return max(numbers) - min(numbers) < abs(known[0][1])


def _cleared(body: Body) -> Iterator[Place]:
    return (s.target for s in statements(body) if isinstance(s, Clear))


def _counter(loop: For) -> Sym | None:
    """The variable that only a loop's header changes, by a nonzero constant."""
    match loop.init, loop.step:
        case (Declare(sym),), (Assign(Place(moved, ()), Const(by), "+=" | "-="),) if moved is sym and by:
            begun = {s.sym for s in statements(loop.body) if isinstance(s, Declare)}
            return None if sym in begun or any(sym in written(s) for s in loop.body) else sym
        case _:
            return None


__all__ = ["without_dead_clears"]
