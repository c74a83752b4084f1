"""Deal the iterations of a loop of block-wide sums to the threads: each sums over the whole block.

    for (int b = 0; b < 22; ++b) {                    for (int k = 0; k < 3; ++k)
        float adj_m_sum[4] = {0.0f};                      adj_p_part[threadIdx.x][k] = adj_p[k];
        if (i < n)                                    __syncthreads();
            for (int r = 0; r < 3; ++r)               for (int b = threadIdx.x; b < 22; b += blockDim.x) {
                adj_m_sum[r] += w[i] * adj_p[r];          float adj_m_sum[4] = {0.0f};
        block_add_4(&adj_m[4 * b], adj_m_sum);   ->       for (int q = 0; q < blockDim.x; ++q) {
    }                                                         int i_there = blockIdx.x * blockDim.x + q;
                                                              if (i_there < n)
                                                                  … w[i_there] * adj_p_part[q][r];
                                                          }
                                                          for (int k = 0; k < 4; ++k)
                                                              atomicAdd(&adj_m[4 * b + k], adj_m_sum[k]);
                                                      }

The lemma is L21 (see `interchange_sums`): the thread b % T sums what the block's T threads contribute in the
iteration b, and adds it, with as many additions to memory as before. What another thread can't recompute
goes through shared memory, for PART threads at a time.

`interchange_sums` does this with single elements in loops directly behind the kernel's guard, before sums
over the block are made. Here are the loops that need what comes later: sums of several elements side by
side, which `block_reduce` makes of additions in inner loops; and loops within others, which all threads
reach only since `unguard_uniform_sums` has moved the guard into them.

The terms are as many as before, but nothing is exchanged between threads: no shuffles, and no barriers per
iteration. What else the loop does stays in a loop of its own, and both compute what they have in common.
That, and the lanes that idle where iterations don't fill a warp, must cost less than the exchanges did.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ....analysis.ssa import Loop
from ....ir import (
    BOOL,
    INT,
    REDUCTIONS,
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
    Evaluate,
    Exists,
    Expr,
    For,
    If,
    Initialiser,
    Place,
    Return,
    Scalar,
    Special,
    Stmt,
    Sym,
    bodies,
    expressions,
    rebuilt,
    statements,
)
from ...common.adjoint_names import element_name, total_of
from ...common.algebra import is_const, real
from ...common.jumps import exits
from ...common.mod_ref import meets, written
from ...common.replay import all_of
from ...common.symbol_uses import mapped, renaming
from ...common.thread_coordinates import Points, both
from ...common.thread_rows import counted_range, declared_in
from ..contribution_audit import accounted, sum_of_sites
from ..uniformity import Alike
from .block_sums import dealt, each_element, put_down, shared_bytes, tile_of, unless_zero, upwards
from .contributions import PRIVATE, Known, NotKnown, Replayed, only_added
from .costs import OF_WARP, pays
from .slicing import NotTogether, sliced

PART = 128  # threads whose values are in shared memory at a time
VALUES = 8  # the maximum number of values of each thread that go through shared memory
OF_BLOCK, OF_VALUE = 50, 15  # operations of a sum over the block, and of each value
BYTES = 16 << 10  # of shared memory that the kernel may have, the values of other threads included
_ZERO, _PART = Const(0, UINT, spelling="0"), Const(PART, UINT, spelling=str(PART))


def deal_block_sums(body: Body, dimensions: int) -> tuple[Body, frozenset[Sym]]:
    """The body of a kernel for blocks of so many dimensions, with such loops dealt to the threads.

    And the adjoints to which nothing else is added.
    """
    loops = (s for s in statements(body) if isinstance(s, For))
    if dimensions != 1 or not any(map(_sums, loops)) or any(isinstance(s, Return) for s in statements(body)):
        return body, frozenset()
    made = _Dealing(body)
    new = made.body(body)
    if new is body:
        return body, frozenset()
    adds = (s for s in statements(new) if isinstance(s, Accumulate) and s not in made.adds)
    found = frozenset(s.target.sym for s in made.adds) - {s.target.sym for s in adds}
    whole = (*map(Declare, made.tiles), *new)
    return accounted("deal_block_sums", body, whole, again=True), found


def _sums(loop: For) -> bool:
    return any(isinstance(s, Accumulate) and s.how in REDUCTIONS for s in loop.body)


class _Stays(Exception):
    """The loop can't be dealt out, or needn't be."""


class _Block(Known):
    """What a thread can compute of the values of another one of its block."""

    def __init__(self, whole: Body) -> None:
        super().__init__(whole, Points(whole, "x"), (), ())
        self.homes = self.points.values
        self.alike = Alike(whole)

    def same(self, sym: Sym) -> bool:
        mine = sym.storage in PRIVATE and self.alike.same(Place(sym, (), sym.type))
        return mine or self.given(sym)

    def everywhere(self, target: Place, counter: Place, inside: set[Sym]) -> Place:
        """An element that is the same for all threads, after the iteration. Raises NotKnown."""
        if not self.alike.same(*target.index):
            raise NotKnown
        return self.element(target, counter.sym, counter, inside)


class _Dealing:
    """The loops of one kernel's body."""

    def __init__(self, whole: Body) -> None:
        self.block = _Block(whole)
        self.added = only_added(whole)
        self.shared = sum(shared_bytes(s.sym) for s in statements(whole) if isinstance(s, Declare))
        self.tiles: list[Sym] = []
        self.adds: set[Accumulate] = set()

    def body(self, body: Body) -> Body:
        """A body that all threads of the block reach together."""
        out: list[Stmt] = []
        for stmt in body:
            try:
                if not isinstance(stmt, For):
                    raise _Stays
                loop = _Dealt(self, stmt)
                new = loop.made()
                mine = (s for s in statements(tuple(new)) if isinstance(s, Accumulate) and s.how == "atomic")
                self.adds |= {s for s in mine if s.target.sym in loop.sums}
                self.tiles += loop.tiles.values()
                out += new
            except (_Stays, NotKnown):
                inside = isinstance(stmt, Loop | If) and self.block.alike.together(stmt)
                out.append(rebuilt(stmt, self.body) if inside else stmt)
        return tuple(out) if any(a is not b for a, b in zip(out, body, strict=False)) else body


