"""Gather the contributions of a row of threads to a shared tile in the elements' owners.

    for (int j = 0; j < TILE; ++j)                    adj_sum_tile[ty][tx] = adj_sum;
        atomicAdd(&adj_a[ty][j],                      __syncthreads();
                  b[j][tx] * adj_sum);          ->    float adj_a_sum = 0.0f;
                                                      for (int j = 0; j < TILE; ++j)
                                                          adj_a_sum += b[tx][j] * adj_sum_tile[ty][j];

The counter and the thread's coordinate are exchanged: thread (ty, tx) takes the iteration
j = tx of every thread (ty, j). The operands of the amount are recomputed with the two
exchanged; values known only to one thread go through shared memory.

L18. Let a row of a block be the B threads that differ only in threadIdx.x. The
terms (t, j), 0 <= t < B and 0 <= j < N, each added to an element given by j and the other
coordinates, are the terms (j, t) of the thread t = j for each of its elements, if N == B.
That holds if N is blockDim.x; or if N is a literal, each thread that adds has
threadIdx.x < N, and all stores to the tile go to a[..][threadIdx.x]: a thread reads
a[..][N - 1], so it was stored, and only a thread with threadIdx.x == N - 1 can do that.
Where only threads for which a guard holds run the loop, it holds for the first thread of the block
if for any: if no thread that exists runs the loop, the guard holds for none in the sum.

The barriers before and after the sum have no counterpart in the primal; redundant ones
are removed (see `eliminate_barriers`). If a condition fails, the additions stay atomic.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from ....analysis.constants import is_named
from ....analysis.ssa import Loop
from ....fixpoint import rounds
from ....ir import (
    BOOL,
    INT,
    Accumulate,
    Array,
    Assign,
    Barrier,
    Binary,
    Body,
    Comment,
    Const,
    Declare,
    Expr,
    For,
    If,
    Place,
    Pointer,
    Quote,
    Return,
    Scalar,
    Special,
    Stmt,
    Sym,
    rebuilt,
    statements,
    walk,
)
from ...common.adjoint_names import total_of
from ...common.algebra import converted, real
from ...common.mod_ref import written
from ...common.thread_ownership import Own
from ...common.thread_rows import Rows, counted_range, declared_in, flat, positional, without_loops
from ..contribution_audit import accounted, sum_of_sites
from ..scalar.dead_code import without_unused
from ..scalar.simplify import simplify
from ..uniformity import Alike
from .block_sums import BYTES, shared_bytes
from .contributions import NotKnown, Other
from .scalar_replacement import gathered_in, owned, plain, without_arrays
from .tile_nests import replaced

VALUES = 8  # the maximum number of per-thread values that go through shared memory


RowsOf = Callable[[Sym], Rows | None]


def gather_in_rows(body: Body, dimensions: int, rows: RowsOf) -> tuple[Body, frozenset[Sym]]:
    """The body with such sums, and the adjoints of the arrays that they are of."""
    if any(isinstance(s, Return) for s in statements(body)):
        return body, frozenset()
    atomic = _added(body)
    found = frozenset(sym for sym in atomic if sym.of is not None and rows(sym.of) is not None)
    for _ in rounds(len(found), "which sums are turned"):  # each round drops some
        if not found:
            break
        made = _Turning(body, dimensions, rows, found)
        new = made.declared(made.body(body))
        left = {sym for sym in _added(new) & found if not owned(new, sym, made.own)}
        if not left:
            new = accounted("turned", body, plain(new, found), again=True)
            shorter = accounted("without_arrays", new, without_arrays(new, found), gathered_in(new, found))
            return tuple(simplify(list(without_unused(shorter)))), found
        found -= left
    return body, frozenset()


def _added(body: Body) -> set[Sym]:
    """The arrays in shared memory that are added to atomically."""
    return {
        s.target.sym
        for s in statements(body)
        if isinstance(s, Accumulate) and s.how == "atomic" and s.target.sym.storage == "shared"
    }


@dataclass(frozen=True)
class _Turn:
    """One addition turned into a gather: the addition, its axis, and the owner's element."""

    add: Accumulate
    axis: str
    target: Place


