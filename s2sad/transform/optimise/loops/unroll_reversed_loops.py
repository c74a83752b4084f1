"""Ask for the unrolling of a reversed loop that would leave a local array in memory.

    for (int g = 3; g >= 0; --g) {                #pragma unroll
        float adj_z = adj_gate[g];                for (int g = 3; g >= 0; --g) {
        for (int j = 0; j < n; ++j)         ->        float adj_z = adj_gate[g];
            atomicAdd(&adj_h[j], …);                  …

An array is in registers only if every subscript is a number once the loops around it are unrolled. nvcc
unrolls an innermost loop of few iterations by itself, whatever the size of its body, but a nest only up to
some 2000 operations, and no nest with a loop of unknown trip count that isn't tiny. (Found by compiling the
kept kernels and loops of growing size.) The author's nest may be within these limits where its reverse, with
partials and atomic additions, is not.

A loop of which the author said how to unroll it, before it or before the loop that it reverses, keeps that.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import prod

from ....analysis.constants import COMPARED, exact
from ....ir import (
    REDUCTIONS,
    Accumulate,
    AddressOf,
    Array,
    Assign,
    Binary,
    Body,
    Cast,
    Const,
    Declare,
    Expr,
    For,
    If,
    Place,
    Select,
    Stmt,
    Sym,
    Unary,
    bodies,
    expressions,
    rebuilt,
    scalar_type,
    statements,
    walk,
)
from ...common.algebra import rewrite
from ...common.jumps import exits
from ...common.mod_ref import written
from ..gather.costs import cost

TRIPS = 16
"""The most iterations of a loop that is unrolled."""
ELEMENTS = 32
"""The most elements of an array that registers hold."""
SMALL, NEST, LARGE = 128, 2000, 12_000
"""Operations of all iterations: a smaller loop is unrolled in any case, a nest up to the second limit if
all its trip counts are known, and a larger one would be too long."""
CHEAP = 256
"""Operations of all iterations that are worth the removal of any array from memory."""
SHARE = 64
"""Otherwise, one operation in so many must be an access to the array."""
UNROLL = "#pragma unroll"


def unroll_reversed_loops(body: Body) -> Body:
    """The body with the pragma before such loops."""
    kept = _in_registers(body)
    return _visit(body, kept) if kept else body


def _visit(body: Body, arrays: frozenset[Sym]) -> Body:
    return tuple(_unrolled(rebuilt(stmt, lambda b: _visit(b, arrays)), arrays) for stmt in body)


def _unrolled(stmt: Stmt, arrays: frozenset[Sym]) -> Stmt:
    if not isinstance(stmt, For) or stmt.reverses is None or _told(stmt):
        return stmt
    trips = _trips(stmt)
    if trips is None or not 1 < trips <= TRIPS:
        return stmt
    inside = frozenset({_counter(stmt)})
    size = _operations(stmt.body)
    least = SMALL if _has_unknown_count(stmt.body, inside) else NEST
    if not least < trips * size <= LARGE or not any(isinstance(s, For) for s in statements(stmt.body)):
        return stmt
    accesses = _accesses(stmt.body, _subscripts(stmt) & arrays, inside)
    if accesses and (trips * size <= CHEAP or accesses * SHARE >= size):
        return replace(stmt, pragmas=(UNROLL,))
    return stmt


def _told(loop: For) -> bool:
    """Whether the author said how to unroll a loop, or the one that it reverses."""
    return bool(loop.pragmas) or (isinstance(loop.reverses, For) and bool(loop.reverses.pragmas))


def _subscripts(loop: For) -> frozenset[Sym]:
    """The arrays that a loop's counter subscripts, or a value that follows from it."""
    follow = {_counter(loop)}
    found: set[Sym] = set()
    for stmt in statements(loop.body):
        if isinstance(stmt, Declare) and isinstance(stmt.init, Expr) and stmt.init.symbols & follow:
            follow.add(stmt.sym)
        for part in _places(stmt):
            if any(e.symbols & follow for e in part.index):
                found.add(part.sym)
    return frozenset(found)


def _in_registers(body: Body) -> frozenset[Sym]:
    """The small local arrays whose subscripts are numbers where the loops around them are unrolled."""
    arrays = {
        s.sym: s.sym.type
        for s in statements(body)
        if isinstance(s, Declare) and s.sym.storage in ("local", "tape") and isinstance(s.sym.type, Array)
    }
    small = {sym for sym, kind in arrays.items() if prod(kind.extents) <= ELEMENTS}
    changed = frozenset[Sym]().union(*map(written, body))
    return frozenset(small - set(_moving(body, frozenset(), changed)))