@dataclass
class _Sum:
    """A sum of the block: its addition, the variable that holds it, and the latter's declaration.

    `always`: every thread adds to the element, so it exists.
    """

    add: Accumulate
    total: Sym
    declared: Declare
    always: bool


class _Dealt:
    """One loop."""

    def __init__(self, dealing: _Dealing, loop: For) -> None:
        found = counted_range(loop)
        if found is None or not _sums(loop) or not dealing.block.alike.together(loop):
            raise _Stays
        self.dealing, self.loop = dealing, loop
        self.counter, self.count = found
        self.inside = declared_in(loop.body) | {self.counter}
        self.adds = [s for s in loop.body if isinstance(s, Accumulate) and s.how in REDUCTIONS]
        self.needed, self.left = self.apart()
        if not self.worth():
            raise _Stays
        self.sums = {s.target.sym for s in self.adds}
        self.tiles: dict[Sym, Sym] = {}
        self.q, self.first = Place(Sym("q", UINT), (), UINT), Place(Sym("first", UINT), (), UINT)
        names = {sym: replace(sym) if self.left else sym for sym in self.inside}
        here = Special("threadIdx", "x")
        self.other = Replayed({here: self.q}, names, known=dealing.block, tile=self.tile, word="there")

    def tile(self, sym: Sym) -> Place:
        """The value that the thread q has put into shared memory. Raises NotKnown."""
        if sym not in self.tiles:
            self.tiles[sym] = tile_of(sym, "part", _PART)
            shapes = [t.type for t in self.tiles.values() if isinstance(t.type, Array)]
            if shapes[-1].element.is_half or sum(s.elements for s in shapes) > VALUES * PART:
                raise NotKnown
        return Place(self.tiles[sym], (both("-", self.q, self.first),), sym.type)

    def apart(self) -> tuple[Body, Body]:
        """What the sums need of the body, and what else it does. Raises _Stays."""
        body, adds = self.loop.body, self.adds
        inner = [s for s in statements(body) if meets(s) or isinstance(s, Evaluate)]
        if any(s not in adds for s in inner) or any(map(exits, body)):
            raise _Stays
        outer = [s for s in statements(body) if s not in adds and not bodies(s) and written(s) - self.inside]
        try:
            needed = sliced(body, adds)
            left = sliced(body, outer) if outer else ()
        except NotTogether:
            raise _Stays from None
        return needed, left

    def worth(self) -> bool:
        """Whether what is computed again, and the lanes that idle, cost less than the exchanges did."""
        saved = sum(
            OF_WARP if s.how == "warp" else OF_BLOCK + OF_VALUE * _values(s.amount) for s in self.adds
        )
        return pays(self.count, self.needed, bool(self.left), saved)

    def made(self) -> list[Stmt]:
        """The statements instead of the loop. Raises _Stays, NotKnown."""
        sums: list[_Sum] = []
        terms: list[Stmt] = []
        for stmt in self.needed:
            if isinstance(stmt, Accumulate) and stmt in self.adds:
                sums.append(self.sum(stmt, terms))
            else:
                terms.append(stmt)
        gone = {one.declared for one in sums}
        mine = {one.total for one in sums}
        inner = [self.other.statement(_summed(s, mine)) for s in terms if s not in gone]
        q, names = self.q, self.other.names
        test = Binary("<", q, Special("blockDim", "x"), BOOL)
        if self.tiles:
            test = Binary("&&", Binary("<", q, both("+", self.first, _PART), BOOL), test, BOOL)
        start = Declare(q.sym, self.first if self.tiles else _ZERO)
        every = For((start,), test, (upwards(q.sym),), (*self.other.before, *inner))
        declared = [replace(one.declared, sym=names[one.total]) for one in sums]
        adding = (mapped(s, renaming(names)) for one in sums for s in _adding(one))
        counter = Place(names[self.counter], (), self.counter.type)
        shared = dealt(counter, self.count, "x", (*declared, every, *adding))
        shared = replace(shared, span=self.loop.span, reverses=self.loop.reverses)
        shared = shared if self.left else replace(shared, id=self.loop.id)
        say = Comment("an iteration is one thread's, which sums over the block")
        kept = [replace(self.loop, body=self.left)] if self.left else []
        return [*kept, say, self.in_parts(shared) if self.tiles else shared]

    def in_parts(self, shared: For) -> For:
        """The loop for each part of the block, whose values are put into shared memory before."""
        if self.dealing.shared + sum(map(shared_bytes, (*self.dealing.tiles, *self.tiles.values()))) > BYTES:
            raise _Stays
        first, thread = self.first, Special("threadIdx", "x")
        cell = both("-", thread, first)
        stores = [put_down(sym, tile, cell) for sym, tile in self.tiles.items()]
        above = Binary(">=", thread, first, BOOL)
        here = Binary("&&", above, Binary("<", thread, both("+", first, _PART), BOOL), BOOL)
        body: Body = (Barrier(), If(here, tuple(stores)), Barrier(), shared)
        test = Binary("<", first, Special("blockDim", "x"), BOOL)
        return For((Declare(first.sym, _ZERO),), test, (Assign(first, _PART, "+="),), body)

    # ---- sums ---------------------------------------------------------------------

    def sum(self, add: Accumulate, terms: list[Stmt]) -> _Sum:
        """A sum over the block; what is added to it is put behind the terms. Raises _Stays, NotKnown."""
        kind = add.target.type
        if not isinstance(kind, Scalar) or kind.is_half or add.target.sym not in self.dealing.added:
            raise _Stays
        counter = Place(self.counter, (), self.counter.type)
        target = self.dealing.block.everywhere(add.target, counter, self.inside)
        amount = add.amount
        if isinstance(amount, Place) and not amount.index and not add.negative:
            found = _held(amount.sym, add, self.needed)
            if found is not None:
                whole = replace(add, target=target, how="atomic")
                return _Sum(whole, amount.sym, found, any(_adds(s, amount.sym) for s in self.needed))
        if not isinstance(amount.type, Scalar):
            raise _Stays
        total = self.named(target)
        self.other.names[total] = total
        place = Place(total, (), kind)
        term = replace(add, target=place, how="local", why="")
        always = not any(written(s) & amount.symbols for s in self.needed if not isinstance(s, Declare))
        if always:
            terms.append(term)
        else:
            _put_under_condition(terms, term)
        whole = replace(add, target=target, amount=place, negative=False, how="atomic")
        whole = replace(whole, sites=sum_of_sites(target))
        return _Sum(whole, total, Declare(total, real(0.0, kind)), always)

    def named(self, target: Place) -> Sym:
        """A variable for a sum: called after the element, if others are of the same array."""
        total = total_of(target)
        if sum(s.target.sym is target.sym for s in self.adds) == 1:
            return total
        return replace(total, name=element_name(target.sym.plain, target))


