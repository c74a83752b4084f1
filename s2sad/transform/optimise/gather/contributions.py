"""What another thread adds in an iteration of a loop, recomputed by the thread that owns the element.

    float adj_s = 2.0f * y[i];                    float adj_s = 2.0f * y[q];
    for (int j = 0; j < n; ++j) {           ->    float t = A[q * n + j] - c;
        float t = A[i * n + j] - c;               adj_x_sum += t * adj_s;
        atomicAdd(&adj_x[j], t * adj_s);
    }

The statements that an amount needs are sliced out of the loop's body and rewritten: the other
thread's position for this thread's, a new counter for the old one. They may read memory that the
kernel doesn't store to. A variable declared before the loop is recomputed, or read from a tile in
shared memory to which each thread stores its value. If neither is possible, NotKnown is raised.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace

from ....analysis.atomics import is_drawn
from ....ir import (
    COLLECTIVE,
    Accumulate,
    AddressOf,
    Assign,
    Banner,
    Body,
    Call,
    Comment,
    Declare,
    Expr,
    If,
    Place,
    Pointer,
    Quote,
    Scalar,
    Special,
    Stmt,
    Sym,
    bodies,
    is_integer,
    rebuilt,
    statements,
    substituted,
    walk,
)
from ...common.algebra import converted, rewrite
from ...common.mod_ref import sets, written
from ...common.replay import Routes
from ...common.symbol_uses import mapped
from ...common.thread_coordinates import Point, Points
from ...common.thread_rows import declared_in, helper
from .slicing import NotTogether, sliced


class NotKnown(Exception):
    """Another thread's contribution can't be recomputed."""


class Known:
    """What any thread can compute of another one's values.

    `top` is what each thread that adds runs first, once; `visible` the part of it whose names can be
    used where the contributions are replayed.
    """

    def __init__(self, whole: Body, points: Points, top: Body, visible: Body) -> None:
        self.points = points
        self.changed = points.changed
        self.routes = Routes(whole, points)
        self.visible = {s.sym for s in visible if isinstance(s, Declare)}
        self.homes: Mapping[Sym, Expr] = {
            s.sym: s.init
            for s in top
            if isinstance(s, Declare) and isinstance(s.init, Expr) and s.sym not in self.changed
        }

    def point(self, axis: str) -> Point:
        return next(p for p in self.points.known if p.axis == axis)

    def given(self, sym: Sym) -> bool:
        """Whether it is a number that the launch receives."""
        return self.routes.given(sym)

    def same_for_all(self, expr: Expr) -> bool:
        """Whether an expression consists of launch parameters and constants."""
        parts = list(walk(expr))
        own = any(isinstance(e, Special) and e.name in ("threadIdx", "blockIdx") for e in parts)
        return not own and all(self.given(e.sym) for e in parts if isinstance(e, Place))

    def same(self, sym: Sym) -> bool:
        """Whether a name stands for one value in all threads, or for the position along another axis."""
        fixed = sym in self.points.axis_of or self.routes.fixed(sym)
        return self.given(sym) or (fixed and sym in self.visible)

    def element(self, target: Place, counter: Sym | None, mine: Expr | None) -> Place:
        """An element in iteration `mine`, by names that are visible. Raises NotKnown."""

        def change(e: Expr) -> Expr | None:
            if not isinstance(e, Place) or e.index:
                return None
            if e.sym is counter:
                return mine
            if self.same(e.sym):
                return None
            if e.sym not in self.homes:
                raise NotKnown
            return converted(rewrite(self.homes[e.sym], change), e.type)

        index = tuple(rewrite(e, change) for e in target.index)
        return replace(target, index=index, spelling=target.spelling if index == target.index else None)


@dataclass
class Other:
    """Rewrites what a thread does in an iteration for the thread at another point along an axis.

    `there` is the other's position, `step` its coordinate in the block, if it is in the same one;
    `mine` is the iteration. `tile` gives another thread's value of a variable from shared memory.
    """

    known: Known
    point: Point
    there: Place
    step: Expr | None
    counter: Sym | None
    mine: Expr | None
    tile: Callable[[Sym], Expr] | None = None
    names: dict[Sym, Sym] = field(default_factory=dict)
    before: list[Declare] = field(default_factory=list)

    def replay(self, body: Body, totals: Mapping[Accumulate, Place]) -> Body:
        """What the other thread adds in the iteration, added to totals of this thread. Raises NotKnown."""
        part = needed(body, totals)
        inside = declared_in(body)
        for stmt in statements(part):
            if stmt in totals:
                continue
            if not isinstance(stmt, Declare | Assign | Accumulate | If | Quote | Comment | Banner):
                raise NotKnown
            if not bodies(stmt) and not sets(stmt) <= inside:
                raise NotKnown  # a value that is carried between iterations
        own = sorted(sets_of(part) & inside, key=lambda sym: sym.name)
        self.names |= {sym: self.renamed(sym) for sym in own}
        return tuple(self.statement(s, totals) for s in part)

    def renamed(self, sym: Sym) -> Sym:
        """A variable for the other thread's value: `dx`, or `dx_q` beside this thread's."""
        return replace(sym, otherwise=(f"{sym.name}_q",))

    def statement(self, stmt: Stmt, totals: Mapping[Accumulate, Place]) -> Stmt:
        match stmt:
            case Accumulate() if stmt in totals:
                amount = self.expression(stmt.amount)
                return replace(stmt, target=totals[stmt], amount=amount, how="local", why="")
            case Declare(sym):
                new = mapped(stmt, self.change)
                assert isinstance(new, Declare)
                return replace(new, sym=self.names[sym])
            case If(cond):
                made = rebuilt(stmt, lambda b: tuple(self.statement(s, totals) for s in b))
                assert isinstance(made, If)
                return replace(made, cond=self.expression(cond))
            case _:
                return replace(mapped(stmt, self.change))

    def expression(self, expr: Expr) -> Expr:
        return rewrite(expr, self.change)

    def change(self, e: Expr) -> Expr | None:
        match e:
            case Place(sym, ()):
                return self.scalar(e, sym)
            case Place(sym):
                memory = sym.storage in ("parameter", "global") and isinstance(sym.type, Pointer)
                constant = sym.storage == "global" and sym not in self.known.changed
                if sym in self.known.changed or not (memory or constant):
                    raise NotKnown
                return None
            case Special("threadIdx", axis) if axis == self.point.axis:
                if self.step is None:
                    raise NotKnown
                return self.step
            case Special("blockIdx", axis) if axis == self.point.axis and self.step is None:
                raise NotKnown
            case AddressOf():
                raise NotKnown
            case Call() if e.rule in COLLECTIVE or is_drawn(e) or (e.callee is not None and not helper(e)):
                raise NotKnown
            case _:
                return None

    def scalar(self, e: Place, sym: Sym) -> Expr | None:
        """Another thread's value of a variable; None if it is this thread's. Raises NotKnown."""
        known = self.known
        if sym is self.counter:
            return self.mine
        if sym in self.names:
            return replace(e, sym=self.names[sym])
        if sym in self.point.names:
            return converted(self.there, sym.type)
        if known.same(sym):
            return None
        if (again := self.recomputed(sym)) is not None:
            return replace(e, sym=again)
        if self.tile is None or sym.storage not in ("local", "tape") or not isinstance(sym.type, Scalar):
            raise NotKnown
        return self.tile(sym)

    def recomputed(self, sym: Sym) -> Sym | None:
        """The name of a variable that is computed again for the other thread, from what doesn't change."""
        init = self.known.homes.get(sym)
        if init is None or not self.cheap(init):
            return None
        alone = replace(self, tile=None, names=dict(self.names), before=list(self.before))
        try:
            value = alone.expression(init)
        except NotKnown:
            return None
        new = self.renamed(sym)
        self.names |= alone.names | {sym: new}
        self.before[:] = [*alone.before, Declare(new, value)]
        return new

    def cheap(self, init: Expr) -> bool:
        """Whether to recompute a value: an index; in another block, anything without a call."""
        if self.tile is None:
            return not any(isinstance(e, Call) for e in walk(init))
        return is_integer(init) and not any(
            isinstance(e, Call) or (isinstance(e, Place) and e.index) for e in walk(init)
        )


def needed(body: Body, adds: Collection[Accumulate]) -> Body:
    """The statements of a loop's body that some of its additions need, and these. Raises NotKnown."""

    def others(stmt: Stmt) -> Body | None:
        outside = isinstance(stmt, Accumulate) and stmt.target.sym.storage == "parameter"
        return () if outside and stmt not in adds else None

    try:
        return sliced(substituted(body, others), list(adds))
    except NotTogether:
        raise NotKnown from None


def sets_of(body: Body) -> set[Sym]:
    return {sym for s in body for sym in sets(s)}


def leaves(body: Body) -> Iterator[Stmt]:
    """The statements of a body without statements in them, but comments."""
    for stmt in statements(body):
        if not bodies(stmt) and not isinstance(stmt, Quote | Comment | Banner):
            yield stmt


def repeated(body: Body, adds: Collection[Accumulate]) -> int:
    """How many statements of a loop's body a replay of these additions would repeat. Raises NotKnown."""
    inside = declared_in(body)
    effects = [s for s in leaves(body) if s not in adds and written(s) - inside]
    left = set(leaves(sliced(body, effects))) if effects else set()
    return len(left & set(leaves(needed(body, adds))) - set(adds))
