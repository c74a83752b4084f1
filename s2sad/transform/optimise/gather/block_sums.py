"""Sum over a block's threads what they add to one element, with one value of each in shared memory.

    int first = blockIdx.x * blockDim.x;
    int present = min((int)blockDim.x, n - first);    the threads for which the guard `i < n` holds
    for (int j = threadIdx.x; j < m; j += blockDim.x) {
        float adj_x_sum = 0.0f;
        for (int q = 0; q < present; ++q)
            adj_x_sum += A[(first + q) * m + j] * adj_s_tile[q];
        atomicAdd(&adj_x[j], adj_x_sum);
    }

See `interchange_sums`, which finds such sums, for the lemma. All threads of the block run them, after
the statements that a guard selects.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from ....analysis.function_attributes import LARGEST
from ....ir import (
    BOOL,
    INT,
    UINT,
    Accumulate,
    Array,
    Assign,
    Binary,
    Body,
    Call,
    Comment,
    Const,
    Declare,
    Expr,
    For,
    How,
    If,
    Place,
    Quote,
    Special,
    Stmt,
    Sym,
    scalar_type,
)
from ...common.adjoint_names import total_of
from ...common.algebra import converted, real
from ...common.mod_ref import written
from ...common.replay import all_of, conjuncts
from ...common.thread_coordinates import Point, both
from ..contribution_audit import sum_of_sites
from ..scalar.simplify import signed
from .contributions import Known, NotKnown, Replayed

VALUES = 4  # the maximum number of per-thread values that go through shared memory


@dataclass(frozen=True)
class _Run:
    """A loop over threads along an axis: its counter and test, what is declared of each, and its guard.

    `where` the loop has an iteration; None if that isn't known.
    """

    step: Place
    test: Expr
    declared: Sequence[Declare]
    guard: Expr | None
    where: Expr | None

    def loop(self, body: Body) -> For:
        inner = body if self.guard is None else (If(self.guard, body),)
        start = Declare(self.step.sym, Const(0, INT))
        return For((start,), self.test, (upwards(self.step.sym),), (*self.declared, *inner))


@dataclass(frozen=True)
class _Sum:
    """A sum over threads: a total for each target, its element in this thread's iteration, the loop, and
    the stores to shared memory before it.

    `some` thread adds to each element `where` that holds.
    """

    totals: dict[Place, Place]
    elements: dict[Place, Place]
    starts: Sequence[Stmt]
    loop: For
    stores: list[Stmt]
    where: Expr | None
    some: bool


@dataclass
class BlockSums:
    """The sums over the threads of a block of one or two dimensions; `guard` selects those that add.

    `tiles` are the shared arrays declared for them, and `current` those that hold variables' present
    values. What the guard tests is in `tested`: the threads for which it doesn't hold also store it, by
    `first_stores`. `firsts`, by axis: a block's first position, and the number of its threads that add.
    """

    known: Known
    guard: Expr | None
    dimensions: int
    most: Const  # the threads that a block can have
    tiles: list[Sym] = field(default_factory=list)
    current: dict[Sym, Sym] = field(default_factory=dict)
    tested: dict[Sym, Sym] = field(default_factory=dict)
    summed: set[Sym] = field(default_factory=set)
    body: list[Stmt] = field(default_factory=list)
    firsts: dict[str, tuple[Place, Place]] = field(default_factory=dict)

    def outdated(self, stmt: Stmt) -> None:
        """Forget the tiles of variables that a statement changes."""
        for sym in written(stmt) & self.current.keys():
            del self.current[sym]

    def of_loop(
        self, loop: For, counter: Sym, count: Expr, axis: str, adds: Sequence[Accumulate]
    ) -> list[Stmt]:
        """Append the sums over a block's threads; return the stores that they need. Raises NotKnown."""
        mine = Place(replace(counter), (), counter.type)
        made = self.through_block(loop.body, counter, mine, axis, adds)
        adding = added(adds, made.totals, made.elements, _atomic, made.some)
        share = dealt(mine, count, axis, (*made.starts, made.loop, *adding))
        self.sum_up(axis, made.where, (share,))
        self.summed |= {a.target.sym for a in adds}
        return made.stores

    def sum_up(self, axis: str, where: Expr | None, body: Body) -> None:
        """Append a sum over the threads along an axis; `where` any of them contributes."""
        whole = "the block's threads" if self.dimensions == 1 else f"the threads along {axis}"
        self.body.append(Comment(f"sum over {whole}, added once"))
        self.body += body if where is None else (If(where, body),)

    def through_block(
        self,
        body: Body,
        counter: Sym | None,
        mine: Place | None,
        axis: str,
        adds: Sequence[Accumulate],
    ) -> _Sum:
        """The sum of what the threads along an axis add to each element. Raises NotKnown."""
        point = self.known.point(axis)
        step = Place(Sym("q", INT), (), INT)
        there = Place(Sym(f"{point.names[0].plain}_there", point.kind), (), point.kind)
        kept, before = dict(self.current), dict(self.tested)

        def from_tile(tiles: dict[Sym, Sym], sym: Sym) -> Place:
            held = self.tested if sym in self.tested else tiles
            if sym not in held:
                if isinstance(sym.type, Array):
                    raise NotKnown
                held[sym] = tile_of(sym, "tile", self.most)
            return Place(held[sym], (self.cell(axis, step),), sym.type)

        exchanged: dict[Special | Sym, Expr | None] = dict.fromkeys(point.names, there)
        exchanged[Special("threadIdx", axis)] = converted(step, UINT)
        if counter is not None:
            exchanged[counter] = mine
        other = Replayed(exchanged, known=self.known)
        totals = totals_of(adds)
        elements = {target: self.known.element(target, counter, mine) for target in totals}
        try:
            other.tile = partial(from_tile, self.tested)
            tests = {} if self.guard is None else {c: other.expression(c) for c in conjuncts(self.guard)}
            of_tests = tuple(other.before)
            other.before.clear()
            other.tile = partial(from_tile, self.current)
            inner = other.replay(body, {a: totals[a.target] for a in adds})
            new = [sym for sym in self.current if sym not in kept]
            more = [tile for sym, tile in self.tested.items() if sym not in before]
            if len(self.tiles) + len(new) + len(more) > VALUES:
                raise NotKnown
        except NotKnown:
            self.current, self.tested = kept, before
            raise
        self.tiles += [*more, *(self.current[sym] for sym in new)]
        run = self.run(point, step, there, tests, of_tests)
        loop = run.loop((*other.before, *inner))
        stores = [self.store(self.current, sym) for sym in new]
        starts = [Declare(total.sym, real(0.0, total.type)) for total in totals.values()]
        some = (run.where is not None or self.guard is None) and all(a in body for a in adds)
        return _Sum(totals, elements, starts, loop, stores, run.where, some)

    def run(
        self, point: Point, step: Place, there: Place, tests: Mapping[Expr, Expr], needed: Sequence[Declare]
    ) -> _Run:
        """How to go through the threads along an axis for which the guard holds.

        `tests`: what it tests, and the same for another thread, by variables that are `needed`.
        """
        kind = point.kind
        start = Binary("*", Special("blockIdx", point.axis), converted(point.width, UINT), UINT)
        mine = [c for c, theirs in tests.items() if theirs != c]
        bound = self.bound(mine, point)
        if bound is None:
            position = Binary("+", start, converted(step, UINT), UINT)
            test = Binary("<", converted(step, UINT), Special("blockDim", point.axis), BOOL)
            declared = (Declare(there.sym, converted(position, kind)), *needed)
            return _Run(step, test, declared, all_of(tuple(tests.values())) if tests else None, None)
        if point.axis not in self.firsts:
            first = Place(Sym("first", kind, otherwise=(f"first_{point.axis}",)), (), kind)
            present = Place(Sym("present", INT, otherwise=(f"present_{point.axis}",)), (), INT)
            left = Binary("-", bound, first, kind)
            width = converted(Special("blockDim", point.axis), kind)
            self.body += [
                Declare(first.sym, converted(start, kind)),
                Declare(present.sym, converted(Call("min", (width, left), kind, "min"), INT)),
            ]
            self.firsts[point.axis] = first, present
        first, present = self.firsts[point.axis]
        position = Binary("+", first, converted(step, kind), kind)
        where = all_of((*(c for c in tests if c not in mine), Binary("<", first, bound, BOOL)))
        declared = (Declare(there.sym, position), *needed)
        return _Run(step, Binary("<", step, present, BOOL), declared, None, where)

    def bound(self, conds: Sequence[Expr], point: Point) -> Expr | None:
        """The bound of a position, if these conditions are `position < bound`."""
        match conds:
            case [Binary("<", Place(sym, ()), bound)] if sym in point.names and bound.type == point.kind:
                return bound if self.known.same_for_all(bound) else None
            case _:
                return None

    def declared(self) -> list[Stmt]:
        """The tiles. How large a block can be is stated, unless the kernel says it."""
        known = self.most.value != LARGEST
        say = [Comment(f"a value of each thread: a block has at most {LARGEST}")]
        return [*([] if known or not self.tiles else say), *map(Declare, self.tiles)]

    def first_stores(self) -> list[Stmt]:
        """The stores of what the guard tests, which it doesn't select."""
        return [self.store(self.tested, sym) for sym in self.tested]

    def store(self, tiles: Mapping[Sym, Sym], sym: Sym) -> Stmt:
        thread = Special("threadIdx", "x")
        place = thread if self.dimensions == 1 else self.cell("x", thread)
        return put_down(sym, tiles[sym], place)

    def cell(self, axis: str, step: Expr) -> Expr:
        """The place in a tile of the thread at `step` along an axis and at this one's place along others."""
        if self.dimensions == 1:
            return step
        x, y = (converted(step, UINT) if axis == a else Special("threadIdx", a) for a in "xy")
        return Binary("+", Binary("*", y, Special("blockDim", "x"), UINT), x, UINT)

    def single_additions(self, body: Sequence[Stmt], axis_of: Callable[[Accumulate], str]) -> list[Stmt]:
        """The body without additions that a block's threads make once; they are summed, too."""
        out: list[Stmt] = []
        self.current.clear()
        for stmt in body:
            self.outdated(stmt)
            if isinstance(stmt, Assign) and stmt.target.sym in self.tiles:
                assert isinstance(stmt.value, Place)
                self.current[stmt.value.sym] = stmt.target.sym
            axis = axis_of(stmt) if isinstance(stmt, Accumulate) else ""
            if not isinstance(stmt, Accumulate) or not axis or self.dimensions == 1:
                out.append(stmt)
                continue
            quote = out.pop() if out and isinstance(out[-1], Quote) else None
            add = stmt
            amounts: list[Stmt] = []
            if not (isinstance(stmt.amount, Place) and not stmt.amount.index and not stmt.negative):
                owed = Sym(f"{stmt.target.sym.plain}_owed", stmt.target.type, of=stmt.target.sym.of)
                amounts.append(Declare(owed, converted(signed(stmt), owed.type)))
                add = replace(stmt, amount=Place(owed, (), owed.type), negative=False)
            try:
                made = self.through_block((add,), None, None, axis, (add,))
            except NotKnown:
                out += [stmt] if quote is None else [quote, stmt]
                continue
            out += [*amounts, *made.stores]
            first = Binary("==", Special("threadIdx", axis), Const(0, UINT, spelling="0"), BOOL)
            where = first if made.where is None else all_of((first, *conjuncts(made.where)))
            said = () if quote is None else (quote,)
            new = added((add,), made.totals, made.elements, _atomic, made.some)
            self.sum_up(axis, where, (*said, *made.starts, made.loop, *new))
            self.summed.add(add.target.sym)
        return out


