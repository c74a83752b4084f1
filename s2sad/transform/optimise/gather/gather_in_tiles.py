"""Gather in a shared tile what neighbouring threads would scatter to it.

    if (i < n) {                                   if (i < n)
        g = 0.25f * adj_s;                             g_tile[t] = 0.25f * adj_s;
        adj_tile[t - 1] += g;                      __syncthreads();
        adj_tile[t + 1] += g;              ->      if (i < n)
    }                                                  adj_x[i] += g_tile[t + 1] + g_tile[t - 1];
    __syncthreads();
    if (i < n)
        adj_x[i] += adj_tile[t];

Each thread stores what it would add, once, at its own position; an element of the tile is the sum of what
the threads at that element less each shift have stored. So no additions to one element need be kept apart
by barriers, in a loop even one for each iteration.

L47. Let every thread of the block at position T add f_k * v(T) to element T + s_k, for each k, where f_k and
s_k are uniform, and let v(T) be zero where the thread adds nothing, or where there is no thread. Then element
e is the sum over k of f_k * v(e - s_k), if no two threads have the same position. Positions are indices of
the tile that all threads store to in the primal: there is none outside the tile, none below that of the
first thread, and none where another thread stores between the same two barriers. Terms that lie outside are
left out; if that depends on values, they are guarded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce

from ....analysis.constants import literal
from ....ir import (
    BOOL,
    INT,
    Accumulate,
    Array,
    Assign,
    Barrier,
    Binary,
    Body,
    Clear,
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
    Site,
    Stmt,
    Sym,
    Unary,
    holding,
    rebuilt,
    statements,
    substituted,
    unconverted,
    walk,
)
from ...common.adjoint_names import total_of
from ...common.algebra import add, converted, factors_of, multiply, real, rewrite, subtract
from ...common.mod_ref import meets, written
from ...common.symbol_uses import own_uses, used
from ...common.thread_ownership import Own
from ...common.thread_rows import declared_in
from ..contribution_audit import accounted, sum_of_sites
from ..scalar.simplify import merged
from ..uniformity import Alike
from .block_sums import BYTES, shared_bytes
from .private_tiles import without_tile
from .tile_positions import Bounds, Dimension, last_position, narrowed
from .tile_shifts import Coordinate, Counted, Shift, afresh, at_least, counted, split_index

VALUES = 2
"""The most values of a thread that are stored; if each is stored for one addition, phases are as good."""


def gather_in_tiles(body: Body, primal: Body, dimensions: int) -> tuple[Body, frozenset[Sym]]:
    """The body with such tiles, and the adjoints of shared arrays that are gathered."""
    done = set[Sym]()
    if any(isinstance(s, Return) for s in statements(body)):
        return body, frozenset()
    for adjoint in _scattered(body):
        tile = _Tile(body, primal, dimensions, adjoint)
        new = tile.gathered()
        if new is not None:
            body = accounted("gather_in_tiles", body, new, tile.gone, fewer=tile.fewer)
            done.add(adjoint)
    return body, frozenset(done)


def _scattered(body: Body) -> list[Sym]:
    """The adjoints of shared arrays to which a thread adds more than once between two barriers."""
    loops = (s for s in statements(body) if isinstance(s, For))
    looped = {s for loop in loops for s in statements(loop.body)}
    times = Counter[Sym]()
    for stmt in statements(body):
        if isinstance(stmt, Accumulate) and stmt.target.sym.storage == "shared" and stmt.how in _SHARED:
            times[stmt.target.sym] += 2 if stmt in looped else 1
    several = (sym for sym, number in times.items() if number > 1 and sym.of is not None)
    return [sym for sym in several if isinstance(sym.type, Array) and not sym.type.open]


_SHARED = ("phase", "atomic")


class _Refused(Exception):
    """An adjoint that can't be gathered."""


@dataclass(frozen=True)
class _Scatter:
    """An addition of `value` times uniform factors to an element, shifted from the thread's position."""

    add: Accumulate
    negative: bool
    factors: tuple[Expr, ...]
    value: Expr
    shifts: tuple[Shift, ...]
    loops: tuple[For, ...]
    quote: Quote | None
    place: Stmt  # before which the value is stored: the addition, or the outermost loop around it

    @property
    def counters(self) -> list[Counted]:
        """The counters of the loops around it."""
        return [one for one in map(counted, self.loops) if one is not None]