def _moving(body: Body, known: frozenset[Sym], changed: frozenset[Sym]) -> Iterator[Sym]:
    """The arrays with a subscript that isn't a number, or used whole; `known` are the numbers so far.

    The sums of a block are added up from a whole array, by a function with subscripts of its own.
    """
    for stmt in body:
        summed = stmt.amount if isinstance(stmt, Accumulate) and stmt.how in REDUCTIONS else None
        for part in _places(stmt):
            whole = isinstance(part.sym.type, Array) and len(part.index) < len(part.sym.type.extents)
            if (whole and part is not summed) or not all(_is_number(e, known) for e in part.index):
                yield part.sym
        yield from (e.place.sym for expr in expressions(stmt) for e in walk(expr) if isinstance(e, AddressOf))
        inner = known
        match stmt:
            case Declare(sym, init) if isinstance(init, Expr) and sym not in changed:
                known |= {sym} if _is_number(init, known) else frozenset()
            case For() if _counts(stmt, known):
                inner = known | {_counter(stmt)}
            case _:
                pass
        for each in bodies(stmt):
            yield from _moving(each, inner, changed)


def _places(stmt: Stmt) -> Iterator[Place]:
    """The array elements in a statement's own expressions."""
    for expr in expressions(stmt):
        yield from (
            e for e in walk(expr) if isinstance(e, Place) and (e.index or isinstance(e.sym.type, Array))
        )


def _is_number(expr: Expr, known: frozenset[Sym]) -> bool:
    return all(
        isinstance(e, Const | Cast | Unary | Binary | Select)
        or (isinstance(e, Place) and not e.index and e.sym in known)
        for e in walk(expr)
    )


def _counter(loop: For) -> Sym:
    """The counter of a loop that `_counts`."""
    first = loop.init[0]
    assert isinstance(first, Declare)
    return first.sym


def _counts(loop: For, known: frozenset[Sym]) -> bool:
    """Whether a compiler that unrolls the loops around a loop knows its counter's values."""
    if len(loop.init) != 1 or any(map(exits, loop.body)) or set(loop.pragmas) - {UNROLL}:
        return False
    match loop.init[0], loop.cond:
        case Declare(own, start), Binary(op) as cond if op in COMPARED:
            pass
        case _:
            return False
    inside = known | {own}
    steps = loop.step or loop.body[:1]
    if len(steps) != 1 or any(own in written(s) for s in loop.body if s not in steps):
        return False
    match steps[0]:
        case Assign(Place(moved, ()), by) if moved is own and _is_number(by, inside):
            pass
        case _:
            return False
    return isinstance(start, Expr) and _is_number(start, known) and _is_number(cond, inside)


def _trips(loop: For) -> int | None:
    """The trip count of a loop, if its header says it and it is at most TRIPS."""
    if not _counts(loop, frozenset()):
        return None
    (first,), cond, step = loop.init, loop.cond, (loop.step or loop.body)[0]
    assert isinstance(first, Declare)
    assert isinstance(first.init, Expr)
    assert isinstance(cond, Binary)
    assert isinstance(step, Assign)
    kind = scalar_type(first.sym)
    value = exact(Cast(first.init, kind))
    for count in range(TRIPS + 1):
        if value is None:
            return None
        now = Const(value, kind)
        left, right, by = (exact(_at(e, now)) for e in (cond.left, cond.right, step.value))
        if left is None or right is None or by is None:
            return None
        if not COMPARED[cond.op](left, right):
            return count
        value = by if step.op is None else exact(Binary(step.op[:-1], now, Const(by, kind), kind))
    return None


def _at(expr: Expr, now: Const) -> Expr:
    """An expression of a loop's header for one value of its counter."""
    return rewrite(expr, lambda e: now if isinstance(e, Place) else None)


def _accesses(body: Body, arrays: frozenset[Sym], follow: frozenset[Sym]) -> int:
    """How often every iteration accesses such arrays: not where a condition on the counter chooses."""
    found = 0
    for stmt in body:
        if isinstance(stmt, Declare) and isinstance(stmt.init, Expr) and stmt.init.symbols & follow:
            follow |= {stmt.sym}
        found += sum(part.sym in arrays for part in _places(stmt))
        if isinstance(stmt, If) and stmt.cond.symbols & follow:
            continue
        trips = (_trips(stmt) or 1) if isinstance(stmt, For) else 1
        found += trips * sum(_accesses(inner, arrays, follow) for inner in bodies(stmt))
    return found


def _has_unknown_count(body: Body, known: frozenset[Sym]) -> bool:
    """Whether there is an inner loop that stays one where the loops around it are unrolled."""
    for stmt in body:
        inner = known
        if isinstance(stmt, For):
            if not _counts(stmt, known):
                return True
            inner = known | {_counter(stmt)}
        if any(_has_unknown_count(each, inner) for each in bodies(stmt)):
            return True
    return False


def _operations(body: Body) -> int:
    """Roughly the number of a body's operations, with its own loops unrolled where they can be."""
    found = 0
    for stmt in body:
        found += sum(cost(e) for expr in expressions(stmt) for e in walk(expr))
        trips = (_trips(stmt) or 1) if isinstance(stmt, For) else 1
        found += trips * sum(map(_operations, bodies(stmt)))
    return found
