"""The route to an addition: the loops, conditions and names needed to recompute it for another thread.

    for (int d = 0; d < 3; ++d)              loops: d
        if (i + d < n) {                     items: i + d < n, float g = adj_y[i + d]
            float g = adj_y[i + d];
            atomicAdd(&adj_x[i], w[d] * g);

Everything on a route can be evaluated by any thread: it reads only memory that the launch
doesn't write, calls no collective, and uses the thread's position only through its names.
If anything else is on it, there is no route.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...analysis.atomics import is_drawn
from ...ir import (
    BOOL,
    COLLECTIVE,
    Accumulate,
    AddressOf,
    Assign,
    Binary,
    Body,
    Call,
    Cast,
    Const,
    Declare,
    Expr,
    For,
    If,
    Place,
    Quote,
    Return,
    Scalar,
    Special,
    Sym,
    Unary,
    bodies,
    expressions,
    statements,
    walk,
)
from .jumps import exits, negation, stays
from .mod_ref import written
from .thread_coordinates import Points
from .thread_rows import helper

Way = tuple[tuple[Body, int], ...]
"""The bodies that lead to a statement, with its position in each."""


class NoRoute(Exception):
    """Another thread's contribution can't be recomputed."""


@dataclass(frozen=True)
class Route:
    """An addition's loops (outermost first), its conditions and names, and the primal line it belongs to."""

    add: Accumulate
    loops: tuple[For, ...]
    items: tuple[Expr | Declare, ...]
    quote: Quote | None

    @property
    def counters(self) -> tuple[Sym, ...]:
        return tuple(counter(loop) for loop in self.loops)


def counter(loop: For) -> Sym:
    first = loop.init[0]
    assert isinstance(first, Declare)
    return first.sym


class Routes:
    """The routes of one kernel's body."""

    def __init__(self, whole: Body, points: Points) -> None:
        self.positions = points.axis_of
        self.changed = points.changed
        self.given = points.given
        self.values = points.values
        self.free: frozenset[Sym] = frozenset()  # names whose values for another thread are known
        self.top = {s.sym for s in whole if isinstance(s, Declare)}

    def of(self, body: Body) -> Iterator[tuple[Accumulate, Way]]:
        """The atomic additions of a body, each with the bodies that lead to it."""
        for position, stmt in enumerate(body):
            if isinstance(stmt, Accumulate) and stmt.how == "atomic":
                yield stmt, ((body, position),)
            for part in bodies(stmt):
                for add, way in self.of(part):
                    yield add, ((body, position), *way)

    def route(self, add: Accumulate, way: Way) -> Route:
        """Raises NoRoute."""
        loops: list[For] = []
        items: list[Expr | Declare] = []
        for depth, (body, position) in enumerate(way):
            for before in body[:position]:
                match before:
                    case If(cond, (Return(),), ()):
                        items.append(stays(cond))
                    case Declare(sym) if sym in self.values and sym not in self.positions:
                        items.append(before)
                    case _ if exits(before) or any(isinstance(s, Return) for s in statements((before,))):
                        raise NoRoute
                    case _:
                        pass
            match body[position]:
                case If(cond, then):
                    inside = way[depth + 1][0] is then
                    items.append(cond if inside else negation(cond))
                case For() as loop:
                    loops.append(self.loop(loop))
                case Accumulate():
                    pass
                case _:
                    raise NoRoute
        needed = self.needed(add, items, {counter(loop) for loop in loops})
        innermost, position = way[-1]
        said = [s for s in innermost[:position] if isinstance(s, Quote)]
        return Route(add, tuple(loops), tuple(needed), said[-1] if said else None)

    def loop(self, loop: For) -> For:
        """The loop, if all threads of the launch run the same iterations. Raises NoRoute."""
        match loop:
            case For((Declare(own),), _, (Assign(Place(moved, ()), Const(), "+=" | "-="),)) if moved is own:
                pass
            case _:
                raise NoRoute
        if any(map(exits, loop.body)):
            raise NoRoute
        if any(own in written(s) for s in loop.body):
            raise NoRoute
        heads = [e for s in (*loop.init, *loop.step) for e in expressions(s)]
        heads += [] if loop.cond is None else [loop.cond]
        for e in heads:
            for part in walk(e):
                match part:
                    case Place(sym, ()) if sym is own or self.given(sym):
                        pass
                    case Special("blockDim" | "gridDim") | Const() | Unary() | Cast():
                        pass
                    case Binary(op, _, right) if op not in "/%" or isinstance(right, Const):
                        pass
                    case _:
                        raise NoRoute
        return loop

    def needed(
        self, add: Accumulate, items: list[Expr | Declare], counters: set[Sym]
    ) -> list[Expr | Declare]:
        """The conditions, and the declarations that they and the amount use."""
        kept: list[Expr | Declare] = []
        used = self.checked(add.amount)
        for item in reversed(items):
            if isinstance(item, Declare):
                if item.sym not in used or self.fixed(item.sym):
                    continue
                used |= self.checked(self.values[item.sym])
            else:
                used |= self.checked(item)
            kept.append(item)
        names = {item.sym for item in kept if isinstance(item, Declare)}
        for sym in used - names - counters - self.free:
            if not (sym in self.positions or self.given(sym) or _memory(sym) or self.fixed(sym)):
                raise NoRoute
        return kept[::-1]

    def fixed(self, sym: Sym) -> bool:
        """Whether it is a top-level name whose value is the same for all threads."""
        if sym not in self.top or sym not in self.values or sym in self.positions:
            return False
        try:
            used = self.checked(self.values[sym])
        except NoRoute:
            return False
        return all(self.given(s) or _memory(s) or self.fixed(s) for s in used)

    def checked(self, expr: Expr) -> frozenset[Sym]:
        """The symbols of an expression that can be evaluated for any thread. Raises NoRoute."""
        for part in walk(expr):
            match part:
                case Special("threadIdx" | "blockIdx") | AddressOf():
                    raise NoRoute
                case Place(sym, index) if index and (not _memory(sym) or sym in self.changed):
                    raise NoRoute
                case Call() if part.rule in COLLECTIVE or is_drawn(part):
                    raise NoRoute
                case Call(callee=str()) if not helper(part):
                    raise NoRoute
                case _:
                    pass
        return expr.symbols


def all_of(conds: Sequence[Expr]) -> Expr:
    """The conjunction of conditions."""
    cond, *more = conds
    for each in more:
        cond = Binary("&&", cond, each, BOOL)
    return cond


def conjuncts(cond: Expr) -> Iterator[Expr]:
    match cond:
        case Binary("&&", left, right):
            yield from conjuncts(left)
            yield from conjuncts(right)
        case _:
            yield cond


def _memory(sym: Sym) -> bool:
    """Whether it is an array in global memory."""
    return sym.storage in ("parameter", "global") and not isinstance(sym.type, Scalar)