def added(
    adds: Sequence[Accumulate],
    totals: Mapping[Place, Place],
    elements: Mapping[Place, Place],
    how: Callable[[Place], How],
    some: bool,
) -> Iterator[Stmt]:
    """The additions of the totals to the elements. Unless `some` thread contributes, one may not exist."""
    for target, total in totals.items():
        why = next(a.why for a in adds if a.target == target)
        element = elements[target]
        add = Accumulate(element, total, how(target), why=why, sites=sum_of_sites(element))
        yield add if some else unless_zero(total, add)


def unless_zero(total: Expr, add: Stmt) -> If:
    """The addition of a sum, but not of zero: an element to which no thread adds may not exist."""
    return If(Binary("!=", total, real(0.0, total.type), BOOL), (add,))


def _atomic(target: Place) -> How:
    """How blocks add to an element."""
    return "atomic"


def dealt(mine: Place, count: Expr, axis: str, body: Body) -> For:
    """A loop whose iterations the threads along an axis take in turn, while `mine < count` as in C."""
    thread, width = Special("threadIdx", axis), Special("blockDim", axis)
    return For(
        (Declare(mine.sym, converted(thread, mine.type)),),
        both("<", mine, count),
        (Assign(mine, converted(width, mine.type), "+="),),
        body,
    )