def _put_under_condition(terms: list[Stmt], term: Accumulate) -> None:
    """Add a variable that is zero but where one branch sets it, in that branch. Raises _Stays.

    Where no thread of the block takes the branch, the element may not exist.
    """
    amount = term.amount
    begun = [s for s in terms if isinstance(s, Declare) and isinstance(amount, Place) and s.sym is amount.sym]
    sets = [s for s in terms if written(s) & amount.symbols]
    if term.negative or len(begun) != 1 or not _zero(begun[0].init) or len(sets) != 1:
        raise _Stays
    (branch,) = sets
    if not isinstance(branch, If) or any(written(s) & amount.symbols for s in branch.other):
        raise _Stays
    terms[terms.index(branch)] = replace(branch, then=(*branch.then, term))


def _adds(stmt: Stmt, sym: Sym) -> bool:
    return isinstance(stmt, Accumulate) and stmt.target == Place(sym, (), sym.type)


def _adding(one: _Sum) -> Iterator[Stmt]:
    """The additions of a sum to memory, where its elements exist: not of zero, if that isn't known."""
    exists = Exists((), True) if one.always else one.add.exists
    whole = replace(one.add, exists=None)
    kind = whole.target.type
    adds: Stmt = whole
    value = Place(one.total, (), kind)
    if isinstance(one.total.type, Array) and not one.always:
        k = Sym("k", INT)
        at = Place(k, (), INT)
        value = Place(one.total, (at,), kind)
        *row, last = whole.target.index
        target = replace(whole.target, index=(*row, both("+", last, at)), spelling=None)
        add = replace(whole, target=target, amount=value)
        adds = each_element(k, one.total.type, (unless_zero(value, add) if exists is None else add,))
    elif exists is None:
        adds = unless_zero(value, whole)
    yield adds if exists is None or exists.always else If(all_of(exists.when), (adds,))


