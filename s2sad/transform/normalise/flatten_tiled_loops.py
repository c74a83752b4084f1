"""Make one loop of two that go through an array tile by tile, once the tile isn't staged any more.

    int i = blockIdx.x * BLOCK + threadIdx.x;             int i = blockIdx.x * BLOCK + threadIdx.x;
    float xi = i < n ? x[i] : 0.0f;                       if (i < n) {
    for (int j0 = 0; j0 < n; j0 += BLOCK) {                   float xi = x[i];
        tile[threadIdx.x] = …;                                for (int j = 0; j < n; ++j)
        __syncthreads();                                          s += w[j] * f(x[j] - xi);
        for (int t = 0; t < BLOCK; ++t) {          ->         y[i] = s;
            int j = j0 + t;                               }
            s += (j < n ? w[j] : 0.0f)
                 * f((j < n ? x[j] : 0.0f) - xi);
        }
        __syncthreads();
    }
    if (i < n)
        y[i] = s;

The contribution of such a read then goes directly to adj_x and adj_w, and one thread can gather all that
belong to an element (see `interchange_sums`). Nothing is shared any more, and the barriers go. Where no
thread gathers, the tile should stay.

The last tile's iterations j >= n go if they change nothing: what they add is a product with the zero that
pads the tile. (Of an infinite factor the primal's sum is undefined there, and has no derivative.)

L49. Let all threads run the iterations of a loop together, let each store an element of a tile in an
iteration, once, and let reads follow in the same iteration, behind a barrier. Then a read yields what L25
says of that iteration, as the next store is behind another barrier, or the primal has a race.

What is left runs under the guard of the thread's stores (see `one_guard`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from functools import partial

from ...analysis.atomics import is_drawn
from ...analysis.constants import bare
from ...analysis.loops.counted_loops import Counter, Positive, own_counter
from ...analysis.symbolic.polynomials import ONE, Poly, number, variable
from ...ir import (
    BOOL,
    COLLECTIVE,
    Accumulate,
    Assign,
    Barrier,
    Binary,
    Body,
    Break,
    Call,
    Cast,
    Const,
    Declare,
    Expr,
    For,
    Function,
    If,
    Place,
    Return,
    Scalar,
    Select,
    Special,
    Stmt,
    Sym,
    Unary,
    all_parts,
    bodies,
    is_integer,
    rebuilt,
    scalar_type,
    statements,
    walk,
    without,
)
from ..common.algebra import converted, is_const, rewrite
from ..common.jumps import has
from ..common.known_outcomes import decided, opposite
from ..common.mod_ref import meets, written
from ..common.replay import conjuncts
from ..common.symbol_uses import mapped, own_uses, used
from ..common.thread_coordinates import Points
from ..common.tile_contents import STALE, TileContents, Unknown, stores_to
from .bypass_shared_tiles import Unstaged
from .one_guard import under_one_guard


def flatten_tiled_loops(
    function: Function, axes: str, wanted: Collection[Sym], stay: Collection[Sym]
) -> Unstaged | None:
    """Flatten the loops over tiles that hold copies of the `wanted` arrays, if no tile is left; else None."""
    body = function.body
    tiles = [s.sym for s in statements(body) if isinstance(s, Declare) and s.sym.storage == "shared"]
    if not tiles or any(tile in stay for tile in tiles):
        return None
    found: dict[Sym, frozenset[Sym]] = {}
    try:
        for tile in tiles:
            body, arrays = _unstaged(body, axes, tile)
            found[tile] = arrays & frozenset(wanted)
    except Unknown:
        return None
    if not any(found.values()) or _exchanges(body):
        return None
    points = Points(body, axes)
    out: list[Stmt] = []
    for stmt in without(body, [s for s in statements(body) if isinstance(s, Barrier)]):
        flat = _Nest.of(stmt, points) if isinstance(stmt, For) else None
        if flat is None and any(isinstance(s, For) for b in bodies(stmt) for s in b):
            return None
        out.append(stmt if flat is None else flat)
    new = under_one_guard(tuple(out))
    if any(isinstance(e, Const) and e.spelling == STALE for e in all_parts(*new)):
        return None
    return Unstaged(replace(function, body=new), found)


def _unstaged(body: Body, axes: str, tile: Sym) -> tuple[Body, frozenset[Sym]]:
    """The body without a tile that is stored anew in each iteration, and what it copies (L49).

    Raises Unknown.
    """
    stores = stores_to(body, tile, sized=False)
    if len(stores) != 1:
        raise Unknown
    (store,) = stores
    if any(isinstance(e, Call) or (isinstance(e, Binary) and e.op == "/") for e in walk(store.value)):
        raise Unknown  # computed once for a block
    points = Points(body, axes)
    contents = TileContents(body, points, store, _counters(body, store, points))
    new = contents.body(body, frozenset())
    gone = [s for s in statements(new) if s is store or (isinstance(s, Declare) and s.sym is tile)]
    return _without_empty(without(new, gone)), frozenset(contents.arrays)


def _without_empty(body: Body) -> Body:
    """The body without branches that have nothing in them any more."""
    made = (rebuilt(s, _without_empty) for s in body)
    return tuple(s for s in made if not (isinstance(s, If) and not s.then and not s.other))


def _counters(whole: Body, store: Assign, points: Points) -> frozenset[Sym]:
    """The counter of the loop in each iteration of which a tile is stored anew, then read. Raises Unknown."""
    tile = store.target.sym
    outer = next(s for s in whole if store in statements((s,)))
    count = own_counter(outer, Positive()) if isinstance(outer, For) else None
    if not isinstance(outer, For) or count is None:
        raise Unknown
    if not all(_is_given(e, points) for e in (count.start, count.bound, count.step)):
        raise Unknown
    at = next(k for k, s in enumerate(outer.body) if store in statements((s,)))
    barrier = next((k for k, s in enumerate(outer.body) if k > at and isinstance(s, Barrier)), None)
    readers = [k for k, s in enumerate(outer.body) if _reads(s, tile, store)]
    if barrier is None or min(readers, default=barrier) < barrier:
        raise Unknown
    if any(tile in used(s) for s in whole if s is not outer):
        raise Unknown
    return frozenset((count.sym,))


def _reads(stmt: Stmt, tile: Sym, store: Assign) -> bool:
    return any(s is not store and tile in own_uses(s) for s in statements((stmt,)))


def _is_given(expr: Expr, points: Points) -> bool:
    """Whether an integer is the same for all threads of the launch."""
    return all(
        isinstance(e, Const | Binary | Cast)
        or (isinstance(e, Special) and e.name in ("blockDim", "gridDim"))
        or (isinstance(e, Place) and not e.index and _is_given_name(e.sym, points))
        for e in walk(expr)
    )


def _is_given_name(sym: Sym, points: Points) -> bool:
    return points.given(sym) or (sym in points.values and _is_given(points.values[sym], points))


def _exchanges(body: Body) -> bool:
    """Whether threads pass each other values: through memory that they store to and read, or by calls."""
    outside = {s for stmt in body for s in written(stmt) if s.storage not in ("local", "shared")}
    places = [e for e in all_parts(*body) if isinstance(e, Place) and e.sym in outside]
    targets = [s.target for s in statements(body) if isinstance(s, Assign | Accumulate)]
    if any(not any(e is t for t in targets) for e in places):
        return True
    if any(meets(s) and not isinstance(s, Barrier) and not bodies(s) for s in statements(body)):
        return True
    return any(is_drawn(e) or (isinstance(e, Call) and e.rule in COLLECTIVE) for e in all_parts(*body))


# ---- one nest of loops ----------------------------------------------------------------------------


@dataclass(frozen=True)
class _Nest:
    """Two loops whose counters give a `position` below `end`.

    `whole`: whether the inner loop stops at the end; otherwise it goes on to the end of the tile.
    """

    outer: For
    inner: For
    points: Points
    position: Poly
    end: Expr
    whole: bool

    @staticmethod
    def of(loop: For, points: Points) -> Stmt | None:
        """The loop that does the same as a nest of two; None if there is none."""
        count = own_counter(loop, Positive())
        if count is None or count.op != "<" or not is_const(count.start, 0):
            return None
        loops = [s for s in loop.body if isinstance(s, For)]
        before = [s for s in loop.body if isinstance(s, Declare)]
        if len(loops) != 1 or len(before) + 1 < len(loop.body) or not all(map(_is_plain, before)):
            return None
        if any(has(s, Break) or has(s, Return) for s in loops[0].body):
            return None
        inner = _headed(loops[0], loop.body)
        nest = None if inner is None else _Nest.made(loop, inner, count, points)
        return None if nest is None else nest.flat()

    @staticmethod
    def made(outer: For, inner: For, count: Counter, points: Points) -> _Nest | None:
        """The nest, if both loops count; None otherwise."""
        thread = _counter(inner)
        step = points.in_launch(count.step)
        tile, at = variable(points.atom(count.sym)), variable(points.atom(thread))
        limits = set(_limits(inner, at, points))
        sizes = [p for p in limits if p is not None and not p.atoms & tile.atoms]
        if step is None or thread.type != count.sym.type or None in limits or len(sizes) != 1:
            return None
        (size,) = sizes
        if size == step:
            position, end = tile + at, count.bound
        elif step == ONE and (rounded := _rounded_up(count.bound, size, points)) is not None:
            position, end = tile * size + at, rounded
        else:
            return None
        last = points.in_launch(end)
        whole = limits - {size}
        if last is None or not whole <= {last - position + at}:
            return None
        return _Nest(outer, inner, points, position, end, bool(whole))

    def flat(self) -> Stmt | None:
        body, end = self.inner.body, self.points.in_launch(self.end)
        counters = {_counter(self.outer), _counter(self.inner)}
        changed = {sym for s in body for sym in written(s)}
        named = [
            s
            for s in statements(body)
            if isinstance(s, Declare) and s.sym not in changed and self.is_position(s.init)
        ]
        first = self.outer.init[0]
        assert isinstance(first, Declare)
        given = [s.sym.of if s.sym.of is not None else s.sym for s in named]
        new = replace(first.sym, name=given[0].name) if given else first.sym
        place, kind = Place(new, (), new.type), scalar_type(Place(new, (), new.type))
        names = {s.sym for s in named}

        def change(e: Expr) -> Expr | None:
            if isinstance(e, Place) and e.sym in names:
                return replace(e, sym=new)
            if not is_integer(e) or e.symbols.isdisjoint(counters) or not self.is_of_position(e):
                return None
            return e if isinstance(e, Place) and e.index else _positioned(e, self.outer, self.inner, place)

        body = tuple(mapped(s, change) for s in without(body, named))
        body = tuple(mapped(s, lambda e: _plainly_indexed(e, place)) for s in body)
        body = _without_unread(body, frozenset())
        outside = {s.sym for s in self.outer.body if isinstance(s, Declare)}
        if any(used(s) & ((counters | outside) - {new}) for s in body) or end is None:
            return None

        def inside(cond: Expr) -> bool | None:
            match cond:
                case Binary("<" | ">=", a, b) | Binary(">" | "<=", b, a):
                    pass
                case _:
                    return None
            known = bare(a) == place and is_integer(b) and self.points.in_launch(b) == end
            return cond.op in "<>" if known else None

        if not self.whole and not _is_neutral(decided(body, opposite(inside)), set()):
            return None
        cond = Binary("<", place, self.end, BOOL)
        step = Assign(place, Const(1, kind), "+=", spelling=f"++{new.name}")
        return replace(
            self.outer,
            init=(replace(first, sym=new),),
            cond=cond,
            step=(step,),
            body=decided(body, inside),
        )

    def is_position(self, expr: object) -> bool:
        if not isinstance(expr, Unary | Binary | Cast | Place | Call | Select) or not is_integer(expr):
            return False
        return self.points.in_launch(expr) == self.position

    def is_of_position(self, expr: Expr) -> bool:
        """Whether an integer depends on the counters only by the position that they give."""
        found = self.points.in_launch(expr)
        tile, at = (variable(self.points.atom(_counter(loop))) for loop in (self.outer, self.inner))
        if found is None:
            return False
        (one,), (two,) = tile.atoms, at.atoms
        return found.with_values({one: number(0), two: self.position}) == found


def _counter(loop: For) -> Sym:
    first = loop.init[0]
    assert isinstance(first, Declare)
    return first.sym


def _positioned(expr: Expr, outer: For, inner: For, place: Place) -> Expr:
    """An integer with the position for the inner counter and zero for the outer one."""
    tile, at = _counter(outer), _counter(inner)

    def change(e: Expr) -> Expr | None:
        match e:
            case Place(sym, ()) if sym is tile:
                return Const(0, scalar_type(e))
            case Place(sym, ()) if sym is at:
                return converted(place, e.type)
            case Cast(arg):
                inside = rewrite(arg, change)
                return Const(0, scalar_type(e)) if is_const(inside, 0) else replace(e, arg=inside)
            case Binary("+" | "*" as op, left, right):
                a, b = rewrite(left, change), rewrite(right, change)
                if is_const(a, 0) or is_const(b, 0):
                    return (b if is_const(a, 0) else a) if op == "+" else Const(0, scalar_type(e))
                return replace(e, left=a, right=b, spelling=None, macro=None)
            case _:
                return None

    return converted(rewrite(expr, change), expr.type)


def _plainly_indexed(expr: Expr, place: Place) -> Expr:
    """An expression whose elements are at the position itself, not at one converted to unsigned."""

    def change(e: Expr) -> Expr | None:
        if not isinstance(e, Place) or not any(isinstance(i, Cast) for i in e.index):
            return None
        plain = (place if isinstance(i, Cast) and bare(i) == place else rewrite(i, change) for i in e.index)
        return replace(e, index=tuple(plain))

    return rewrite(expr, change)


def _is_plain(stmt: Declare) -> bool:
    """Whether a declaration only computes an integer."""
    kind = stmt.sym.type
    integer = isinstance(kind, Scalar) and kind.is_integer and isinstance(stmt.init, Expr | None)
    return integer and not written(stmt) and not any(_may_act(e) for e in all_parts(stmt))


def _may_act(expr: Expr) -> bool:
    return is_drawn(expr) or (isinstance(expr, Call) and expr.callee is not None)


def _without_unread(body: Body, later: frozenset[Sym]) -> Body:
    """The body without integers that nothing in it or after it reads."""
    out: list[Stmt] = []
    for stmt in reversed(body):
        if isinstance(stmt, Declare) and stmt.sym not in later and _is_plain(stmt):
            continue
        new = stmt if isinstance(stmt, For) else rebuilt(stmt, partial(_without_unread, later=later))
        out.append(new)
        later |= used(new)
    return tuple(reversed(out))


def _headed(loop: For, around: Body) -> For | None:
    """A loop that counts up by one from zero, with its counter in its header; None if it isn't one."""
    if not loop.init:
        at = around.index(loop)
        before = around[at - 1] if at else None
        if not isinstance(before, Declare) or any(before.sym in used(s) for s in around[at + 1 :]):
            return None
        loop = replace(loop, init=(before,))
    match loop.init, loop.step:
        case (Declare(sym, init),), (Assign(Place(moved, ()), Const(1), "+="),) if (
            moved is sym and isinstance(init, Expr) and is_const(init, 0)
        ):
            return None if any(sym in written(s) for s in loop.body) else loop
        case _:
            return None