class _Tile:
    """The tile of one adjoint."""

    def __init__(self, whole: Body, primal: Body, dimensions: int, adjoint: Sym) -> None:
        assert isinstance(adjoint.type, Array)
        assert adjoint.of is not None
        self.array = adjoint.of
        self.whole = whole
        self.primal = primal
        self.adjoint = adjoint
        self.extents = adjoint.type.extents
        self.alike = Alike(whole)
        self.own = Own(whole, dimensions)
        self.scatters: list[_Scatter] = []
        self.coordinates: tuple[Coordinate, ...] = ()
        self.dimensions: list[Dimension] = []
        self.stores: dict[Expr, list[tuple[int, int]]] = {}  # by value and dimension, the positions
        self.tiles: dict[Expr, Sym] = {}
        self.gone: list[Site] = []
        self.fewer: set[Sym] = set()  # of the arrays that elements are added to, those that a thread misses

    def gathered(self) -> Body | None:
        """The body with the tile's elements gathered; None if that isn't right."""
        try:
            return self.rewritten()
        except _Refused:
            return None

    def rewritten(self) -> Body:
        zeroed, adding, reading = self.parts()
        self.find(tuple(adding))
        first, until = self.whole.index(adding[0]), self.whole.index(adding[-1]) + 1
        last = self.whole.index(reading[-1])
        self.check_values(first, last)
        self.dimensions = self.positions()
        for scatter in self.scatters:
            self.tiles.setdefault(scatter.value, self.tile(scatter.value))
        size = sum(map(shared_bytes, self.tiles.values()))
        others = (s.sym for s in self.whole if isinstance(s, Declare) and s.sym is not self.adjoint)
        once = all(not s.loops for s in self.scatters) and len(self.tiles) == len(self.scatters)
        if once or len(self.tiles) > VALUES or size + sum(map(shared_bytes, others)) > BYTES:
            raise _Refused
        read = {top: self.read((top,), {}) for top in reading}
        out: list[Stmt] = []
        for stmt in (*self.whole[:first], *self.stored(self.whole[first:until]), *self.whole[until:]):
            if isinstance(stmt, Declare) and stmt.sym is self.adjoint:
                out += map(Declare, self.tiles.values())
            elif stmt is zeroed:
                out.append(self.cleared(stmt))
            else:
                out += read.get(stmt, (stmt,))
        made = tuple(out)
        position = tuple(d.coordinate.place for d in self.dimensions)
        for value, tile in self.tiles.items():
            if isinstance(value, Place) and not value.index:
                made, gone = without_tile(made, value, tile, position)
                self.gone += gone
        return made

    # ---- what there is -------------------------------------------------------------

    def parts(self) -> tuple[Stmt, list[Stmt], list[Stmt]]:
        """What clears the array, what adds to it, and what reads it: statements of the kernel's body."""
        touching = [s for s in self.whole if self.adjoint in used(s) | written(s)]
        touching = [s for s in touching if not (isinstance(s, Declare) and s.sym is self.adjoint)]
        adding = [s for s in touching if self.adjoint in written(s) and not self.clears(s)]
        zeroed = [s for s in touching if self.clears(s)]
        reading = [s for s in touching if self.adjoint not in written(s)]
        if len(zeroed) != 1 or not adding or not reading or touching != [*zeroed, *adding, *reading]:
            raise _Refused
        at = [self.whole.index(s) for s in (zeroed[0], adding[0], adding[-1], reading[0])]
        if not self.met(at[0], at[1]) or not self.met(at[2], at[3]) or any(map(meets, adding)):
            raise _Refused
        return zeroed[0], adding, reading

    def clears(self, stmt: Stmt) -> bool:
        """Whether a statement only sets the array to zero."""
        own = [s for s in statements((stmt,)) if isinstance(s, Clear | Assign | Accumulate)]
        return any(isinstance(s, Clear) and s.target.sym is self.adjoint for s in own) and not any(
            isinstance(s, Accumulate) for s in own
        )

    def met(self, first: int, second: int) -> bool:
        """Whether all threads meet between two statements of the kernel's body."""
        return any(isinstance(s, Barrier) and not s.warp for s in self.whole[first + 1 : second])

    def find(self, body: Body, loops: tuple[For, ...] = ()) -> None:
        """Find the additions in a body, in loops of which no branch is inside."""
        quote: Quote | None = None
        for stmt in body:
            if isinstance(stmt, Quote):
                quote = stmt
            if self.adjoint not in used(stmt) | written(stmt):
                continue
            match stmt:
                case Accumulate():
                    self.scatters.append(self.scatter(stmt, loops, quote))
                case For() if self.alike.together(stmt) and counted(stmt):
                    self.find(stmt.body, (*loops, stmt))
                case If() if not loops and self.adjoint not in stmt.cond.symbols:
                    self.find(stmt.then)
                    self.find(stmt.other)
                case _:
                    raise _Refused

    def scatter(self, add_: Accumulate, loops: tuple[For, ...], quote: Quote | None) -> _Scatter:
        index = add_.target.index
        if add_.target.sym is not self.adjoint or add_.target.path or self.adjoint in add_.amount.symbols:
            raise _Refused
        shifts: list[Shift] = []
        for k, expr in enumerate(index):
            coordinate, shift = split_index(expr, self.own, self.alike.same)
            if coordinate is None or shift is None:
                raise _Refused
            if self.scatters and coordinate.place != self.coordinates[k].place:
                raise _Refused
            shifts.append(shift)
            if not self.scatters:
                self.coordinates = (*self.coordinates, coordinate)
        amount, negative = add_.amount, add_.negative
        if isinstance(amount, Unary) and amount.op == "-":
            amount, negative = amount.arg, not negative
        parts = factors_of(amount)
        same = tuple(part for part in parts if self.alike.same(part))
        own = [part for part in parts if not self.alike.same(part)]
        if not own:
            raise _Refused
        value = reduce(multiply, own)
        place: Stmt = loops[0] if loops else add_
        return _Scatter(add_, negative, same, value, tuple(shifts), loops, quote, place)

    def check_values(self, first: int, last: int) -> None:
        """Refuse values that change before their last addition, and factors that others can't compute."""
        changed = frozenset[Sym]().union(*map(written, self.whole[first : last + 1]))
        inside = declared_in(self.whole[first : last + 1])
        for scatter in self.scatters:
            counters = {one.counter for one in scatter.counters}
            uniform = frozenset[Sym]().union(
                *(e.symbols for e in scatter.factors),
                *(term.symbols for shift in scatter.shifts for _, term in shift.terms),
            )
            if (uniform - counters) & (changed | inside) or scatter.value.symbols & counters:
                raise _Refused
            if scatter.value.symbols & declared_in(scatter.loops):
                raise _Refused
        axes = [c.axis for c in self.coordinates]
        if set(axes) != self.own.axes or len(axes) != len(set(axes)):
            raise _Refused

    def positions(self) -> list[Dimension]:
        """The dimensions of the tile, and where threads store each value. Refuses positions outside it."""
        found: list[Dimension] = []
        for k, coordinate in enumerate(self.coordinates):
            extent = self.extents[k]
            last = last_position(self.primal, self.array, self.coordinates, self.extents, k)
            found.append(Dimension(coordinate, extent, last))
            for value in dict.fromkeys(s.value for s in self.scatters):
                ranges = [self.range(s, k) for s in self.scatters if s.value == value]
                least, most = min(low for low, _ in ranges), max(high for _, high in ranges)
                low = max(coordinate.offset, -least)
                high = min(extent - 1 if last is None else last, extent - 1 - most)
                if low < 0 or (last is None and most < 0):
                    raise _Refused
                self.stores.setdefault(value, []).append((low, high))
        return found

    def range(self, scatter: _Scatter, dimension: int) -> tuple[int, int]:
        found = scatter.shifts[dimension].range(scatter.counters)
        if found is None:
            raise _Refused
        return found

    def tile(self, value: Expr) -> Sym:
        """The shared array for a value."""
        name = value.sym.plain if isinstance(value, Place) and not value.index else f"g_{self.array.plain}"
        of = value.sym.of if isinstance(value, Place) else None
        return Sym(name if name.endswith("_tile") else f"{name}_tile", self.adjoint.type, "shared", of=of)

    # ---- what is made --------------------------------------------------------------

    def cleared(self, stmt: Stmt) -> Stmt:
        """What sets the array to zero, for the tiles."""

        def change(inner: Stmt) -> Sequence[Stmt] | None:
            match inner:
                case Clear(target) if target.sym is self.adjoint:
                    first, *others = (replace(target, sym=tile) for tile in self.tiles.values())
                    return [replace(inner, target=first), *map(Clear, others)]
                case _:
                    return None

        return substituted((stmt,), change)[0]

    def stored(self, body: Body) -> list[Stmt]:
        """The body with values stored at the thread's position instead of the additions."""
        out: list[Stmt] = []
        for stmt in body:
            for value in dict.fromkeys(s.value for s in self.scatters):
                mine = [s for s in self.scatters if s.value == value]
                if mine[0].place is not stmt:
                    continue
                if any(s.place not in body for s in mine):
                    raise _Refused
                until = body[body.index(stmt) : body.index(mine[-1].place) + 1]
                if value.symbols & frozenset[Sym]().union(*map(written, until)):
                    raise _Refused
                tile = self.tiles[value]
                index = tuple(d.coordinate.place for d in self.dimensions)
                sites, told = merged(*(s.add.sites for s in mine)), merged(*(s.add.told for s in mine))
                out.append(Assign(Place(tile, index, value.type), value, sites=sites, told=told))
            if isinstance(stmt, Accumulate) and any(s.add is stmt for s in self.scatters):
                continue
            out.append(rebuilt(stmt, lambda inner: tuple(self.stored(inner))))
        return out

    def read(self, body: Body, known: Bounds) -> Body:
        """A body with sums of what the threads around have stored instead of the array's elements."""
        out: list[Stmt] = []
        for stmt in body:
            if self.adjoint not in used(stmt):
                out.append(stmt)
            elif isinstance(stmt, Accumulate):
                out += self.summed(stmt, known)
            elif isinstance(stmt, If) and self.adjoint not in stmt.cond.symbols:
                then = self.read(stmt.then, narrowed(stmt.cond, self.own, known))
                out.append(holding(stmt, then, self.read(stmt.other, known)))
            elif self.adjoint not in own_uses(stmt):
                out.append(rebuilt(stmt, lambda inner: self.read(inner, known)))
            else:
                raise _Refused
        return tuple(out)

    def summed(self, stmt: Accumulate, known: Bounds) -> list[Stmt]:
        """An addition of an element, and what computes the element before it."""
        found = {e for e in walk(stmt.amount) if isinstance(e, Place) and e.sym is self.adjoint}
        if len(found) != 1 or any(self.adjoint in e.symbols for e in stmt.target.index):
            raise _Refused
        (element,) = found
        if any(self.reached(element, scatter, known) is None for scatter in self.scatters):
            self.fewer.add(stmt.target.sym)
        before, total = self.sum(element, known)
        if total is None and stmt.amount == element:  # no thread owes it anything
            self.gone += stmt.sites
            return []
        if total is None:
            raise _Refused
        amount = rewrite(stmt.amount, lambda e: total if e == element else None)
        return [*before, replace(stmt, amount=amount)]

    def sum(self, element: Place, known: Bounds) -> tuple[list[Stmt], Expr | None]:
        """The sum of what reaches an element, None if nothing does, and what computes it before."""
        at_once: Expr | None = None
        loops: list[Stmt] = []
        total = total_of(element)
        for scatter in self.scatters:
            reached = self.reached(element, scatter, known)
            if reached is None:
                continue
            source, guard = reached
            part = reduce(multiply, (*scatter.factors, source))
            if not scatter.loops and guard is None:
                if at_once is None:
                    at_once = Unary("-", part, part.type) if scatter.negative else part
                else:
                    at_once = subtract(at_once, part) if scatter.negative else add(at_once, part)
                continue
            place = Place(total, (), total.type)
            inner: Stmt = Accumulate(place, part, "local", scatter.negative, sites=sum_of_sites(element))
            body: Body = (inner,) if scatter.quote is None else (replace(scatter.quote), inner)
            if guard is not None:
                body = (If(guard, body),)
            for loop in reversed(scatter.loops):
                body = (afresh(loop, body),)
            loops += body
        if loops:
            assert isinstance(total.type, Scalar)
            begun = Declare(total, real(0.0, total.type))
            if at_once is not None:
                begun = Declare(total, at_once, sites=sum_of_sites(element))
            say = Comment("contributions of neighbouring threads")
            return [begun, say, *loops], Place(total, (), total.type)
        return [], at_once

    def reached(self, element: Place, scatter: _Scatter, known: Bounds) -> tuple[Place, Expr | None] | None:
        """What a thread has stored for an element, and when there is such a thread; None if never."""
        index: list[Expr] = []
        tests: list[Expr] = []
        for k, (expr, dimension) in enumerate(zip(element.index, self.dimensions, strict=True)):
            shift = scatter.shifts[k]
            low, high = self.range(scatter, k)
            source = shift.taken_from(expr)
            index.append(source)
            least, most = self.bounds(expr, dimension, known)
            first, last = self.stores[scatter.value][k]
            if most - low < first or least - high > last:
                return None
            if least == most and low == high:
                continue
            if least - high < 0:
                tests.append(at_least(expr, shift, low))
            if most - low >= dimension.extent:
                tests.append(Binary("<", source, converted(self.extent(k), source.type), BOOL))
        guard = reduce(lambda a, b: Binary("&&", a, b, BOOL), tests) if tests else None
        return Place(self.tiles[scatter.value], tuple(index), scatter.value.type), guard

    def bounds(self, index: Expr, dimension: Dimension, known: Bounds) -> tuple[int, int]:
        """The least and the greatest value of an index with which an element is read."""
        value = literal(unconverted(index))
        if value is not None:
            return value, value
        coordinate, shift = split_index(index, self.own)
        least, most = 0, dimension.extent - 1
        by = shift.range(()) if shift is not None else None
        if coordinate is not None and by is not None and coordinate.axis == dimension.coordinate.axis:
            first, last = dimension.within(known)
            least = max(least, first + coordinate.offset + by[0])
            most = most if last is None else min(most, last + coordinate.offset + by[0])
        return least, most

    def extent(self, dimension: int) -> Const:
        """The extent of a dimension, as the author wrote it."""
        assert isinstance(self.adjoint.type, Array)
        spelled = self.adjoint.type.spelled
        return Const(self.extents[dimension], INT, spelling=spelled[dimension] if spelled else None)
