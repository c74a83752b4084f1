"""Sum the contributions of a block's row or column to one element before adding them.

    for (int i = 0; i < n; ++i)           t_tile[threadIdx.y * blockDim.x + threadIdx.x] = t;
        atomicAdd(&adj_W[i * m + o],      __syncthreads();
                  x[r * n + i] * t);  ->  for (int i = threadIdx.y; i < n; i += blockDim.y) {
                                              float sum = 0.0f;
                                              for (int q = 0; q < blockDim.y; ++q)
                                                  sum += x[(… + q) * n + i] * t_tile[q * blockDim.x + …];
                                              atomicAdd(&adj_W[i * m + o], sum);
                                          }

L21. Let a block's threads (s, t), 0 <= t < T, each add a(s, t, i) to the element at f(s, i), for
each 0 <= i < N, where a guard g(s, t) holds. For each s and i one thread sums a(s, t, i) over
all t with g(s, t) and adds the sum to f(s, i): the thread (s, i % T), which the block has. The
total is the same, with one addition instead of up to T.

Values known only to one thread go through shared memory; those that any thread can compute are
recomputed (see `replay`). All threads of the block must take part: an early return becomes a guard.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ....ir import (
    BOOL,
    INT,
    UINT,
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
    Quote,
    Return,
    Scalar,
    Special,
    Stmt,
    Sym,
    expressions,
    scalar_type,
    statements,
    walk,
)
from ...common.adjoint_names import total_of
from ...common.algebra import converted, real, rewrite
from ...common.jumps import stays
from ...common.mod_ref import meets, written
from ...common.replay import NoRoute, Routes
from ...common.thread_coordinates import Points
from ...common.thread_rows import counted_range
from ..contribution_audit import accounted, sum_of_sites
from ..scalar.simplify import signed
from .tile_nests import shared

THREADS = 1024  # the maximum block size
VALUES = 4  # the maximum number of per-thread values that go through shared memory


def summed_in_columns(body: Body) -> tuple[Body, frozenset[Sym]]:
    """The body of a kernel with 2-D blocks with such sums, and the adjoints that they are of."""
    points = Points(body, "xy")
    cut = next((k for k, s in enumerate(body) if isinstance(s, If) and s.then and _leaves(s)), None)
    if cut is None or not points.complete or any(map(meets, body)):
        return body, frozenset()
    first = body[cut]
    assert isinstance(first, If)
    rest = body[cut + 1 :]
    if any(isinstance(s, Return) or shared(s) for s in statements(body[:cut] + rest)):
        return body, frozenset()
    guard = stays(first.cond)
    changed = {sym for s in rest for sym in written(s)}
    if any(isinstance(e, Place) and (e.index or e.sym in changed) for e in walk(guard)):
        return body, frozenset()
    try:
        new, done = _Columns(body, points, guard).made(body[:cut], rest)
    except NoRoute:
        return body, frozenset()
    return accounted("summed_in_columns", body, new), done


def _leaves(stmt: If) -> bool:
    return len(stmt.then) == 1 and isinstance(stmt.then[0], Return) and not stmt.other


@dataclass
class _Columns:
    whole: Body
    points: Points
    guard: Expr
    tiles: dict[Sym, Sym] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.routes = Routes(self.whole, self.points)

    def made(self, before: Body, rest: Body) -> tuple[Body, frozenset[Sym]]:
        """Raises NoRoute if there is no such sum."""
        at = next((k for k, s in enumerate(rest) if isinstance(s, For) and self.fits(s)), None)
        if at is None:
            raise NoRoute
        loop = rest[at]
        assert isinstance(loop, For)
        done: set[Sym] = set()
        said: list[Stmt] = [s for s in loop.body if isinstance(s, Quote)]
        sums: list[Stmt] = []
        for add in loop.body:
            if isinstance(add, Accumulate):
                sums += self.column(add, loop, said.pop(0) if said else None)
                done.add(add.target.sym)
        behind: list[Stmt] = []
        amounts: list[Stmt] = []
        for stmt in rest[at + 1 :]:
            if isinstance(stmt, Accumulate) and stmt.how == "atomic":
                quote = behind.pop() if behind and isinstance(behind[-1], Quote) else None
                if not (isinstance(stmt.amount, Place) and not stmt.amount.index and not stmt.negative):
                    owed = Sym(f"{stmt.target.sym.plain}_owed", stmt.target.type, of=stmt.target.sym.of)
                    amounts.append(Declare(owed, converted(signed(stmt), owed.type)))
                    stmt = replace(stmt, amount=Place(owed, (), owed.type), negative=False)
                sums += self.column(stmt, None, quote)
                done.add(stmt.target.sym)
            else:
                behind.append(stmt)
        if any(not isinstance(s, Quote | Comment) for s in behind):
            raise NoRoute
        others = {s.target.sym for s in statements(rest[:at]) if isinstance(s, Accumulate)}
        kept = (e for stmt in statements((*rest[:at], *amounts)) for e in expressions(stmt))
        if others & done or any(sym in done for e in kept for sym in e.symbols):
            raise NoRoute
        position = _cell(Special("threadIdx", "x"), Special("threadIdx", "y"))
        stores = [
            Assign(Place(tile, (position,), sym.type), Place(sym, (), sym.type))
            for sym, tile in self.tiles.items()
        ]
        shared = [Declare(tile) for tile in self.tiles.values()]
        inside = If(self.guard, (*rest[:at], *amounts, *stores))
        return (*shared, *before, inside, Barrier(), *sums), frozenset(done)

    def fits(self, loop: For) -> bool:
        """Whether a loop only adds to such elements."""
        adds = [s for s in loop.body if isinstance(s, Accumulate)]
        plain = all(isinstance(s, Quote | Comment | Declare) for s in loop.body if s not in adds)
        found = counted_range(loop)
        if found is None or not plain or not adds:
            return False
        count = all(self.routes.given(e.sym) for e in walk(found[1]) if isinstance(e, Place))
        return count and all(self.axis(s, found[0]) for s in adds)

    def axis(self, add: Accumulate, counter: Sym | None) -> str:
        """The axis whose threads add to the same element; "" if there is none."""
        index = self.points.poly(add.target.index[0]) if len(add.target.index) == 1 else None
        if index is None or add.how != "atomic":
            return ""
        mine = {self.points.atom(p.names[0]): p.axis for p in self.points.known}
        left = set(mine.values()) - {mine[a] for a in index.atoms if a in mine}
        others = {self.points.syms[a] for a in index.atoms if a not in mine}
        known = all(sym is counter or self.routes.given(sym) for sym in others)
        return left.pop() if known and len(left) == 1 else ""

    def column(self, add: Accumulate, loop: For | None, quote: Stmt | None) -> list[Stmt]:
        """The sum of the contributions along an axis, and its addition. Raises NoRoute."""
        found = None if loop is None else counted_range(loop)
        counter = None if found is None else found[0]
        axis = self.axis(add, counter)
        if not axis:
            raise NoRoute
        changed = set() if loop is None else {sym for s in loop.body for sym in written(s)}
        used = {s for stmt in (loop.body if loop else (add,)) for e in expressions(stmt) for s in e.symbols}
        alone = {s for s in used if s.storage == "local" and isinstance(s.type, Scalar)} - changed
        self.routes.free = frozenset(alone | ({counter} if counter else set()))
        body: Body = (add,) if loop is None else loop.body
        route = self.routes.route(add, ((body, body.index(add)),))
        if not all(self.known(sym) for sym in self.guard.symbols):
            raise NoRoute
        point = next(p for p in self.points.known if p.axis == axis)
        k, there = Sym("q", INT), Sym(f"{point.names[0].plain}_there", point.kind)
        mine = None if counter is None else replace(counter)
        names = {item.sym: replace(item.sym) for item in route.items if isinstance(item, Declare)}

        def change(e: Expr) -> Expr | None:
            match e:
                case Place(sym, ()) if sym in point.names:
                    return Place(there, (), there.type)
                case Place(sym, ()) if mine is not None and sym is counter:
                    return Place(mine, (), mine.type)
                case Place(sym, ()) if sym in names:
                    return replace(e, sym=names[sym])
                case Place(sym, ()) if sym in alone and not self.known(sym):
                    step = Place(k, (), INT)
                    other, own = converted(step, UINT), Special("threadIdx", "xy"["yx".index(axis)])
                    cell = _cell(own, other) if axis == "y" else _cell(other, own)
                    return Place(self.tile(sym), (cell,), sym.type)
                case _:
                    return None

        assert isinstance(add.target.type, Scalar)
        total = total_of(add.target)
        place = Place(total, (), add.target.type)
        inner: list[Stmt] = []
        for item in route.items:
            if not isinstance(item, Declare) or not isinstance(item.init, Expr):
                raise NoRoute
            inner.append(Declare(names[item.sym], rewrite(item.init, change)))
        amount = rewrite(add.amount, change)
        inner.append(replace(add, target=place, amount=amount, how="local", why=""))
        start = Binary("*", Special("blockIdx", axis), converted(point.width, UINT), UINT)
        value = Binary("+", start, converted(Place(k, (), INT), UINT), UINT)
        again = For(
            (Declare(k, Const(0, INT)),),
            Binary("<", converted(Place(k, (), INT), UINT), Special("blockDim", axis), BOOL),
            (Assign(Place(k, (), INT), Const(1, INT), "+=", spelling="++q"),),
            (Declare(there, converted(value, point.kind)), If(rewrite(self.guard, change), tuple(inner))),
        )
        return self._shared_out(add, loop, quote, axis, mine, Declare(total, real(0.0, place.type)), again)

    def _shared_out(
        self,
        add: Accumulate,
        loop: For | None,
        quote: Stmt | None,
        axis: str,
        mine: Sym | None,
        total: Declare,
        sum_: For,
    ) -> list[Stmt]:
        """The sum's addition by one thread of the axis, or by all of them if it has a loop to share out."""
        found = None if loop is None else counted_range(loop)

        def own(e: Expr) -> Expr | None:
            counts = found is not None and isinstance(e, Place) and e.sym is found[0]
            return Place(mine, (), mine.type) if mine and counts else None

        target = rewrite(add.target, own)
        assert isinstance(target, Place)
        place = Place(total.sym, (), add.target.type)
        some = Binary("!=", place, real(0.0, add.target.type), BOOL)
        once = Accumulate(target, place, "atomic", why=add.why, sites=sum_of_sites(target))
        block: Body = (*([quote] if quote is not None else []), total, sum_, If(some, (once,)))
        thread = Special("threadIdx", axis)
        say = Comment(f"sum over the threads along {axis}, added once")
        if mine is None or found is None:
            return [say, If(Binary("==", thread, Const(0, UINT, spelling="0"), BOOL), block)]
        here = Place(mine, (), mine.type)
        init = (Declare(mine, converted(thread, mine.type)),)
        test = Binary("<", here, converted(found[1], mine.type), BOOL)
        step = (Assign(here, converted(Special("blockDim", axis), mine.type), "+="),)
        return [say, For(init, test, step, block)]

    def known(self, sym: Sym) -> bool:
        """Whether any thread can compute it: positions, launch parameters, uniform top-level names."""
        return sym in self.points.axis_of or self.routes.given(sym) or self.routes.fixed(sym)

    def tile(self, sym: Sym) -> Sym:
        """The shared tile that holds every thread's value of a variable."""
        if sym not in self.tiles:
            if len(self.tiles) == VALUES:
                raise NoRoute
            shape = Array(scalar_type(sym), (THREADS,), (str(THREADS),))
            self.tiles[sym] = Sym(f"{sym.plain}_tile", shape, "shared", of=sym.of)
        return self.tiles[sym]


def _cell(x: Expr, y: Expr) -> Expr:
    return Binary("+", Binary("*", y, Special("blockDim", "x"), UINT), x, UINT)