@dataclass
class _Turning:
    whole: Body
    dimensions: int
    rows: RowsOf
    wanted: frozenset[Sym]
    around: list[Stmt] = field(default_factory=list)
    before: dict[Stmt, list[Stmt]] = field(default_factory=dict)  # stores to tiles before a statement
    tiles: dict[tuple[Stmt, Sym], Sym] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.alike = Alike(self.whole)
        self.own = Own(self.whole, self.dimensions)
        self.axes = "xyz"[: self.dimensions]
        declared = [s.sym for s in self.whole if isinstance(s, Declare)]
        self.shared = [sym for sym in declared if sym.storage == "shared"]

    def declared(self, body: Body) -> Body:
        """The kernel's body with the new tiles declared after its other shared arrays."""
        at = sum(1 for s in body if isinstance(s, Declare) and s.sym.storage == "shared")
        first = next(
            (k for k, s in enumerate(body) if isinstance(s, Declare) and s.sym.storage == "shared"), 0
        )
        at += first
        return (*body[:at], *map(Declare, self.tiles.values()), *body[at:])

    def body(self, body: Body) -> Body:
        """A body that all threads of the block reach together."""
        out: list[Stmt] = []
        for stmt in body:
            new: list[Stmt] = [stmt]
            guarded = _guarded(stmt)
            if guarded is not None and (made := self.loop(stmt, *guarded)) is not None:
                new = made
            elif isinstance(stmt, Loop | If) and self.alike.together(stmt):
                self.around.append(stmt)
                new = [rebuilt(stmt, self.body)]
                self.around.pop()
            down = self.before.pop(stmt, [])
            if down:
                at = len(out)
                while at and isinstance(out[at - 1], Quote | Comment):
                    at -= 1
                out[at:at] = [*down, Barrier()]
            out += new
        return tuple(out)

    # ---- one loop -----------------------------------------------------------

    def loop(self, top: Stmt, loop: For, guards: tuple[Expr, ...]) -> list[Stmt] | None:
        """A loop without such additions, and the one that gathers them; None if it has none.

        A thread runs the loop where its guards hold; `top` is the outermost branch that they are of.
        """
        found = counted_range(loop)
        if found is None or not self.alike.together(loop) or not all(map(flat, loop.body)):
            return None
        counter, count = found
        made = (self.turn(stmt, loop, counter, count) for stmt in without_loops(loop.body))
        turns = [one for one in made if one is not None]
        if not turns:
            return None
        kept = dict(self.before), dict(self.tiles)
        try:
            sums, adding = self.collected(top, loop, guards, counter, count, turns)
        except NotKnown:
            self.before, self.tiles = kept
            return None
        rest = replaced(loop.body, {}, {t.add for t in turns})
        inside = declared_in(rest)
        lasts = any(written(s) - inside for s in rest)  # also under a condition, and where it isn't a sum
        left: list[Stmt] = [replace(loop, body=rest)] if lasts else []
        for guard in reversed(guards):
            left = [If(guard, tuple(left))] if left else []
        return [*left, Barrier(), *sums, *adding, Barrier()]

    def turn(self, stmt: Stmt, loop: For, counter: Sym, count: Expr) -> _Turn | None:
        """The gather for an addition, or None if there is none."""
        if not isinstance(stmt, Accumulate) or stmt.how != "atomic" or stmt.target.sym not in self.wanted:
            return None
        target, inside = stmt.target, declared_in(loop.body) | {counter}
        assert target.sym.of is not None
        rows = self.rows(target.sym.of)
        if rows is None or not rows.read_by_all(stmt.sites) or len(rows.axes) != len(target.index):
            return None
        at = [k for k, e in enumerate(target.index) if is_named(e, counter)]
        if len(at) != 1 or any(e.symbols & inside for k, e in enumerate(target.index) if k != at[0]):
            return None
        axis = rows.axes[at[0]]
        if not axis or not self.as_wide(count, axis, rows) or any(a not in rows.widths for a in self.axes):
            return None
        index = tuple(self.coordinate(axis) if k == at[0] else e for k, e in enumerate(target.index))
        others = [self.own.axis(self.own.resolved(e)) for k, e in enumerate(target.index) if k != at[0]]
        element = replace(target, index=index, spelling=None)
        if axis in others or self.own.owner(element) is None:
            return None
        return _Turn(stmt, axis, element)

    def as_wide(self, count: Expr, axis: str, rows: Rows) -> bool:
        """Whether a loop's trip count is the number of threads of a row (L18)."""
        match self.own.resolved(count):
            case Special("blockDim", a):
                return a == axis
            case Const(value):
                return axis in rows.widths and rows.widths[axis].value == value
            case _:
                return False

    def coordinate(self, axis: str) -> Expr:
        """The thread's coordinate, by the author's name if there is one."""
        for sym, value in self.own.values.items():
            if self.own.named(value) == axis:
                return Place(sym, (), sym.type)
        return Special("threadIdx", axis)

    # ---- the sums -----------------------------------------------------------

    def collected(
        self,
        top: Stmt,
        loop: For,
        guards: tuple[Expr, ...],
        counter: Sym,
        count: Expr,
        turns: list[_Turn],
    ) -> tuple[list[Stmt], list[Stmt]]:
        """The loop that gathers the additions, and the additions to their elements. Raises NotKnown."""
        before: list[Stmt] = []
        inner: list[Stmt] = []
        after: list[Stmt] = []
        other = Sym(counter.name, INT)
        for axis in dict.fromkeys(t.axis for t in turns):
            mine = [t for t in turns if t.axis == axis]
            array = mine[0].add.target.sym.of
            rows = None if array is None else self.rows(array)
            assert rows is not None
            exchange = _Exchange(
                {counter: self.coordinate(axis), Special("threadIdx", axis): Place(other, (), INT)},
                made=self,
                top=top,
                loop=loop,
                counter=counter,
                axis=axis,
                rows=rows,
            )
            totals: dict[Accumulate, Place] = {}
            for one in mine:
                target = one.target
                assert isinstance(target.type, Scalar)
                total = Place(total_of(target), (), target.type)
                totals[one.add] = total
                before.append(Declare(total.sym, real(0.0, target.type)))
                sites = sum_of_sites(target)
                after.append(Accumulate(target, total, "owner", why=one.add.why, sites=sites))
            again = exchange.replay(loop.body, totals)
            for guard in reversed(guards):
                again = (If(exchange.expression(guard), again),)
            inner += again
        test = Binary("<", Place(other, (), INT), converted(count, INT), BOOL)
        step = Assign(Place(other, (), INT), Const(1, INT), "+=", spelling=f"++{other.name}")
        head = Declare(other, Const(0, INT))
        axes = " and ".join(sorted({t.axis for t in turns}))
        say = Comment(f"contributions of the threads along {axes} to this thread's elements")
        whole = For((head,), test, (step,), tuple(inner), pragmas=loop.pragmas)
        return [*before, say, whole], after

    def put_down(self, sym: Sym, home: Stmt, rows: Rows) -> Sym:
        """The shared tile that holds every thread's value of a variable during a loop."""
        assert isinstance(sym.type, Scalar)
        for outer in reversed(self.around):
            if isinstance(outer, If) or sym in written(outer) | declared_in((outer,)):
                break
            home = outer
        if (home, sym) not in self.tiles:
            widths = [rows.widths[a] for a in reversed(self.axes)]
            shape = Array(
                sym.type,
                tuple(int(w.value) for w in widths),
                tuple(w.spelling or str(w.value) for w in widths),
            )
            tile = Sym(f"{sym.plain}_tile", shape, "shared", of=sym.of)
            if (
                len(self.tiles) == VALUES
                or sum(map(shared_bytes, [*self.shared, *self.tiles.values(), tile])) > BYTES
            ):
                raise NotKnown
            self.tiles[home, sym] = tile
            index = tuple(self.coordinate(a) for a in reversed(self.axes))
            value = Place(sym, (), sym.type)
            self.before.setdefault(home, []).append(Assign(Place(tile, index, sym.type), value))
        return self.tiles[home, sym]