def upwards(sym: Sym) -> Assign:
    """The step of a loop over consecutive numbers."""
    return Assign(Place(sym, (), sym.type), Const(1, scalar_type(sym)), "+=", spelling=f"++{sym.name}")


def each_element(k: Sym, array: Array, body: Body) -> For:
    """A loop over the elements of an array."""
    spelled = array.spelled[0] if array.spelled and array.spelled[0] else None
    test = Binary("<", Place(k, (), INT), Const(array.extents[0], INT, spelling=spelled), BOOL)
    return For((Declare(k, Const(0, INT)),), test, (upwards(k),), body)


def tile_of(sym: Sym, word: str, threads: Const) -> Sym:
    """Shared memory for so many threads' values of a variable. Raises NotKnown."""
    kind = sym.type if isinstance(sym.type, Array) else Array(scalar_type(sym), ())
    if len(kind.extents) > 1:
        raise NotKnown
    spelled = (threads.spelling or str(threads.value), *(kind.spelled or map(str, kind.extents)))
    shape = Array(kind.element, (int(threads.value), *kind.extents), spelled)
    return Sym(f"{sym.plain}_{word}", shape, "shared", of=sym.of)


BYTES = 48 << 10
"""Of shared memory that a block has by default."""


def shared_bytes(sym: Sym) -> int:
    """The shared memory of an array, in bytes; none of another variable."""
    if sym.storage != "shared" or not isinstance(sym.type, Array):
        return 0
    return sym.type.elements * sym.type.element.size


def put_down(sym: Sym, tile: Sym, cell: Expr) -> Stmt:
    """The store of a thread's value of a variable to its cell of a tile."""
    if not isinstance(sym.type, Array):
        return Assign(Place(tile, (cell,), sym.type), Place(sym, (), sym.type))
    k, kind = Sym("k", INT), sym.type.element
    at = Place(k, (), INT)
    return each_element(k, sym.type, (Assign(Place(tile, (cell, at), kind), Place(sym, (at,), kind)),))


def totals_of(adds: Sequence[Accumulate]) -> dict[Place, Place]:
    """A variable for the sum of what is added to each element."""
    return {
        target: Place(total_of(target), (), target.type) for target in dict.fromkeys(a.target for a in adds)
    }