def _values(amount: Expr) -> int:
    return amount.type.elements if isinstance(amount.type, Array) else 1


def _held(total: Sym, add: Accumulate, body: Body) -> Declare | None:
    """The declaration of a variable as zero in the loop, if it is only added to, and then summed."""
    found = [s for s in body if isinstance(s, Declare) and s.sym is total]
    if len(found) != 1 or not _zero(found[0].init):
        return None
    for stmt in body:
        for inner in statements((stmt,)):
            if inner is add or inner is found[0]:
                continue
            sets = isinstance(inner, Accumulate) and inner.how == "local" and inner.target.sym is total
            sets = sets or (_set_once(inner, total) and _once(body, total))
            exprs = [e for e in expressions(inner) if not (sets and e is _target(inner))]
            own = _target(inner).index if sets else ()
            if any(total in e.symbols for e in (*exprs, *own)):
                return None
    return found[0]


def _summed(stmt: Stmt, totals: set[Sym]) -> Stmt:
    """A statement that adds to the sums what it has set them to."""
    if isinstance(stmt, Assign) and stmt.op is None and stmt.target.sym in totals:
        return Accumulate(stmt.target, stmt.value, "local", sites=stmt.sites, told=stmt.told)
    return rebuilt(stmt, lambda b: tuple(_summed(s, totals) for s in b))


def _set_once(stmt: Stmt, sym: Sym) -> bool:
    return isinstance(stmt, Assign) and stmt.op is None and stmt.target == Place(sym, (), sym.type)


def _once(body: Body, sym: Sym) -> bool:
    """Whether one statement sets a variable, in no loop."""
    sets = sum(sym in written(s) for s in statements(body) if not isinstance(s, If | For))
    return sets == 1 and not any(isinstance(s, For) and sym in written(s) for s in statements(body))


def _target(stmt: Stmt) -> Place:
    assert isinstance(stmt, Assign | Accumulate)
    return stmt.target


def _zero(init: Expr | Initialiser | None) -> bool:
    if isinstance(init, Initialiser):
        return all(isinstance(e, Const) and is_const(e, 0.0) for e in init.values)
    return init is not None and is_const(init, 0.0)