def _limits(loop: For, at: Poly, points: Points) -> Iterator[Poly | None]:
    """What a loop's counter is less than, while it runs."""

    def less(bound: Expr, rest: Poly) -> Iterator[Poly | None]:
        match bare(bound):
            case Place(sym, ()) if sym in points.values and points.in_launch(bound) is None:
                yield from less(points.values[sym], rest)
            case Call("min", args, callee=None):
                for arg in args:
                    yield from less(arg, rest)
            case _:
                found = points.in_launch(bound)
                limit = None if found is None else found - rest
                yield None if limit is None or limit.atoms & at.atoms else limit

    for cond in () if loop.cond is None else conjuncts(loop.cond):
        match cond:
            case Binary("<", left, right) | Binary(">", right, left) if is_integer(left):
                found = points.in_launch(left)
                yield from (None,) if found is None else less(right, found - at)
            case _:
                yield None


def _rounded_up(bound: Expr, size: Poly, points: Points) -> Expr | None:
    """The n of (n + size - 1) / size, a number of tiles."""
    match bare(bound):
        case Place(sym, ()) if sym in points.values:
            return _rounded_up(points.values[sym], size, points)
        case Binary("/", top, by) if points.in_launch(by) == size:
            whole = points.in_launch(top)
            rest = None if whole is None else whole - size + number(1)
            syms = [points.syms[a] for a in rest.atoms if a in points.syms] if rest is not None else []
            if len(syms) == 1 and rest == variable(points.atom(syms[0])):
                return Place(syms[0], (), syms[0].type)
            return None
        case _:
            return None


