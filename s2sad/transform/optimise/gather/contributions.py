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

from collections.abc import Callable, Collection, Container, Mapping
from dataclasses import dataclass, field, replace

from ....analysis.atomics import is_drawn
from ....ir import (
    ATOMICS,
    COLLECTIVE,
    Accumulate,
    AddressOf,
    Array,
    Assign,
    Banner,
    Body,
    Call,
    Clear,
    Comment,
    Declare,
    Expr,
    For,
    If,
    Place,
    Pointer,
    Quote,
    Scalar,
    Special,
    Stmt,
    Sym,
    expressions,
    is_integer,
    rebuilt,
    statements,
    substituted,
    walk,
)
from ...common.algebra import converted, rewrite
from ...common.replay import Routes
from ...common.symbol_uses import mapped
from ...common.thread_coordinates import Point, Points
from ...common.thread_rows import declared_in, helper
from .slicing import NotTogether, sliced

PRIVATE = ("local", "tape")  # variables that each thread has


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

    def element(
        self, target: Place, counter: Sym | None, mine: Expr | None, inside: Container[Sym] = ()
    ) -> Place:
        """An element in iteration `mine`, by names that are visible; `inside` are not. Raises NotKnown."""

        def change(e: Expr) -> Expr | None:
            if isinstance(e, Call | AddressOf) or (isinstance(e, Place) and e.index):
                raise NotKnown
            if not isinstance(e, Place):
                return None
            if e.sym is counter:
                return None if mine is None else converted(mine, e.type)
            if e.sym not in inside and self.same(e.sym):
                return None
            if e.sym not in self.homes:
                raise NotKnown
            return converted(rewrite(self.homes[e.sym], change), e.type)

        index = tuple(rewrite(e, change) for e in target.index)
        return replace(target, index=index, spelling=target.spelling if index == target.index else None)


@dataclass
class Other:
    """Rewrites what a thread does in an iteration for another thread, which has other coordinates.

    `exchanged`: what special variables and names of this thread's are for the other; None if that isn't
    known. `names`: the variables that hold the other's values. `suffix`: what their names end in beside
    this thread's. Where variables from before the iteration
    come from, and what memory the other finds as this thread does, is for the classes that inherit.
    """

    exchanged: Mapping[Special | Sym, Expr | None]
    names: dict[Sym, Sym] = field(default_factory=dict)
    suffix: str = "q"

    def outer(self, e: Place) -> Expr | None:
        """The other's value of a variable from before; None if it is this thread's. Raises NotKnown."""
        raise NotKnown

    def lasts(self, sym: Sym) -> bool:
        """Whether it is memory of both that has the same values for both."""
        return False

    def replay(self, body: Body, totals: Mapping[Accumulate, Place]) -> Body:
        """What the other thread adds in the iteration, added to totals of this thread. Raises NotKnown."""
        adds: dict[Stmt, Stmt] = {
            a: replace(a, target=total, how="local", why="") for a, total in totals.items()
        }
        part = needed(body, totals)
        self.names |= {sym: self.renamed(sym) for sym in declared_in(part)}
        self.names |= {total.sym: total.sym for total in totals.values()}
        given = substituted(part, lambda s: (adds[s],) if s in adds else None)
        return tuple(map(self.statement, given))

    def renamed(self, sym: Sym) -> Sym:
        """A variable for the other thread's value: `dx`, or `dx_q` beside this thread's."""
        return replace(sym, otherwise=(f"{sym.name}_{self.suffix}",), replayed=True)

    # ---- statements --------------------------------------------------------------------------------

    def statement(self, stmt: Stmt) -> Stmt:
        """A statement that only sets variables of the iteration, for the other thread. Raises NotKnown."""
        for inner in statements((stmt,)):
            match inner:
                case If() | For() | Quote() | Comment() | Banner():
                    pass
                case Declare(sym) if sym.storage != "shared" and isinstance(sym.type, Scalar | Array):
                    pass
                case Assign(target) | Clear(target) | Accumulate(target, how="local"):
                    if target.sym not in self.names:
                        raise NotKnown  # a value that is carried between iterations
                case _:
                    raise NotKnown
        return declared_as(mapped(stmt, self.change), self.names)

    def expression(self, expr: Expr) -> Expr:
        return rewrite(expr, self.change)

    def change(self, e: Expr) -> Expr | None:
        """What it is for the other thread; None if that follows from its parts. Raises NotKnown."""
        match e:
            case Place(sym, ()) if sym in self.names:
                return replace(e, sym=self.names[sym])
            case Place(sym, index) if sym in self.names:
                at = tuple(map(self.expression, index))
                return replace(e, sym=self.names[sym], index=at, spelling=None)
            case Place(sym, ()) if sym in self.exchanged:
                return converted(self.coordinate(sym), sym.type)
            case Place(sym, index) if not index or sym.storage in PRIVATE:
                return self.outer(e)
            case Place(sym):
                if not self.lasts(sym):
                    raise NotKnown
                return None
            case Special() if e in self.exchanged:
                return converted(self.coordinate(e), e.type)
            case AddressOf():
                raise NotKnown
            case Call() if e.rule in COLLECTIVE or is_drawn(e) or (e.callee is not None and not helper(e)):
                raise NotKnown
            case _:
                return None

    def coordinate(self, name: Special | Sym) -> Expr:
        there = self.exchanged[name]
        if there is None:
            raise NotKnown
        return there


