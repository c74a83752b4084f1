"""Recognise block-wide sums made of shuffles and shared memory: one value, uniform in the block.

    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(m, v, d);
    if (lane == 0)
        part[warp] = v;                                 v_total = block_sum(v);
    __syncthreads();                              ->    v = v_total;
    v = t < blockDim.x / 32 ? part[lane] : 0.0f;
    if (warp == 0)
        for (int d = 16; d > 0; d /= 2)
            v += __shfl_down_sync(m, v, d);
    if (t == 0)                                         if (t == 0)
        y[blockIdx.x] = v;                                  y[blockIdx.x] = v;

A stretch of statements around a barrier is such a sum if, interpreted for every possible block
size (`analysis.threads.block_interpreter`), each later read of its results yields, in each thread
that reads, the block's sum of one variable. So all forms are covered: butterflies, a second
round of shuffles, one thread that adds up the warps' sums, an inlined function. The conditions:

* Blocks are whole warps: the primal exchanges values among all lanes of a warp, which a block
  of another size doesn't have. This is checked when the adjoint starts.
* A block size is excluded if the primal would read an element that no thread has stored, or
  store out of bounds. If one size is left, it is the block's.
* No other code uses what the stretch stores, unless it is the sum.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from ...analysis.constants import WARP
from ...analysis.ssa import outputs, targets
from ...analysis.threads.barrier_intervals import holds_barrier
from ...analysis.threads.block_interpreter import (
    Enacted,
    Meaningless,
    Stores,
    Stuck,
    enactable,
    positions,
    stored,
)
from ...analysis.threads.interpreter_values import Nothing
from ...fixpoint import rounds
from ...ir import (
    DOUBLE,
    FLOAT,
    Array,
    Assign,
    Barrier,
    Binary,
    Body,
    Call,
    Declare,
    Expr,
    For,
    Function,
    If,
    Initialiser,
    Place,
    Scalar,
    Special,
    Stmt,
    Sym,
    Unary,
    all_parts,
    collective,
    expressions,
    rebuilt,
    scalar_type,
    statements,
    walk,
)
from ...source import Span
from ..common.algebra import real
from ..common.mod_ref import changes
from ..common.symbol_uses import mapped, standing, uses
from .live_out import Read, perhaps, reads, sets
from .tree_sums import Trees, summed

LARGEST = 1024
"""The maximum number of threads of a block."""
FIRST = 64
"""The size tried first: two warps behave like any larger number of warps."""


def with_exchanged_sums(trees: Trees) -> Trees:
    """Replace each stretch that is a block sum; for functions whose blocks are rows of threads."""
    function = trees.function
    if not any(call.rule == "shuffle" for s in statements(function.body) if (call := collective(s))):
        return trees
    made = _Made(function)
    body = made.body(function.body, True)
    if not made.sizes:
        return trees
    sizes = frozenset.intersection(*made.sizes)
    threads = trees.threads or (next(iter(sizes)) if len(sizes) == 1 else 0)
    new = replace(function, body=_directly(body))
    return replace(trees, function=new, threads=threads, whole_warps=len(sizes) != 1)


def _directly(body: Body) -> Body:
    """Remove copies that are only summed: block_sum(sum) for v = sum; block_sum(v).

    A parameter of an inlined function is such a copy of the author's argument.
    """
    out = [rebuilt(stmt, _directly) for stmt in body]
    for k in range(len(out) - 1, -1, -1):
        match out[k]:
            case Declare(copy, init, span) if (value := _named(copy, init)) is not None:
                later = out[k + 1 :]
                at = next((j for j, s in enumerate(later) if copy in set(uses([s]))), None)
                if at is None or list(uses(later)).count(copy) != 1:
                    continue
                if any(changes(s, value) for s in later[:at]):
                    continue
                summing = later[at]
                if isinstance(summing, Declare | Assign) and any(
                    _is_sum_of(e, copy) for e in expressions(summing)
                ):
                    new = mapped(summing, standing(copy, value))
                    if isinstance(new, Declare | Assign) and copy.storage == "parameter":
                        new = replace(new, span=span)
                    later[at] = new
                    out[k:] = later
            case _:
                pass
    return tuple(out)


def _named(copy: Sym, value: Expr | Initialiser | None) -> Expr | None:
    """The value that a variable copies, if the variable's sum can be replaced by that value's sum."""
    if not isinstance(value, Expr) or copy.type != value.type or outputs(value):
        return None
    named = isinstance(value, Place) and not value.index and value.sym.storage in ("local", "parameter")
    passed = copy.storage == "parameter" and isinstance(value, Binary | Unary | Call)
    return value if named or passed else None


def _is_sum_of(expr: Expr, sym: Sym) -> bool:
    return isinstance(expr, Call) and expr.rule == "sum" and expr.args == (Place(sym, (), sym.type),)


def alike_in_columns(function: Function) -> bool:
    """Whether no code distinguishes threads that differ only in y or z.

    Such threads would do the same at the same time, and race on what a block shares if there
    were more than one. So blocks are rows.
    """
    every = all_parts(*function.body)
    return not any(
        isinstance(e, Special) and e.name in ("threadIdx", "blockDim") and e.axis != "x" for e in every
    )


@dataclass(frozen=True)
class _Stretch:
    """Statements `first` up to, not including, `last` of a body, and their replacement.

    Between `last` and `stop`, what they store in `arrays` is read only as sums: `totals`.
    """

    first: int
    last: int
    stop: int
    arrays: frozenset[Sym]
    new: tuple[Stmt, ...]
    totals: dict[Place, Sym]
    sizes: frozenset[int]


@dataclass
class _Made:
    function: Function
    sizes: list[frozenset[int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.positions = positions(self.function.body)
        self.known_stores: dict[tuple[frozenset[Sym], int], Stores] = {}

    def stores(self, arrays: frozenset[Sym], size: int) -> Stores:
        """The elements of arrays to which the function stores in a block of this size."""
        if (arrays, size) not in self.known_stores:
            ordered = sorted(arrays, key=lambda s: s.name)
            self.known_stores[arrays, size] = stored(self.function.body, ordered, size, self.positions)
        return self.known_stores[arrays, size]

    def body(self, body: Body, root: bool) -> Body:
        """A body, with nested ones, with its stretches replaced."""
        stmts = _parted(body, self.positions)
        seen = frozenset[Sym]()  # arrays that other code reads; each round finds more
        for _ in rounds(len(set(uses(stmts))), "which sums others look at"):
            found = self.stretches(stmts, seen, root)
            shared = self.shared(stmts, found)
            if not shared:
                break
            seen |= shared
        if not found:
            return self.inner(body)
        out: list[Stmt] = []
        at = 0
        for stretch in found:
            out += self.between(stmts, at, stretch.first, found)
            out += stretch.new
            at = stretch.last
            self.sizes.append(stretch.sizes)
        return (*out, *self.between(stmts, at, len(stmts), found))

    def between(self, stmts: Body, at: int, end: int, found: list[_Stretch]) -> Iterator[Stmt]:
        """Statements of a body, with their reads of sums replaced."""
        for k in range(at, end):
            (stmt,) = self.inner((stmts[k],))
            for stretch in found:
                if stretch.last <= k < stretch.stop:
                    stmt = _with(stmt, stretch.totals)
            yield stmt

    def inner(self, stmts: Sequence[Stmt]) -> Body:
        return tuple(rebuilt(s, lambda b: self.body(b, False)) if holds_barrier(s) else s for s in stmts)

    def stretches(self, stmts: Body, seen: frozenset[Sym], root: bool) -> list[_Stretch]:
        """The consecutive stretches of a body that are sums."""
        found: list[_Stretch] = []
        at = 0
        while at < len(stmts):
            low, barrier = found[-1].last if found else 0, stmts[at]
            at += 1
            if isinstance(barrier, Barrier) and not barrier.warp:
                stretch = self.around(stmts, low, at - 1, seen, root)
                if stretch is not None:
                    found.append(stretch)
                    at = stretch.last
        return found

    def around(self, stmts: Body, low: int, at: int, seen: frozenset[Sym], root: bool) -> _Stretch | None:
        """The longest stretch around a barrier that is a sum."""
        start, end = at, at + 1
        while start > low and enactable(stmts[start - 1]):
            start -= 1
        while end < len(stmts) and enactable(stmts[end]):
            end += 1
        for first in range(start, at):
            if _exchanges(stmts[first]):
                tried = (_Tried(self, stmts, first, last, root) for last in range(end, at, -1))
                sums = (t.stretch() for t in tried if not t.arrays & seen)
                return next((found for found in sums if found is not None), None)
        return None

    def shared(self, stmts: Body, found: list[_Stretch]) -> frozenset[Sym]:
        """The arrays of stretches that other code uses."""
        every = _mentions(self.function.body)
        ours: dict[Sym, int] = {}
        for stretch in found:
            near = _mentions(stmts[stretch.first : stretch.stop])
            for array in stretch.arrays:
                ours[array] = ours.get(array, 0) + near.get(array, 0)
        return frozenset(array for array, times in ours.items() if times != every.get(array, 0))


class _Tried:
    """A candidate stretch, and the later reads of its results."""

    def __init__(self, made: _Made, stmts: Body, first: int, last: int, root: bool) -> None:
        self.made = made
        self.stmts = stmts
        self.first = first
        self.last = last
        self.inside = stmts[first:last]
        self.within = frozenset(s for s in statements(self.inside))
        changed = dict.fromkeys(t.sym for s in statements(self.inside) for t in targets(s))
        self.arrays = frozenset(s for s in changed if s.storage == "shared")
        declared = {s.sym for s in statements(self.inside) if isinstance(s, Declare)}
        self.declared = [s.sym for s in self.inside if isinstance(s, Declare)]
        self.locals = [
            s for s in changed if s.storage != "shared" and (s not in declared or s in self.declared)
        ]
        self.stop = next((k for k in range(last, len(stmts)) if self.stores(stmts[k])), len(stmts))
        self.reads = list(self.looks(root))

    def stretch(self) -> _Stretch | None:
        """Its replacement, if it is a sum for every block size for which it is defined."""
        if not self.arrays or not all(isinstance(s.type, Array) for s in self.arrays):
            return None
        if any(r.index is None for r in self.reads) or not any(_is_float(s) for s in self.arrays):
            return None
        for sym in self.locals:
            kept = _is_float(sym) or (sym in self.made.positions and sym in self.declared)
            if not kept and any(r.sym is sym for r in self.reads):
                return None
        found: dict[Read, Sym | float] | None = None
        sizes: set[int] = set()
        for size in sorted(range(WARP, LARGEST + 1, WARP), key=lambda n: (n != FIRST, n)):
            try:
                here = self.acted(size)
            except Meaningless:
                continue
            except Stuck:
                return None
            if found is not None and any(found.get(r, what) != what for r, what in here.items()):
                return None
            found = {**(found or {}), **here}
            sizes.add(size)
        sums = {what for what in (found or {}).values() if isinstance(what, Sym)}
        if not found or not sums or any(s.type not in (FLOAT, DOUBLE) for s in sums):
            return None
        return self.replaced(found, sums, frozenset(sizes))

    def acted(self, size: int) -> dict[Read, Sym | float]:
        """The value of each later read in a block of this size. Raises Stuck and Meaningless."""
        known = self.made.positions
        block = Enacted(size, known, self.made.stores(self.arrays, size))
        block.run(self.inside)
        found: dict[Read, Sym | float] = {}
        for read in self.reads:
            who = block.everyone
            for cond, holds in read.guards:
                who = [t for t, c in zip(who, perhaps(cond, block, who), strict=True) if c in (None, holds)]
            assert read.index is not None
            got = block.of(Place(read.sym, read.index, read.type), who)
            values = got if isinstance(got, list) else [got] if who else []
            whats = {block.sum_of(v) or (v if isinstance(v, float) else None) for v in values}
            if Nothing in values:
                raise Meaningless
            if len(whats) > 1 or None in whats:
                raise Stuck
            for what in whats:
                if what is not None:
                    found[read] = what
        return found

    def replaced(
        self, found: dict[Read, Sym | float], sums: set[Sym], sizes: frozenset[int]
    ) -> _Stretch | None:
        """The stretch with one sum for each summed variable."""
        results: dict[Sym, Sym | float] = {}
        for sym in self.locals:
            whats = {what for read, what in found.items() if read.sym is sym}
            if _is_float(sym) and (len(whats) > 1 or not all(_fits(what, sym.type) for what in whats)):
                return None
            for what in whats if _is_float(sym) else ():
                results[sym] = what
        new: list[Stmt] = []
        for s in self.inside:
            if isinstance(s, Declare) and (s.sym in self.made.positions or s.sym.storage == "shared"):
                new.append(s)
        span = next((s.span for s in self.inside if isinstance(s, For)), None)
        totals: dict[Sym, Sym] = {}
        in_memory = {what for read, what in found.items() if read.sym.storage == "shared"}
        for what in sorted(sums, key=lambda s: s.name):
            value = summed(Place(what, (), scalar_type(what)))
            takers = [sym for sym, result in results.items() if result is what]
            if len(takers) == 1 and what not in in_memory:
                new.append(self.set(takers[0], value, span))
                del results[takers[0]]
            else:
                totals[what] = Sym(f"{what.plain}_total", scalar_type(what))
                new.append(Declare(totals[what], value, span))
        new.append(Barrier())
        for sym, result in results.items():
            held = (
                Place(totals[result], (), scalar_type(sym))
                if isinstance(result, Sym)
                else real(result, scalar_type(sym))
            )
            new.append(self.set(sym, held, None))
        made = {t.sym for s in new for t in targets(s)} | {s.sym for s in new if isinstance(s, Declare)}
        for sym in self.declared:
            if sym.storage != "shared" and sym not in made and self.used(sym):
                new.append(Declare(sym))
        places: dict[Place, Sym] = {}
        for read, result in found.items():
            if read.sym.storage == "shared":
                assert read.index is not None
                if not isinstance(result, Sym) or not _fits(result, read.type):
                    return None
                places[Place(read.sym, read.index, read.type)] = totals[result]
        return _Stretch(self.first, self.last, self.stop, self.arrays, tuple(new), places, sizes)

    def set(self, sym: Sym, value: Expr, span: Span | None) -> Stmt:
        if sym in self.declared:
            return Declare(sym, value, span)
        return Assign(Place(sym, (), sym.type), value, None, span)

    def used(self, sym: Sym) -> bool:
        behind = statements(self.stmts[self.last :])
        set_again = any(t.sym is sym for s in behind for t in targets(s))
        return set_again or any(r.sym is sym for r in self.reads)

    def stores(self, stmt: Stmt) -> bool:
        return any(t.sym in self.arrays for s in statements((stmt,)) for t in targets(s))

    def looks(self, root: bool) -> Iterator[Read]:
        """The later reads of what the stretch changes, including those of the next iteration."""
        for sym in self.locals:
            for stmt in self.stmts[self.last :]:
                yield from reads(stmt, sym, ())
                if sets(stmt, sym):
                    break
            else:
                if not root and not any(isinstance(s, Declare) and s.sym is sym for s in self.stmts):
                    elsewhere = (s for s in statements(self.made.function.body) if s not in self.within)
                    for stmt in elsewhere:
                        yield from reads(replace(stmt), sym, (), deep=False)
        for array in self.arrays:
            for stmt in self.stmts[self.last : self.stop]:
                yield from reads(stmt, array, ())


def _mentions(body: Sequence[Stmt]) -> dict[Sym, int]:
    """How often each shared array is mentioned."""
    found: dict[Sym, int] = {}
    for e in all_parts(*body):
        if isinstance(e, Place) and e.sym.storage == "shared":
            found[e.sym] = found.get(e.sym, 0) + 1
    return found


def _exchanges(stmt: Stmt) -> bool:
    """Whether a statement contains a shuffle."""
    return any(call.rule == "shuffle" for s in statements((stmt,)) if (call := collective(s)) is not None)


def _fits(what: Sym | float, type_: object) -> bool:
    """Whether a sum has this type; a number always fits."""
    return what.type == type_ if isinstance(what, Sym) else True


def _is_float(sym: Sym) -> bool:
    kind = sym.type.element if isinstance(sym.type, Array) else sym.type
    return isinstance(kind, Scalar) and kind.is_float


def _with(stmt: Stmt, totals: dict[Place, Sym]) -> Stmt:
    """A statement with elements that hold sums replaced by the sums."""
    if not totals:
        return stmt

    def change(e: Expr) -> Expr | None:
        if isinstance(e, Place) and e in totals:
            return Place(totals[e], (), e.type)
        return None

    return mapped(stmt, change)


# ---- the same condition twice ---------------------------------------------------------


def _parted(body: Body, known: dict[Sym, Expr]) -> Body:
    """Split a branch after a barrier into the part that adds up and the part that uses the result.

    __syncthreads();                          __syncthreads();
    if (warp == 0) {                          float s;
        float s = part[lane];                 if (warp == 0)
        y[0] = s;                       ->        s = part[lane];
    }                                         if (warp == 0)
                                                  y[0] = s;
    """
    out: list[Stmt] = []
    behind = False
    for stmt in body:
        if isinstance(stmt, Barrier) and not stmt.warp:
            behind = True
        elif behind and not enactable(stmt):
            behind = False
            out += _halves(stmt, known)
            continue
        out.append(stmt)
    return tuple(out)


def _halves(stmt: Stmt, known: dict[Sym, Expr]) -> list[Stmt]:
    match stmt:
        case If(cond, then, ()) if not any(isinstance(e, Call) for e in walk(cond)) and all(
            e.sym in known for e in walk(cond) if isinstance(e, Place)
        ):
            pass
        case _:
            return [stmt]
    count = next((k for k, s in enumerate(then) if not enactable(s)), len(then))
    if not 0 < count < len(then):
        return [stmt]
    out: list[Stmt] = []
    inside: list[Stmt] = []
    for s in then[:count]:
        match s:
            case Declare(sym, init) if isinstance(init, Expr) and sym not in known:
                out.append(Declare(sym, None, s.span))
                inside.append(Assign(Place(sym, (), sym.type), init, None, s.span, part_of=sym.within))
            case Declare():
                out.append(s)
            case _:
                inside.append(s)
    return [*out, replace(stmt, then=tuple(inside)), replace(stmt, then=then[count:])]