# ---- iterations that change nothing ---------------------------------------------------------------


def _is_neutral(body: Body, zeros: set[Sym]) -> bool:
    """Whether a body only adds zero to what it doesn't declare; `zeros` are variables that are zero."""
    mine: set[Sym] = set()
    for stmt in body:
        match stmt:
            case Declare(sym, init):
                mine.add(sym)
                if isinstance(init, Expr) and _is_zero(init, zeros):
                    zeros.add(sym)
            case Assign(target, value, "+=" | "-=") if _is_zero(value, zeros):
                pass
            case Assign(target) if target.sym in mine and not target.index:
                zeros.discard(target.sym)
            case If(_, then, other):
                if not _is_neutral(then, zeros) or not _is_neutral(other, zeros):
                    return False
            case _:
                return False
    return True


def _is_zero(expr: Expr, zeros: Collection[Sym]) -> bool:
    match expr:
        case Place(sym, ()):
            return sym in zeros
        case Binary("*", left, right):
            return _is_zero(left, zeros) or _is_zero(right, zeros)
        case Binary("/", left, _):
            return _is_zero(left, zeros)
        case Binary("+" | "-", left, right):
            return _is_zero(left, zeros) and _is_zero(right, zeros)
        case Unary("-" | "+", arg) | Cast(arg):
            return _is_zero(arg, zeros)
        case Select(_, then, other):
            return _is_zero(then, zeros) and _is_zero(other, zeros)
        case _:
            return is_const(expr, 0.0)