def _guarded(stmt: Stmt) -> tuple[For, tuple[Expr, ...]] | None:
    """A loop, and the conditions under which a thread runs it."""
    match stmt:
        case For():
            return stmt, ()
        case If(cond, (*said, inner), ()) if all(isinstance(s, Quote | Comment) for s in said):
            found = _guarded(inner)
            return None if found is None else (found[0], (cond, *found[1]))
        case _:
            return None


@dataclass(kw_only=True)
class _Exchange(Other):
    """Another thread of the row in this one's iteration: coordinate and counter are exchanged."""

    made: _Turning
    top: Stmt
    loop: For
    counter: Sym
    axis: str
    rows: Rows

    def __post_init__(self) -> None:
        self.changed = {s for stmt in self.loop.body for s in written(stmt)}

    def renamed(self, sym: Sym) -> Sym:
        """This thread's own variable of that name is in another loop."""
        return replace(sym)

    def lasts(self, sym: Sym) -> bool:
        if sym.storage == "shared":
            return sym not in self.changed
        given = isinstance(sym.type, Pointer) and sym.storage == "parameter"
        return (given or sym.storage == "global") and sym not in self.changed | self.made.alike.stored

    def change(self, e: Expr) -> Expr | None:
        match e:
            case Place(sym, (_, *_)) if sym not in self.names and self.lasts(sym):
                here = self.made.coordinate(self.axis)
                at = (here if is_named(i, self.counter) else self.expression(i) for i in e.index)
                return replace(e, index=tuple(at), spelling=None)
            case _:
                return super().change(e)

    def outer(self, e: Place) -> Expr | None:
        if e.sym in self.changed or not isinstance(e.sym.type, Scalar):
            raise NotKnown
        own, other = self.made.own, self.coordinate(Special("threadIdx", self.axis))
        if own.named(e) == self.axis:
            return converted(other, e.type)
        meaning = own.resolved(e)
        if meaning != e and all(positional(part, own) for part in walk(meaning)):
            if not any(own.named(part) == self.axis for part in walk(meaning)):
                return e
            return converted(self.expression(meaning), e.type)
        if self.made.alike.same(e):
            return e
        tile = self.made.put_down(e.sym, self.top, self.rows)
        index = (other if a == self.axis else self.made.coordinate(a) for a in reversed(self.made.axes))
        return Place(tile, tuple(index), e.type)
