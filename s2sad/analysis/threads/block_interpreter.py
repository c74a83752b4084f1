"""Interpret a stretch of a kernel for all threads of a block: which thread holds the sum of which values.

    v += __shfl_down_sync(m, v, 16); …      thread 0 holds {0 .. 31}, thread 32 {32 .. 63}, …
    if (lane == 0) part[warp] = v;          part[0] holds {0 .. 31}, part[1] {32 .. 63}
    __syncthreads();
    v = t < 2 ? part[lane] : 0.0f; …

Positions are concrete numbers here, and a thread's initial value is a set of one: the thread
itself. Adding two values with disjoint sets unites the sets. The results of all other
operations, and everything that depends on anything but a thread's position, are unknown. So
a value whose set is all threads is the sum of their initial values, each of them once,
however the stretch computes it. This isn't testing by example: a block of that size does
exactly this, whatever the values are.

All threads run a statement before any runs the next. In a primal without races any order
gives the same result. An element that no thread has stored, in no statement of the kernel, is
`Nothing`: a primal that uses it has no meaning in a block of that size.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from ...ir import (
    Array,
    Assign,
    Barrier,
    Binary,
    Block,
    Body,
    Call,
    Cast,
    Const,
    Declare,
    Expr,
    For,
    If,
    Initialiser,
    Place,
    Scalar,
    Select,
    Special,
    Stmt,
    Sym,
    Unary,
    statements,
    walk,
)
from ..constants import WARP
from ..ssa import targets
from .interpreter_values import (
    Holds,
    Nothing,
    Unknown,
    Value,
    Values,
    both,
    cast,
    each,
    goes,
    integers,
    paired,
    spread,
    unary,
)

LONGEST = 2000  # statements that a stretch may execute


class Stuck(Exception):
    """Can't be interpreted: it depends on more than positions, or does more than add up."""


class Meaningless(Exception):
    """The primal has no meaning in a block of that size."""


Stores = Mapping[Sym, frozenset[tuple[int, ...]] | None]
"""The elements of shared arrays to which the kernel stores in a block; None if unknown."""


