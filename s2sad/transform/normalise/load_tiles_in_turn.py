"""Load a tile in the iteration that reads it, where the primal loads it ahead.

    s[0][i] = x[i];                                  __syncthreads();
    __syncthreads();                                 for (int t = 0; t < tiles; ++t) {
    for (int t = 0; t < tiles; ++t) {          ->        const int now = t & 1;
        const int now = t & 1;                           s[now][i] = x[t * TILE + i];
        if (t + 1 < tiles)                               __syncthreads();
            s[now ^ 1][i] = x[(t + 1) * TILE + i];       sum += f(s[now][..]);
        sum += f(s[now][..]);                            __syncthreads();
        __syncthreads();                             }
    }

Kernels load ahead to hide the latency. What a later tile overwrites would have to be recorded; a tile that
an iteration loads itself is loaded again in the reversed iteration.

L43. If there is an iteration t + d, iteration t stores values that depend only on t and on what never
changes; the statements before the loop store what the iterations -d, …, -1 would, had there been any; only
the loop's body reads the array. Then all these stores may as well run at the start of the iterations t + d,
before a barrier, if no read of the iterations t, …, t + d - 1 that comes after a store reads what it stores.
It reads another slot; or the array is read before the store in its iteration, d is 1, and a barrier
separates these reads from the end of the iteration. All threads reach the new barrier, as the body has one
already; it separates a store from the reads of all iterations before these.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import replace
from operator import is_

from ...analysis.constants import exact, has_name, literal, overflows
from ...analysis.loops.counted_loops import counter, leaves_early, positive
from ...analysis.symbolic.iteration_values import Iteration, Names, Renamed
from ...analysis.symbolic.polynomials import Poly, number, variable
from ...ir import (
    AddressOf,
    Array,
    Assign,
    Barrier,
    Binary,
    Block,
    Body,
    Declare,
    Expr,
    For,
    Function,
    If,
    Initialiser,
    Place,
    Pointer,
    Stmt,
    Sym,
    expressions,
    is_integer,
    rebuilt,
    scalar_type,
    statements,
    walk,
    without,
)
from ..common.algebra import converted, rewrite, shifted
from ..common.mod_ref import written
from ..common.symbol_uses import mapped
from ..common.thread_coordinates import both

FARTHEST = 3
"""The greatest number of iterations that a tile may be loaded ahead."""


def load_tiles_in_turn(function: Function, stored: Iterable[Sym]) -> Function:
    """The function with tiles loaded in the iterations that read them; the same one if there are none.

    `stored` are the arrays that the launch writes.
    """
    body = _Turns(function, stored).body(function.body)
    return function if body is function.body else replace(function, body=body)


class _Stays(Exception):
    """A loop doesn't load ahead, or it isn't proved."""


class _Turns:
    """The loops of one function that load ahead."""

    def __init__(self, function: Function, stored: Iterable[Sym]) -> None:
        self.function = function
        self.names = Names(function.body, stored)
        self.positive = positive(function)

    def body(self, body: Body) -> Body:
        """A body that isn't in a loop."""
        out: list[Stmt] = []
        for stmt in body:
            try:
                out = self.turned(out, stmt) if isinstance(stmt, For) else [*out, stmt]
            except _Stays:
                out.append(stmt)
            if isinstance(stmt, If | Block):
                out[-1] = rebuilt(stmt, self.body)
        return body if len(out) == len(body) and all(map(is_, out, body)) else tuple(out)

    def turned(self, before: Sequence[Stmt], loop: For) -> list[Stmt]:
        """The statements before a loop and the loop, with its tiles loaded in turn. Raises _Stays."""
        count = counter(loop, frozenset().union(*map(written, (*loop.body, *loop.step))), self.positive)
        barriers = [k for k, s in enumerate(loop.body) if isinstance(s, Barrier) and not s.warp]
        if count is None or not barriers or leaves_early(loop.body):
            raise _Stays
        here = Iteration(self.names, loop, count)
        by, loads = self.loads(loop, here)
        tiles = frozenset(s.target.sym for load in loads for s in _stores(load.then))
        prologue = self.prologue(before, loads, tiles, here, by)
        inside = {s for load in loads for s in statements(load.then)}
        self.refuse_other_accesses(tiles, {*inside, *statements(prologue)}, loop)
        for load in loads:
            for store in _stores(load.then):
                self.refuse_passed_reads(store, loop.body, loop.body.index(load), inside, here, by)
        start = next(k for k, s in enumerate(loop.body) if not isinstance(s, Declare) or _mentions(s, tiles))
        ahead = tuple(s for load in loads for s in load.then)
        earlier = _Earlier(here, by, loop.body[:start], ahead)
        moved = [mapped(s, earlier.change) for s in ahead]
        rest = [s for s in loop.body[start:] if s not in loads]
        new = replace(loop, body=(*loop.body[:start], *moved, Barrier(), *rest))
        return [*without(tuple(before), set(prologue)), new]

    # ---- what is loaded ahead ------------------------------------------------------

    def loads(self, loop: For, here: Iteration) -> tuple[int, list[If]]:
        """The blocks of a loop's body that load ahead, and by how many iterations. Raises _Stays."""
        found = [s for s in loop.body if isinstance(s, If) and not s.other and self.only_loads(s.then)]
        for by in range(1, FARTHEST + 1):
            loads = [s for s in found if here.continues(s.cond, by)]
            if loads:
                return by, loads
        raise _Stays

    def only_loads(self, body: Body) -> bool:
        """Whether a body only stores copies of memory that never changes to shared arrays."""
        return bool(list(_stores(body))) and all(map(self.is_load, body))

    def is_load(self, stmt: Stmt) -> bool:
        match stmt:
            case Declare(_, init):
                return isinstance(init, Expr) and self.is_pure(init)
            case Assign(target, value, None):
                tile = target.sym.storage == "shared" and isinstance(target.sym.type, Array) and target.index
                return bool(tile) and all(map(self.is_pure, (*target.index, value)))
            case For():
                header = _header(stmt)
                return (
                    header is not None
                    and all(map(self.is_pure, header))
                    and all(map(self.is_load, stmt.body))
                )
            case If(cond, then, ()):
                return self.is_pure(cond) and all(map(self.is_load, then))
            case _:
                return False

    def is_pure(self, expr: Expr) -> bool:
        """Whether an expression has no effect and reads only memory that the launch doesn't write."""
        arrays = [sym for sym in expr.symbols if isinstance(sym.type, Array | Pointer)]
        return self.names.is_lasting(expr) and not any(s.storage in ("shared", "local") for s in arrays)

    def prologue(
        self, before: Sequence[Stmt], loads: Sequence[If], tiles: Container[Sym], here: Iteration, by: int
    ) -> tuple[Stmt, ...]:
        """The statements before a loop that load its first tiles. Raises _Stays."""
        first = tuple(s for s in before if _mentions(s, tiles))
        mine = list(_guarded(first))
        if not all(self.is_load(s) for s in first):
            raise _Stays
        theirs = [s for load in loads for s in load.then if not isinstance(s, Declare)]
        if len(mine) != by * len(theirs):
            raise _Stays
        for k, (guard, stmt) in enumerate(mine):
            turn, other = divmod(k, len(theirs))
            if guard is not None and not here.begins(guard, turn):
                raise _Stays
            if not self.is_copy(stmt, theirs[other], here, turn - by, {}):
                raise _Stays
        return first

    def is_copy(self, one: Stmt, two: Stmt, here: Iteration, at: int, renamed: Renamed) -> bool:
        """Whether a statement before the loop does what one of the body would do in iteration `at`."""

        def alike(*pairs: tuple[Expr, Expr]) -> bool:
            return all(here.alike(a, number(at), b, number(at), renamed) for a, b in pairs)

        def copies(mine: Body, theirs: Body) -> bool:
            a, b = ([s for s in body if not isinstance(s, Declare)] for body in (mine, theirs))
            return len(a) == len(b) and all(
                self.is_copy(s, t, here, at, renamed) for s, t in zip(a, b, strict=True)
            )

        match one, two:
            case Assign(), Assign():
                return one.op is two.op is None and alike((one.target, two.target), (one.value, two.value))
            case If(), If():
                return alike((one.cond, two.cond)) and copies(one.then, two.then)
            case For((Declare(a),), _, (Assign(op=op),)), For((Declare(b),), _, (Assign(op=other),)):
                mine, theirs = _header(one), _header(two)
                if mine is None or theirs is None or op != other:
                    return False
                renamed = {**renamed, b: a}
                return alike(*zip(mine, theirs, strict=True)) and copies(one.body, two.body)
            case _:
                return False

    # ---- what reads it --------------------------------------------------------------

    def refuse_other_accesses(self, tiles: Container[Sym], known: Container[Stmt], loop: For) -> None:
        """Raise _Stays if anything else than reads in a loop's body accesses the tiles."""
        reading = set(statements(loop.body))
        for stmt in statements(self.function.body):
            if stmt in known:
                continue
            for part in (part for e in expressions(stmt) for part in walk(e)):
                match part:
                    case AddressOf(place) if place.sym in tiles:
                        raise _Stays
                    case Place(sym, index) if sym in tiles and (stmt not in reading or not index):
                        raise _Stays
                    case _:
                        pass
            if isinstance(stmt, Assign) and stmt.target.sym in tiles:
                raise _Stays

    def refuse_passed_reads(
        self, store: Assign, body: Body, position: int, loads: Container[Stmt], here: Iteration, by: int
    ) -> None:
        """Raise _Stays unless a store may be postponed past all reads up to `by` iterations later."""
        tile = store.target.sym
        every = (s for s in statements(body) if s not in loads)
        reads = [s for s in every if any(tile in e.symbols for e in expressions(s))]
        last = max((k for k, s in enumerate(body) if not set(reads).isdisjoint(statements((s,)))), default=-1)
        met = any(isinstance(s, Barrier) and not s.warp for s in body[last + 1 :])
        if by == 1 and last < position and met:
            return
        places = [p for s in reads for e in expressions(s) for p in walk(e) if isinstance(p, Place)]
        for place in (p for p in places if p.sym is tile):
            pairs = list(zip(store.target.index, place.index, strict=True))
            for later in range(by):
                if not any(self.apart(here, a, b, later) for a, b in pairs):
                    raise _Stays

    def apart(self, here: Iteration, stored: Expr, read: Expr, later: int) -> bool:
        """Whether an index of a store differs from that of a read `later` iterations later, of any thread."""
        j = variable(here.j)
        one, two = here.value(stored, j), here.value(read, j + number(later))
        if one is None or two is None or not (here.is_of_block(one) and here.is_of_block(two)):
            return False
        return here.differ(one, two)


