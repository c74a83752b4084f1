"""Interchange a loop's counter with a thread's position, so that a sum over threads becomes a loop.

    for (int j = 0; j < n; ++j)               adj_s_tile[threadIdx.x] = adj_s;
        atomicAdd(&adj_x[j],                  __syncthreads();
                  A[i * n + j] * adj_s);  ->  for (int j = threadIdx.x; j < n; j += blockDim.x) {
                                                  float adj_x_sum = 0.0f;
                                                  for (int q = 0; q < blockDim.x; ++q)
                                                      adj_x_sum += A[(… + q) * n + j] * adj_s_tile[q];
                                                  atomicAdd(&adj_x[j], adj_x_sum);
                                              }

L21. Let the threads (s, u), 0 <= u < U, each add a(s, u, j) to the element at f(s, j), for each
0 <= j < N, where a guard g(s, u) holds. For each s and j one thread sums a(s, u, j) over all u with
g(s, u) and adds the sum to f(s, j): the thread (s, j % U), which exists. The total is the same, with
at most one addition instead of U. a and f don't depend on what an iteration changes. u is a
coordinate in the block, whose threads exchange values through shared memory; or the position in a
1-D grid, where any thread can recompute the amounts from memory (see `contributions`). In the grid
the addition isn't atomic if the thread j % U is the only one that adds to f(j).

Where N is less than U, threads have nothing to do. So the block is used if N isn't a small literal,
and the grid if N is also the number of positions that the guard admits: the roles of j and the
position are then symmetric, as in a sum over pairs.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, field, replace

from ....analysis.symbolic.polynomials import Poly, variable
from ....ir import (
    BOOL,
    UINT,
    Accumulate,
    Assign,
    Barrier,
    Binary,
    Body,
    Call,
    Comment,
    Const,
    Declare,
    Expr,
    For,
    If,
    Place,
    Return,
    Scalar,
    Special,
    Stmt,
    Sym,
    all_parts,
    statements,
    substituted,
    walk,
)
from ...common.algebra import converted, real
from ...common.jumps import stays
from ...common.mod_ref import meets
from ...common.replay import all_of
from ...common.thread_coordinates import Point, Points, both
from ...common.thread_rows import counted_range, declared_in, without_loops
from ...common.wording import listed
from ..contribution_audit import accounted
from ..scalar.dead_code import without_unused
from .block_sums import BlockSums, added, totals_of, upwards
from .contributions import Known, NotKnown, Replayed, needed, only_added
from .costs import OF_WARP, pays, repeated
from .tile_nests import replaced, shared

FEW = 16  # iterations of a loop that are too few for a block's threads: half a warp would wait
REPEATED = 3  # statements that a block may run in the loop and in the sum


@dataclass(frozen=True)
class Launch:
    """What is known of a launch: the dimensions of grid and block, and the extents that it covers.

    `most`: the threads that a block can have. `assumed`: whether the header says that the grid has no
    more dimensions.
    """

    dimensions: int
    block_dimensions: int
    most: int
    assumed: bool
    extents: Sequence[Expr] = ()


@dataclass(frozen=True)
class Interchanged:
    """The body; adjoints summed in the block before they are added; those whose elements have an owner.

    `width` is the block's, if the positions are of blocks of a literal width.
    """

    body: Body
    summed: frozenset[Sym] = frozenset()
    gathered: frozenset[Sym] = frozenset()
    width: Const | None = None


@dataclass(frozen=True)
class _Region:
    """The statements that threads run for which a guard holds, and those that all threads run before."""

    before: Body
    guard: Expr | None
    body: Body


def interchange_sums(body: Body, launch: Launch) -> Interchanged:
    """Interchange the loops of a kernel without barriers where that saves additions to memory."""
    points = Points(body, "xyz"[: launch.block_dimensions])
    region = _region(body, points)
    if region is None or not points.complete or launch.block_dimensions > 2:
        return Interchanged(body)
    if any(map(meets, body)) or any(shared(s) for s in statements(body)):
        return Interchanged(body)
    made = _Interchange(body, points, region, launch)
    new = made.made()
    summed = made.summed | made.block.summed
    if not summed and not made.gathered:
        return Interchanged(body)
    new = accounted("interchange_sums", body, new, again=True)
    width = points.known[0].width if made.gathered else None
    return Interchanged(
        without_unused(new),
        frozenset(summed),
        frozenset(made.gathered),
        width if isinstance(width, Const) else None,
    )


def _region(body: Body, points: Points) -> _Region | None:
    """What guards select, or the whole body; None if threads return elsewhere, or the guard reads memory.

    Of several guards, only names of positions are between one and the next: they can be before all.
    """
    before: Body = ()
    conds: list[Expr] = []
    rest = body
    while found := _guarded(rest):
        between, cond, inner = found
        named = all(isinstance(s, Declare) and s.sym in points.axis_of for s in between)
        if conds and not (named and _settled(cond, points.changed)):
            break
        before, rest = (*before, *between), inner
        conds.append(cond)
    if any(isinstance(s, Return) for s in statements((*before, *rest))):
        return None
    if not all(_settled(cond, points.changed) for cond in conds):
        return None
    return _Region(before, all_of(conds) if conds else None, rest)


def _guarded(body: Body) -> tuple[Body, Expr, Body] | None:
    """What a body has before its first guard, the condition, and what the guard selects."""
    for k, stmt in enumerate(body):
        if isinstance(stmt, If) and _leaves(stmt):
            return body[:k], stays(stmt.cond), body[k + 1 :]
    if body and isinstance(body[-1], If) and not body[-1].other:
        return body[:-1], body[-1].cond, body[-1].then
    return None


def _settled(cond: Expr, changed: Container[Sym]) -> bool:
    """Whether a condition has one value wherever a thread evaluates it: of names that don't change."""
    return not any(isinstance(e, Place) and (e.index or e.sym in changed) for e in walk(cond))