class Enacted:
    """A one-dimensional block of some number of threads, and their values."""

    def __init__(self, threads: int, positions: Mapping[Sym, Expr], stores: Stores) -> None:
        self.threads = threads
        self.positions = positions
        self.stores = stores
        self.brought: dict[Sym, int] = {}
        self.locals: dict[Sym, Values] = {}
        self.having: dict[Sym, int] = {}  # how many threads have a variable that not all have
        self.shared: dict[Sym, dict[tuple[int, ...], Value]] = {}
        self.steps = 0
        self.everyone = list(range(threads))

    @property
    def full(self) -> int:
        return (1 << self.threads) - 1

    def sum_of(self, value: Value) -> Sym | None:
        """Return the variable whose sum over the block a value is."""
        if not isinstance(value, Holds):
            return None
        for sym, number in self.brought.items():
            if value.bits == self.full << number * self.threads:
                return sym
        return None

    # ---- statements --------------------------------------------------------

    def run(self, stmts: Sequence[Stmt], who: list[int] | None = None) -> None:
        """Execute statements. Raises Stuck and Meaningless."""
        who = self.everyone if who is None else who
        for stmt in stmts if who else ():
            self.step(stmt, who)

    def count(self) -> None:
        """Count one step. Raises Stuck after too many."""
        self.steps += 1
        if self.steps > LONGEST:
            raise Stuck

    def step(self, stmt: Stmt, who: list[int]) -> None:
        self.count()
        match stmt:
            case Declare(sym, init):
                if isinstance(init, Initialiser) or (init is not None and sym.storage == "shared"):
                    raise Stuck
                if sym.storage != "shared":
                    self.having[sym] = len(who)
                    first: Values = Nothing if init is None else self.of(init, who)
                    self.locals[sym] = first if len(who) == self.threads else Nothing
                    self.put(sym, who, first)
            case Assign(target, value, op):
                found = self.of(value, who)
                if op is not None:
                    found = paired(op[:-1], self.of(target, who), found, value.type)
                    found = cast(found, target.type)
                self.store(target, who, found)
            case If(cond, then, other):
                yes, no = self.parted(cond, who)
                self.run(then, yes)
                self.run(other, no)
            case For(init, cond, step, body) if cond is not None:
                self.run(init, who)
                while who := self.parted(cond, who)[0]:
                    self.count()
                    self.run(body, who)
                    self.run(step, who)
            case Block(body):
                self.run(body, who)
            case Barrier():
                if not stmt.warp and len(who) < self.threads:
                    raise Stuck
            case _:
                raise Stuck

    def put(self, sym: Sym, who: list[int], values: Values) -> None:
        all_have = len(who) == self.having.get(sym, self.threads)
        if all_have and (not isinstance(values, list) or len(who) == self.threads):
            self.locals[sym] = values
            return
        if sym not in self.locals:
            self.read(sym, self.everyone)
        mine = self.locals[sym]
        mine = list(mine) if isinstance(mine, list) else [mine] * self.threads
        for t, value in zip(who, spread(values, who), strict=True):
            mine[t] = value
        self.locals[sym] = mine

    def store(self, target: Place, who: list[int], values: Values) -> None:
        if target.sym.storage == "shared":
            cells = self.shared.setdefault(target.sym, {})
            for cell, value in zip(self.cells(target, who), spread(values, who), strict=True):
                if cell is None:
                    raise Stuck
                cells[cell] = value
        elif variable(target):
            self.put(target.sym, who, values)
        else:
            raise Stuck

    def parted(self, cond: Expr, who: list[int]) -> tuple[list[int], list[int]]:
        """Split threads by whether a condition holds for them. Raises Stuck."""
        found = self.of(cond, who)
        if not isinstance(found, list):
            if not isinstance(found, int | float):
                raise Stuck
            return (who, []) if found else ([], who)
        if not all(isinstance(value, int | float) for value in found):
            raise Stuck
        pairs = list(zip(who, found, strict=True))
        return [t for t, c in pairs if c], [t for t, c in pairs if not c]

    # ---- values ------------------------------------------------------------

    def of(self, expr: Expr, who: list[int]) -> Values:
        """Evaluate an expression for some threads."""
        match expr:
            case Const(value):
                return value
            case Special("threadIdx", "x"):
                return list(who)
            case Special("blockDim", "x"):
                return self.threads
            case Special("threadIdx" | "blockDim" as name, _):
                return int(name == "blockDim")
            case Special("warpSize"):
                return WARP
            case Place(sym, ()) if variable(expr):
                return self.read(sym, who)
            case Place(sym) if sym.storage == "shared":
                return [self.cell(sym, cell) for cell in self.cells(expr, who)]
            case Cast(arg, Scalar() as type_):
                return cast(self.of(arg, who), type_, arg.type)
            case Unary(op, arg):
                return each(partial(unary, op, type_=expr.type), self.of(arg, who))
            case Binary("&&" | "||" as op, left, right):
                ones = spread(self.of(left, who), who)
                more = [t for t, a in zip(who, ones, strict=True) if goes(op, a)]
                rest = dict(zip(more, spread(self.of(right, more), more), strict=True))
                return [both(op, a, rest.get(t)) for t, a in zip(who, ones, strict=True)]
            case Binary(op, left, right):
                return paired(op, self.of(left, who), self.of(right, who), expr.type)
            case Select(cond, then, other):
                chosen = list(zip(who, spread(self.of(cond, who), who), strict=True))
                known = [(t, c) for t, c in chosen if isinstance(c, int | float)]
                yes, no = [t for t, c in known if c], [t for t, c in known if not c]
                picked: dict[int, Value] = dict(zip(yes, spread(self.of(then, yes), yes), strict=True))
                picked.update(zip(no, spread(self.of(other, no), no), strict=True))
                return [picked.get(t, Unknown) for t in who]
            case Call(rule="shuffle"):
                return self.shuffled(expr, who)
            case _:
                return Unknown

    def read(self, sym: Sym, who: list[int]) -> Values:
        if sym in self.locals:
            mine = self.locals[sym]
            if not isinstance(mine, list) or len(who) == self.threads:
                return mine
            return [mine[t] for t in who]
        if sym in self.positions:
            self.locals[sym] = self.of(self.positions[sym], self.everyone)
        elif isinstance(sym.type, Scalar) and sym.type.is_float:
            first = self.brought.setdefault(sym, len(self.brought)) * self.threads
            self.locals[sym] = [Holds(1 << t + first) for t in self.everyone]
        else:
            return Unknown
        return self.read(sym, who)

    def cells(self, place: Place, who: list[int]) -> list[tuple[int, ...] | None]:
        """Return the elements that threads access; None where unknown. Raises Meaningless."""
        columns = [spread(self.of(e, who), who) for e in place.index]
        array = place.sym.type
        extents = array.extents if isinstance(array, Array) else ()
        if len(columns) != len(extents):
            raise Stuck
        out: list[tuple[int, ...] | None] = []
        if len(columns) == 1 and integers(columns[0]):
            if min(columns[0]) < 0 or 0 < extents[0] <= max(columns[0]):
                raise Meaningless
            return [(e,) for e in columns[0]]
        for means in zip(*columns, strict=True):
            cell = tuple(e for e in means if isinstance(e, int))
            if len(cell) < len(columns):
                out.append(None)
                continue
            if not all(e >= 0 and (n == 0 or e < n) for e, n in zip(cell, extents, strict=True)):
                raise Meaningless
            out.append(cell)
        return out

    def cell(self, sym: Sym, cell: tuple[int, ...] | None) -> Value:
        if cell is None:
            return Unknown
        known = self.shared.get(sym, {})
        if cell in known:
            return known[cell]
        elsewhere = self.stores.get(sym)
        return Unknown if elsewhere is None or cell in elsewhere else Nothing

    def shuffled(self, call: Call, who: list[int]) -> Values:
        """Return the values that lanes get in a shuffle. Raises Stuck if a lane in the mask is absent."""
        mask, values, by = (self.of(e, who) for e in call.args[:3])
        width = self.of(call.args[3], who) if len(call.args) > 3 else WARP
        if not isinstance(mask, int) or not isinstance(width, int) or width not in (1, 2, 4, 8, 16, 32):
            raise Stuck
        named = [bool(mask >> k & 1) for k in range(WARP)]
        mine: list[Value | None] = [None] * self.threads
        for t, value in zip(who, spread(values, who), strict=True):
            mine[t] = value
            if not named[t % WARP]:
                raise Stuck
        warps = {t - t % WARP for t in who}
        if any(mine[warp + k] is None for warp in warps for k in range(WARP) if named[k]):
            raise Stuck
        sources: dict[int, list[int]] = {}
        out: list[Value] = []
        for t, distance in zip(who, spread(by, who), strict=True):
            if not isinstance(distance, int):
                raise Stuck
            if distance not in sources:
                sources[distance] = [_source(call.name, lane, distance, width) for lane in range(WARP)]
            lane = t % WARP
            found = mine[t - lane + sources[distance][lane]]
            out.append(Nothing if found is None else found)
        return out