@dataclass
class Replayed(Other):
    """Another thread whose values are recomputed from what doesn't change, or read from shared memory.

    `before`: declarations of what is computed again; their names end in `word`. `tile` gives the other's
    value of a variable from shared memory, if it is in the same block.
    """

    known: Known = field(kw_only=True)
    tile: Callable[[Sym], Place] | None = None
    before: list[Declare] = field(default_factory=list)
    word: str = ""

    def lasts(self, sym: Sym) -> bool:
        return sym.storage in ("parameter", "global") and sym not in self.known.changed

    def outer(self, e: Place) -> Expr | None:
        sym = e.sym
        elements = len(sym.type.extents) if isinstance(sym.type, Array) else 0
        if isinstance(sym.type, Pointer) or len(e.index) != elements:
            raise NotKnown
        if self.known.same(sym):
            return None
        if not e.index and (again := self.recomputed(sym)) is not None:
            return replace(e, sym=again)
        if self.tile is None or sym.storage not in PRIVATE:
            raise NotKnown
        cell = self.tile(sym)
        return replace(cell, index=(*cell.index, *map(self.expression, e.index)), type=e.type)

    def recomputed(self, sym: Sym) -> Sym | None:
        """The name of a variable that is computed again for the other thread, from what doesn't change."""
        init = self.known.homes.get(sym)
        if init is None or init.symbols & self.known.changed or not self.cheap(init):
            return None
        alone = replace(self, tile=None, names=dict(self.names), before=list(self.before))
        try:
            value = alone.expression(init)
        except NotKnown:
            return None
        new = self.renamed(sym)
        if self.word:
            new = replace(new, name=f"{sym.plain}_{self.word}", otherwise=sym.otherwise)
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


def declared_as(stmt: Stmt, names: Mapping[Sym, Sym]) -> Stmt:
    """A new statement, with other variables declared in it."""
    match stmt:
        case Declare(sym):
            return replace(stmt, sym=names.get(sym, sym))
        case If() | For():
            new = rebuilt(stmt, lambda b: tuple(declared_as(s, names) for s in b))
            heads = (declared_as(s, names) for s in stmt.init) if isinstance(stmt, For) else ()
            return replace(new, init=tuple(heads)) if isinstance(new, For) else replace(new)
        case _:
            return replace(stmt)


def only_added(whole: Body) -> frozenset[Sym]:
    """The arrays in global memory that the kernel only adds to atomically."""
    added, other = set[Sym](), set[Sym]()
    for stmt in statements(whole):
        target = stmt.target if isinstance(stmt, Accumulate) and stmt.how in ATOMICS else None
        for expr in expressions(stmt):
            if target is not None and expr is target:
                added.add(target.sym)
                other.update(s for i in target.index for s in i.symbols)
            else:
                other |= expr.symbols
    return frozenset(s for s in added - other if s.storage in ("parameter", "global"))


def needed(body: Body, adds: Collection[Accumulate]) -> Body:
    """The statements of a loop's body that some of its additions need, and these. Raises NotKnown."""

    def others(stmt: Stmt) -> Body | None:
        outside = isinstance(stmt, Accumulate) and stmt.target.sym.storage not in PRIVATE
        return () if outside and stmt not in adds else None

    try:
        return sliced(substituted(body, others), list(adds))
    except NotTogether:
        raise NotKnown from None