def _leaves(stmt: If) -> bool:
    return len(stmt.then) == 1 and isinstance(stmt.then[0], Return) and not stmt.other


@dataclass
class _Interchange:
    whole: Body
    points: Points
    region: _Region
    launch: Launch
    summed: set[Sym] = field(default_factory=set)  # in the grid, but with atomic additions
    gathered: set[Sym] = field(default_factory=set)

    def __post_init__(self) -> None:
        region = self.region
        top = (*region.before, *region.body)
        self.known = Known(self.whole, self.points, top, top)
        outside = Known(self.whole, self.points, top, region.before if region.guard is not None else top)
        self.only_added = only_added(self.whole)
        most = Const(self.launch.most, UINT)
        named = (p.width for p in self.points.known if isinstance(p.width, Const))
        most = next((width for width in named if width.value == most.value), most)
        self.block = BlockSums(outside, region.guard, self.launch.block_dimensions, most)

    def made(self) -> Body:
        block, inside = self.block, []
        for stmt in self.region.body:
            inside += self.statement(stmt)
            block.outdated(stmt)
        if block.body:
            inside = block.single_additions(inside, lambda add: self.axis(add, None))
        plain = tuple(self.plain(s) for s in inside)
        if block.body or self.region.guard is None:
            body = plain if self.region.guard is None else (If(self.region.guard, plain),)
            barrier = (Barrier(),) if block.tiles else ()
            before = (*self.region.before, *block.first_stores())
            return (*block.declared(), *before, *body, *barrier, *block.body)
        if not self.summed | self.gathered:
            return self.whole
        guard = self.whole[len(self.region.before)]
        assert isinstance(guard, If)
        new = (guard, *plain) if _leaves(guard) else (replace(guard, then=plain),)
        return (*self.region.before, *new)

    def plain(self, stmt: Stmt) -> Stmt:
        """A statement without atomic additions to elements that have an owner."""

        def change(s: Stmt) -> Body | None:
            if isinstance(s, Accumulate) and s.how == "atomic" and s.target.sym in self.gathered:
                return (replace(s, how="owner"),)
            return None

        return substituted((stmt,), change)[0] if self.gathered else stmt

    # ---- one loop -------------------------------------------------------------------------------

    def statement(self, stmt: Stmt) -> list[Stmt]:
        """A statement of the guarded part; a loop without the additions that are interchanged."""
        found = counted_range(stmt) if isinstance(stmt, For) else None
        if found is None or not isinstance(stmt, For) or not self.known.same_for_all(found[1]):
            return [stmt]
        counter, count = found
        out: list[Stmt] = []
        for axis, adds in self.by_axis(stmt, counter).items():
            try:
                if self.symmetric(count):
                    out += self.in_grid(stmt, counter, count, axis, adds)
                elif self.worth(stmt, counter, count, adds):
                    out += self.block.of_loop(stmt, counter, count, axis, adds)
                else:
                    continue
            except NotKnown:
                continue
            stmt = replace(stmt, body=replaced(stmt.body, {}, set(adds)))
        return [stmt, *out]

    def by_axis(self, loop: For, counter: Sym) -> dict[str, list[Accumulate]]:
        """The additions of a loop to elements that threads along one axis have in common, by that axis."""
        found: dict[str, list[Accumulate]] = {}
        inside = declared_in(loop.body)
        for stmt in without_loops(loop.body):
            if isinstance(stmt, Accumulate) and not any(e.symbols & inside for e in stmt.target.index):
                axis = self.axis(stmt, counter)
                if axis:
                    found.setdefault(axis, []).append(stmt)
        return found

    def axis(self, add: Accumulate, counter: Sym | None) -> str:
        """The axis whose threads add to the same element; "" if there is none."""
        if add.how != "atomic" or add.target.sym not in self.only_added or len(add.target.index) != 1:
            return ""
        index = self.points.poly(add.target.index[0])
        if index is None:
            return ""
        mine = {self.points.atom(p.names[0]): p.axis for p in self.points.known}
        left = set(mine.values()) - {mine[a] for a in index.atoms if a in mine}
        others = {self.points.syms[a] for a in index.atoms if a not in mine}
        known = all(sym is counter or self.known.given(sym) for sym in others)
        moves = counter is None or counter in others
        return left.pop() if known and moves and len(left) == 1 else ""

    def worth(self, loop: For, counter: Sym, count: Expr, adds: Sequence[Accumulate]) -> bool:
        """Whether a block's threads have enough iterations to share out, and little to do twice.

        Of a number of iterations that isn't a literal, that is likely if each thread has an element of its
        own in each iteration, as in a row of a matrix; a window of a stencil is short.
        """
        again = repeated(loop.body, adds)
        if isinstance(count, Const):
            if count.value < FEW:
                return False
            return pays(count, needed(loop.body, adds), again > 0, OF_WARP * len(adds))
        if again > REPEATED:
            return False
        atom = self.points.atom(counter)
        positions = [self.points.atom(p.names[0]) for p in self.points.known]
        for part in all_parts(loop):
            index = self.points.poly(part.index[0]) if isinstance(part, Place) and part.index else None
            if index is not None and atom in index.atoms:
                factors = [index.coefficient(a) for a in (atom, *positions) if a in index.atoms]
                if len(factors) > 1 and any(f.constant is None for f in factors):
                    return True
        return False

    # ---- in the grid ------------------------------------------------------------------------------

    def symmetric(self, count: Expr) -> bool:
        """Whether the guard admits as many positions of a 1-D grid as the loop has iterations."""
        if self.launch.dimensions != 1 or not self.launch.assumed:
            return False
        (point,) = self.points.known
        match self.region.guard:
            case Binary("<", Place(sym, ()), bound) if sym in point.names:
                wanted = self.points.poly(count)
                whole = point.width == Special("blockDim", point.axis) or self.covers(count)
                return whole and wanted is not None and self.points.poly(bound) == wanted
            case _:
                return False

    def covers(self, count: Expr) -> bool:
        """Whether the launch is declared to have a thread for each iteration; its check tests the width."""
        extents = self.launch.extents
        return len(extents) == 1 and self.points.poly(extents[0]) == self.points.poly(count)

    def in_grid(
        self, loop: For, counter: Sym, count: Expr, axis: str, adds: Sequence[Accumulate]
    ) -> list[Stmt]:
        """The loops that gather what all threads add to an element. Raises NotKnown."""
        point = self.known.point(axis)
        covered = self.covers(count)
        # where each thread has one element, the others' loop is the author's, and fuses with it
        there = Place(Sym(counter.name if covered else "q", point.kind), (), point.kind)
        present = there if covered else Place(Sym("present", point.kind), (), point.kind)
        mine = point.place if covered else Place(replace(counter), (), counter.type)
        of_block = (Special("threadIdx", axis), Special("blockIdx", axis))
        exchanged: dict[Special | Sym, Expr | None] = dict.fromkeys(of_block)
        exchanged |= {counter: mine, **dict.fromkeys(point.names, there)}
        other = Replayed(exchanged, known=self.known, suffix=there.sym.name)
        totals = totals_of(adds)
        inner = other.replay(loop.body, {a: totals[a.target] for a in adds})
        bound = converted(count, point.kind)
        names = listed(sorted({a.target.sym.of.variable for a in adds if a.target.sym.of}))
        who = "what thread {} contributes" if covered else "contributions of all threads"
        say = Comment(f"{who.format(counter.name)} to this thread's elements of {names}")
        again = For(
            (Declare(there.sym, Const(0, point.kind)),),
            Binary("<", there, bound if covered else present, BOOL),
            (upwards(there.sym),),
            (*((say,) if covered else ()), *other.before, *inner),
        )
        elements = {target: self.known.element(target, counter, mine) for target in totals}
        some = all(a in loop.body for a in adds)
        alone = {sym for sym in {t.sym for t in totals} if self.owned(sym, adds, counter, point)}
        self.gathered |= alone
        self.summed |= {t.sym for t in totals} - alone
        block = (
            *(Declare(t.sym, real(0.0, t.type)) for t in totals.values()),
            again,
            *added(adds, totals, elements, lambda t: "owner" if t.sym in alone else "atomic", some),
        )
        if covered:
            return [*block]
        assert isinstance(counter.type, Scalar)
        threads = Binary("*", Special("gridDim", axis), Special("blockDim", axis), UINT)
        least = Call("min", (bound, converted(threads, point.kind)), point.kind, "min")
        step = converted(threads, counter.type)
        head = Declare(mine.sym, converted(point.place, counter.type))
        cond = both("<", mine, count)
        return [Declare(present.sym, least), say, For((head,), cond, (Assign(mine, step, "+="),), block)]

    def owned(self, sym: Sym, adds: Sequence[Accumulate], counter: Sym, point: Point) -> bool:
        """Whether the thread j % U alone adds to the elements of an array that these have in iteration j."""
        own = variable(self.points.atom(point.names[0]))
        atom = self.points.atom(counter)
        forms: set[Poly] = set()
        for stmt in statements(self.whole):
            if not isinstance(stmt, Accumulate) or stmt.target.sym is not sym:
                continue
            form = self.points.poly(stmt.target.index[0]) if len(stmt.target.index) == 1 else None
            if form is None or (atom in form.atoms and stmt not in adds):
                return False
            forms.add(form.with_values({atom: own}))
        (mine,) = own.atoms
        scales = {form.coefficient(mine).constant for form in forms}
        scale = scales.pop()
        if scales or not scale or scale < 0:
            return False
        rests = [form - own.scaled(scale) for form in forms]
        apart = [(one - two).constant for one in rests for two in rests]
        moved = any(mine in rest.atoms for rest in rests)
        return not moved and all(d is not None and abs(d) < scale for d in apart)