def _source(name: str, lane: int, by: int, width: int) -> int:
    """Return the lane that a lane reads from, as the manual specifies."""
    start, own = lane - lane % width, lane % width
    match name:
        case "__shfl_down_sync":
            return lane + by if by >= 0 and own + by < width else lane
        case "__shfl_up_sync":
            return lane - by if by >= 0 and own >= by else lane
        case "__shfl_xor_sync":
            return lane ^ by if 0 <= by < WARP and lane ^ by < start + width else lane
        case "__shfl_sync":
            return start + by % width
        case _:
            raise Stuck


# ---- statements that can be interpreted --------------------------------------------


def enactable(stmt: Stmt) -> bool:
    """Whether a statement uses only positions, locals, shared memory and shuffles."""
    for s in statements((stmt,)):
        tops: tuple[Expr, ...] = ()
        match s:
            case Declare(sym, init):
                plain = isinstance(sym.type, Scalar) or (sym.storage == "shared" and init is None)
                if not plain or isinstance(init, Initialiser):
                    return False
                tops = () if init is None else (init,)
            case Assign(target, value):
                if not variable(target) and target.sym.storage != "shared":
                    return False
                tops = (target, value)
            case If(cond) | For(_, cond):
                tops = () if cond is None else (cond,)
            case Block() | Barrier(mask=None):
                pass
            case _:
                return False
        if not all(_plain(e) for top in tops for e in walk(top)):
            return False
    return True


def variable(place: Place) -> bool:
    """Whether a place is one of a thread's own variables, including parameters."""
    own = place.sym.storage in ("local", "parameter")
    return own and not place.index and isinstance(place.sym.type, Scalar)


def _plain(expr: Expr) -> bool:
    match expr:
        case Const() | Unary() | Binary() | Select() | Cast():
            return True
        case Special(name):
            return name in ("threadIdx", "blockDim", "warpSize")
        case Place(sym):
            return sym.storage == "shared" or variable(expr)
        case Call():
            return expr.rule == "shuffle"
        case _:
            return False


def positions(body: Body) -> dict[Sym, Expr]:
    """Find the integers that are set once, from a thread's position alone, and their values."""
    written: dict[Sym, int] = {}
    made: dict[Sym, Expr] = {}
    for stmt in statements(body):
        for target in targets(stmt):
            written[target.sym] = written.get(target.sym, 0) + 1
        match stmt:
            case Declare(Sym(type=Scalar(is_float=False)) as sym, init) if isinstance(init, Expr):
                made[sym] = init
            case _:
                pass
    found: dict[Sym, Expr] = {}
    for sym, init in made.items():  # in order: initialisers are checked before their readers
        parts = list(walk(init))
        known = all(e.sym in found and not e.index for e in parts if isinstance(e, Place))
        if written[sym] == 1 and known and all(_plain(e) and not isinstance(e, Call) for e in parts):
            found[sym] = init
    return found


def stored(body: Body, arrays: Sequence[Sym], threads: int, known: Mapping[Sym, Expr]) -> Stores:
    """Find the elements of some shared arrays to which any statement may store in a block of that size."""
    found: dict[Sym, set[tuple[int, ...]] | None] = {sym: set() for sym in arrays}
    for stmt in statements(body):
        for target in targets(stmt):
            cells = found.get(target.sym)
            if cells is None:
                continue
            block = Enacted(threads, known, {})
            try:
                means = block.cells(target, block.everyone)
            except Meaningless:
                means = [None]  # some threads may not execute it
            if None in means:
                found[target.sym] = None
            else:
                cells.update(cell for cell in means if cell is not None)
    return {sym: None if cells is None else frozenset(cells) for sym, cells in found.items()}