class _Earlier:
    """Rewrites expressions of a loop's body for the iteration that comes `by` later, in terms of its values.

    `known` are the declarations before the new place; `moved` are the statements that are rewritten.
    """

    def __init__(self, here: Iteration, by: int, known: Body, moved: Body) -> None:
        self.here = here
        self.now = variable(here.j)
        self.then = self.now - number(by)
        self.by = by
        self.own = {s.sym for s in statements(moved) if isinstance(s, Declare)}
        self.counters = {
            d.sym for s in statements(moved) if isinstance(s, For) for d in s.init if isinstance(d, Declare)
        }
        self.given = [here.count.sym, *(s.sym for s in known if isinstance(s, Declare))]

    def change(self, e: Expr) -> Expr | None:
        here, value = self.here, self.value(e)
        if value is not None and here.varies(value):
            for sym in self.given:
                place = Place(sym, (), sym.type)
                if is_integer(place) and here.value(place, self.now) == value:
                    return converted(place, e.type)
        match e:
            case Place(sym, ()) if sym is here.count.sym:
                return self.counted(e)
            case Place(sym, ()) if sym in self.own:
                return None
            case Place(sym, ()) if sym in here.inside:
                if sym in self.given and value is not None and not here.varies(value):
                    return None
                definition = here.names.definition(sym)
                if definition is None:
                    raise _Stays
                return converted(rewrite(definition, self.change), e.type)
            case Place(sym, ()) if sym in here.names.changed:
                raise _Stays
            case Binary("%" | "/", left) if is_integer(e) and self.turns_negative(left):
                raise _Stays  # the remainder would be, too
            case _:
                return None

    def value(self, e: Expr) -> Poly | None:
        return self.here.value(e, self.then) if is_integer(e) else None

    def counted(self, e: Place) -> Expr:
        """The counter's value `by` iterations earlier."""
        count = self.here.count
        if not overflows(scalar_type(e)):
            raise _Stays  # before the first iteration it would be a large number
        new: Expr = e
        for _ in range(self.by):
            if literal(count.step) is not None and not has_name(count.step):
                new = shifted(
                    new, -int(exact(count.step) or 0) if count.ascending else exact(count.step) or 0
                )
            else:
                new = both("-" if count.ascending else "+", new, count.step)
        return converted(new, e.type)

    def turns_negative(self, e: Expr) -> bool:
        """Whether a value that depends on the iteration may be negative before the first one."""
        value = self.value(e)
        if value is not None:
            natural = value.atoms <= {self.here.j} and all(c >= 0 for _, c in value.terms)
            return self.here.varies(value) and not natural
        return any(sym is self.here.count.sym or sym in self.here.inside - self.counters for sym in e.symbols)


def _header(loop: For) -> tuple[Expr, Expr, Expr] | None:
    """The start, the condition and the step of a loop that declares and steps one counter."""
    match loop:
        case For((Declare(sym, start),), cond, (Assign(Place(stepped, ()), step),)) if sym is stepped:
            if start is not None and not isinstance(start, Initialiser) and cond is not None:
                return start, cond, step
    return None


def _stores(body: Body) -> Iterator[Assign]:
    return (s for s in statements(body) if isinstance(s, Assign) and s.target.sym.storage == "shared")


def _mentions(stmt: Stmt, tiles: Container[Sym]) -> bool:
    return any(sym in tiles for s in statements((stmt,)) for e in expressions(s) for sym in e.symbols)


def _guarded(body: Body) -> Iterator[tuple[Expr | None, Stmt]]:
    """The statements of a prologue that aren't declarations, with the condition around each."""
    for stmt in body:
        match stmt:
            case If(cond, then, ()):
                yield from ((cond, s) for s in then if not isinstance(s, Declare))
            case _:
                yield None, stmt
