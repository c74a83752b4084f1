"""Indices determined by the launch: made of coordinates, integer parameters and loop counters.

    int base = (n * C + blockIdx.z) * HxW;      base + i: given, by blockIdx.z and threadIdx.x
    int i = threadIdx.x;
    y[base + i] = …
    y[idx[i]] = …                               idx[i]: data

Whether two threads overlap in an element is then the author's arithmetic, not the contents of a
caller's array: it suffices that the primal has no races, as the contract assumes. The operands
of an index are traced backwards through locals: every assignment of a variable counts, and every
condition that selects among several, unless it holds at the use as well. Anything that can't be
traced counts as data.

An index that omits a coordinate, as bias[threadIdx.x] in a two-dimensional block or
y[threadIdx.x / 32], is that of several threads. They may well store the same value; so the value
must not differ between them: it depends on other coordinates only, or is proved uniform across
a block, or a warp (`uniform_stores`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ...ir import (
    COLLECTIVE,
    INT,
    AddressOf,
    Assign,
    Binary,
    Body,
    Call,
    Cast,
    Const,
    Declare,
    DoWhile,
    Expr,
    For,
    Function,
    If,
    Initialiser,
    Place,
    Pointer,
    Scalar,
    Special,
    Stmt,
    Switch,
    Sym,
    Unary,
    While,
    all_parts,
    asked,
    bodies,
    children,
    is_integer,
    unconverted,
    walk,
)
from ..atomics import is_drawn
from ..function_attributes import looked_at, of_arguments
from ..ssa import Loop
from ..threads.uniform_stores import Agreement

STEPS = 4000  # variables traced for one index; beyond it, it counts as data
MERGED = "merged"
"""The coordinate passes an operation that maps several threads to one element: t / 32, min(t, n - 1)."""

_OUTER = frozenset({"threadIdx.y", "threadIdx.z", "blockIdx.x", "blockIdx.y", "blockIdx.z"})
_ORDERS = frozenset({"<", "<=", ">", ">="})

MERGING = frozenset({"min", "max", "umin", "umax", "llmin", "llmax", "ullmin", "ullmax", "abs", "labs"})


@dataclass(frozen=True)
class Origin:
    """The operands of a value: coordinates as `threadIdx.x`, and whether it depends on data.

    `whole` are the coordinates that appear unmerged in it, or bound a counter in it.
    """

    coordinates: frozenset[str]
    whole: frozenset[str]
    data: bool


@dataclass(frozen=True, eq=False)
class _Set:
    """One assignment of a variable: the operands of its value, and the statement."""

    parts: tuple[Expr, ...]
    stmt: Stmt


@dataclass(frozen=True)
class _Around:
    """A statement whose condition decides whether its body is executed."""

    holder: Stmt
    condition: Expr | None
    holds: bool = True  # or the body runs where it doesn't
    one: bool = False  # the body runs for one value only: in a case of a switch


@dataclass(eq=False)
class Given:
    """The origins of one kernel's indices; `functions` are the device functions that it may call."""

    kernel: Function
    functions: Mapping[str, Function]
    sets: dict[Sym, list[_Set]] = field(default_factory=dict)
    homes: dict[Sym, Stmt] = field(default_factory=dict)  # where variables are declared
    around: dict[Stmt, tuple[_Around, ...]] = field(default_factory=dict)
    elsewhere: set[Sym] = field(default_factory=set)  # set through an address
    bounding: dict[tuple[Sym, Stmt, bool], frozenset[str]] = field(default_factory=dict)
    reaching: dict[tuple[Sym, Stmt], tuple[Sequence[_Set], Stmt | None]] = field(default_factory=dict)
    # a statement's body, its position there, and the statement that contains the body
    places: dict[Stmt, tuple[Body, int, Stmt | None]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._body(self.kernel.body, ())
        for expr in all_parts(*self.kernel.body):
            if isinstance(expr, AddressOf) and not expr.place.index:
                self.elsewhere.add(expr.place.sym)

    def tells(self, stmt: Assign, threads: frozenset[str], agreed: Agreement | None = None) -> bool:
        """Whether the launch determines where a statement stores, and no threads there differ in the value.

        `threads` are the coordinates that count. The element must not be shared by all threads of a
        block, unless they are `agreed` on where and what they store; the value must not depend on the
        coordinates that the index omits and no guard fixes.
        """
        if agreed is not None and agreed.in_block(stmt):
            threads = frozenset(c for c in threads if not c.startswith("threadIdx"))
            if not threads:
                return True
        index = self._followed(((e, stmt) for e in stmt.target.index), self._given)
        if index.data:
            index = self._base(stmt)
        if index.data or not index.coordinates & threads:
            return False
        chosen = index.whole | self._chosen(stmt)
        in_block = {c for c in threads if c.startswith("threadIdx")}
        if in_block and not in_block & (index.coordinates | chosen):
            return False
        # In (block + thread) / 32, by one lane, the thread has no effect on which block it is.
        alone = {f"blockIdx.{c[-1]}" for c in chosen if c in in_block} & index.coordinates
        left_out = threads - chosen - alone
        if not left_out:
            return True
        value = self._followed([(stmt.value, stmt)], self._alike) if stmt.op is None else None
        return value is not None and not value.data and not left_out & value.coordinates

    def _base(self, stmt: Assign) -> Origin:
        """Return the part of a sum index that the launch gives, if data only selects a thread's own element.

            row[b] = …             w[i * K + b], where b depends on data: an element of the thread's row
            column[k * n + i]      of its column
            out[i + off[i]]        data: nothing is there between one thread's element and the next's

        A factor separates the parts that the launch gives, or the others. That data stays within
        the thread's own elements is the author's arithmetic again: outside them it would race.
        """
        parts = [part for e in stmt.target.index for part in self._summands(e, stmt)]
        made = [(e, at, self._followed([(e, at)], self._given)) for e, at in parts]
        given = [(e, at) for e, at, origin in made if not origin.data]
        picked = [e for e, _, origin in made if origin.data]
        if len(stmt.target.index) == 1:
            steps = [e for e, _, origin in made if not origin.data and origin.coordinates]
            if not all(map(_scaled, steps)) and not all(map(_scaled, picked)):
                return Origin(frozenset(), frozenset(), True)
        return self._followed(given, self._given)

    def _summands(self, expr: Expr, stmt: Stmt) -> Iterator[tuple[Expr, Stmt]]:
        """Yield the terms of a sum, and the statement of each; a local is replaced by its value."""
        match expr:
            case Binary("+" | "-", left, right):
                yield from self._summands(left, stmt)
                yield from self._summands(right, stmt)
            case Cast(arg) if is_integer(arg) and is_integer(expr) and not _narrow(expr):
                yield from self._summands(arg, stmt)
            case Place(sym, ()) if sym not in self.elsewhere:
                sets, last = self._reaching(sym, stmt)
                made = sets[0].stmt if len(sets) == 1 and sets[0].stmt is last else None
                match made:
                    case Declare(_, value) if isinstance(value, Expr):
                        yield from self._summands(value, made)
                    case Assign(Place(_, ()), value, None):
                        yield from self._summands(value, made)
                    case _:
                        yield expr, stmt
            case _:
                yield expr, stmt

    def races(self, stmt: Assign, left_out: frozenset[str]) -> bool:
        """Whether threads that differ in these coordinates alone would race at a store.

        No part of the index, or of a guard that selects a thread, depends on them; and the stored value
        may differ with them, or depends on the old value. Never with threadIdx.x: the launch has
        extent one in each coordinate that races, and rows have more than one thread.
        """
        if not left_out or not left_out <= _OUTER:
            return False
        index = self._followed(((e, stmt) for e in stmt.target.index), self._given)
        if index.data or index.coordinates & left_out:
            return False
        for at in self.around[stmt]:
            if at.condition is None or isinstance(at.holder, Switch):
                return False
            for part in asked(at.condition):
                origin = self._followed([(part, at.holder)], self._given)
                ordered = isinstance(part, Binary) and part.op in _ORDERS
                if origin.data or (not ordered and origin.coordinates & left_out):
                    return False
        if stmt.op is not None or stmt.target in walk(stmt.value):
            return True
        value = self._followed([(stmt.value, stmt)], lambda part: True, contents=False)
        if value.data:
            return False
        known = self._followed([(stmt.value, stmt)], self._alike)
        blocks = frozenset(c for c in left_out if c.startswith("blockIdx"))
        return left_out <= value.coordinates | (blocks if known.data else frozenset())

    def _chosen(self, stmt: Stmt) -> frozenset[str]:
        """Return the coordinates that guards around a statement fix: `if (threadIdx.x == 0)`."""
        found = frozenset[str]()
        for at in self.around.get(stmt, ()):
            for cond in (at.condition,) if at.one and at.condition else _equalities(at.condition, at.holds):
                origin = self._followed([(cond, at.holder)], self._given)
                found |= frozenset() if origin.data else origin.coordinates
        return found

    # ---- tables ------------------------------------------------------------

    def _body(self, body: Body, around: tuple[_Around, ...], first: int = 0) -> None:
        for position, stmt in enumerate(body[first:], first):
            self.around[stmt] = around
            self.places[stmt] = body, position, around[-1].holder if around else None
            inner, parts = around, bodies(stmt)
            match stmt:
                case Declare(sym, init):
                    self.homes[sym] = stmt
                    values = init.values if isinstance(init, Initialiser) else () if init is None else (init,)
                    self._set(sym, values, stmt)
                case Assign(target, value):
                    old = () if stmt.op is None else (target,)
                    self._set(target.sym, (*target.index, value, *old), stmt)
                case For(init, cond):
                    self._body((*body[:position], *init), around, position)
                    inner, parts = (*around, _Around(stmt, cond)), (stmt.step, stmt.body)
                case If(cond, then, other):
                    self._body(other, (*around, _Around(stmt, cond, False)))
                    inner, parts = (*around, _Around(stmt, cond)), (then,)
                case While() | DoWhile():
                    inner = (*around, _Around(stmt, stmt.cond))
                case Switch(selector):
                    for case in stmt.cases:  # in tail form, none falls through to the next
                        one = len(case.labels) == 1 and case.labels != (None,)
                        self._body(case.body, (*around, _Around(stmt, selector, one=one)))
                    parts = ()
                case _:
                    pass
            for part in parts:
                self._body(part, inner)

    def _set(self, sym: Sym, parts: tuple[Expr, ...], stmt: Stmt) -> None:
        if parts:
            self.sets.setdefault(sym, []).append(_Set(parts, stmt))

    # ---- backward tracing ----------------------------------------------------------

    def _followed(
        self, uses: Iterable[tuple[Expr, Stmt]], plain: Callable[[Expr], bool], contents: bool = True
    ) -> Origin:
        """Trace the operands of values, each used in a statement; anything not `plain` is data.

        `contents`: also the contents of the elements that they read, not only the indices.
        """
        found: dict[str, set[str]] = {}
        seen: set[tuple[Sym, Stmt, str]] = set()
        todo = [(expr, stmt, "") for expr, stmt in uses]
        while todo:
            expr, stmt, under = todo.pop()
            if not plain(expr) or len(seen) > STEPS:
                return Origin(frozenset(found), frozenset(), True)
            inner = under
            match expr:
                case Special("threadIdx" | "blockIdx" as name, axis):
                    found.setdefault(f"{name}.{axis}", set()).add(under)
                case Call(callee=str(callee)):
                    for coordinate in looked_at(self.functions[callee]):
                        found.setdefault(coordinate, set()).add(under)
                case Binary("/" | ">>" as op, _, by) if is_integer(expr) and not (
                    expr.exact or _none(op, by)
                ):
                    inner = MERGED
                case Call(name) if name in MERGING:
                    inner = MERGED
                case Cast(arg) if is_integer(expr) and (not is_integer(arg) or _narrow(expr)):
                    inner = MERGED
                case Place(sym, index) if contents or not index:
                    if (sym, stmt, under) not in seen:
                        seen.add((sym, stmt, under))
                        todo += ((e, s, under) for e, s in self._made(sym, stmt))
                        for coordinate in self._bounding(sym, stmt, plain):
                            found.setdefault(coordinate, set()).add("")
                case _:
                    pass
            todo += ((child, stmt, inner) for child in children(expr))
        whole = (c for c, ways in found.items() if "" in ways)
        return Origin(frozenset(found), frozenset(whole), False)

    def _made(self, sym: Sym, stmt: Stmt) -> Iterator[tuple[Expr, Stmt]]:
        """Yield the operands of a variable for a use: values, and conditions that select them."""
        here = frozenset(at.holder for at in self.around[stmt])
        sets, last = self._reaching(sym, stmt)
        home = last or self.homes.get(sym)  # in the same iteration of the loops around it
        outside = {at.holder for at in (self.around[home] if home is not None else ())}
        for made in sets:
            yield from ((part, made.stmt) for part in made.parts)
            carried = False  # between iterations, in which other conditions may have held
            for at in self.around[made.stmt]:
                if at.holder in outside:
                    continue
                if at.condition is not None and (carried or at.holder not in here):
                    yield at.condition, at.holder
                carried = carried or isinstance(at.holder, Loop)

    def _reaching(self, sym: Sym, stmt: Stmt) -> tuple[Sequence[_Set], Stmt | None]:
        """Return the assignments that may reach a variable's use in a statement, and the last that kills.

        One counter serves many loops. Goes backwards to an assignment that comes before the use whenever
        that is executed; a loop on the way contributes all its assignments.
        """
        key = sym, stmt
        if key not in self.reaching:
            self.reaching[key] = self._before(sym, stmt)
        return self.reaching[key]

    def _before(self, sym: Sym, stmt: Stmt) -> tuple[Sequence[_Set], Stmt | None]:
        sets = self.sets.get(sym, [])
        found: dict[_Set, None] = {}
        at: Stmt | None = stmt
        while at is not None:
            if isinstance(at, Loop):  # what an iteration before this one left
                found.update((s, None) for s in sets if self._holds(at, s.stmt))
                for first in reversed(at.init) if isinstance(at, For) else ():
                    if _all_of(first, sym):
                        return tuple(found), first
            body, position, holder = self.places[at]
            for before in reversed(body[:position]):
                found.update((s, None) for s in sets if s.stmt is before or self._holds(before, s.stmt))
                if _all_of(before, sym):
                    return tuple(found), before
            at = holder
        return tuple(found), None

    def _holds(self, holder: Stmt, stmt: Stmt) -> bool:
        if isinstance(holder, For) and any(stmt is s for s in holder.init):
            return True
        return any(at.holder is holder for at in self.around[stmt])

    def _bounding(self, sym: Sym, stmt: Stmt, plain: Callable[[Expr], bool]) -> frozenset[str]:
        """Return the coordinates that bound a counter: for i from n * t / T to n * (t + 1) / T, threadIdx.x.

        A counter that is bounded by this one in turn adds none.
        """
        here = frozenset(at.holder for at in self.around[stmt])
        key = sym, stmt, plain == self._given
        if key in self.bounding:
            return self.bounding[key]
        found = self.bounding[key] = frozenset()
        for made in self._reaching(sym, stmt)[0]:
            for at in self.around[made.stmt]:
                loop, cond = at.holder, at.condition
                if isinstance(loop, For) and loop in here and cond is not None and made.stmt in loop.step:
                    bound = self._followed(_others(cond, sym, loop), plain)
                    found |= frozenset() if bound.data else bound.coordinates
        self.bounding[key] = found
        return found

    def _given(self, part: Expr) -> bool:
        """Whether a part of an index adds no data by itself."""
        return self._alike(part) and not _loaded(part)

    def _alike(self, part: Expr) -> bool:
        """Whether threads that agree on a part's operands and coordinates agree on it."""
        match part:
            case AddressOf():
                return False
            case Call(callee=None):
                return bool(part.args) and not is_drawn(part) and part.rule not in COLLECTIVE
            case Call(callee=str(callee)):
                function = self.functions.get(callee)
                return function is not None and of_arguments(function)
            case Place(sym, index) if isinstance(sym.type, Pointer):
                return bool(index) and sym not in self.sets and sym.storage != "shared"
            case Place(sym):
                return sym.storage != "shared" and sym not in self.elsewhere
            case _:
                return True


def _scaled(expr: Expr) -> bool:
    """Whether a part of an index is multiplied by something: a row's number, not an element's."""
    match unconverted(expr):
        case Binary("*", left, right):
            return all(unconverted(e) != Const(1, INT) for e in (left, right))
        case Binary("<<", _, by):
            return not _none("<<", by)
        case _:
            return False


def _all_of(stmt: Stmt, sym: Sym) -> bool:
    """Whether a statement sets a whole variable, independent of its old value."""
    match stmt:
        case Declare(made):
            return made is sym
        case Assign(Place(made, ()), _, None):
            return made is sym
        case _:
            return False


def _none(op: str, by: Expr) -> bool:
    """Whether a division by `by`, or a shift, leaves a number unchanged."""
    match unconverted(by):
        case Const(value):
            return value == (1 if op == "/" else 0)
        case _:
            return False


def _narrow(expr: Expr) -> bool:
    return isinstance(expr.type, Scalar) and expr.type.size < 4


def _others(cond: Expr, sym: Sym, stmt: Stmt) -> Iterator[tuple[Expr, Stmt]]:
    """Yield the sides of a comparison that don't mention a variable."""
    for side in children(cond):
        if sym not in side.symbols:
            yield side, stmt


def _loaded(part: Expr) -> bool:
    """Whether a part is an element in memory that other threads may write."""
    return isinstance(part, Place) and bool(part.index) and part.sym.storage != "local"


def _equalities(cond: Expr | None, holds: bool) -> Iterator[Expr]:
    """Yield the expressions that are zero, or compared equal, where a condition holds, or doesn't."""
    match cond:
        case Binary("&&", left, right) if holds:
            yield from _equalities(left, holds)
            yield from _equalities(right, holds)
        case Binary("||", left, right) if not holds:
            yield from _equalities(left, holds)
            yield from _equalities(right, holds)
        case Binary("==" | "!=" as op) if (op == "==") is holds:
            yield cond
        case Unary("!", arg):
            yield from _equalities(arg, not holds)
        case Binary() | None:
            pass
        case _ if not holds:
            yield cond  # an integer that is zero
        case _:
            pass
