"""Remove redundant barriers, and clears whose zero is never read, from an adjoint.

Every barrier of the primal is mirrored, and repeated wherever stores to shared memory are
re-run. A barrier is needed if an access before it and one after it may conflict: two accesses
to one array by different threads, not both reads and not both atomic, with no other
barrier in between. The rest are removed one by one, each judged without those already removed.
A block sum contains a barrier. It counts as one at the very end (`sums`), when no sum is moved or left out
any more, and unless blocks without its element skip it. Only barriers beside it go for that reason; a comment
stands in their place, as no reader of the kernel sees the one in the helper. Sums that follow each other may
share a call: its barrier is before the additions of all.
For a warp barrier, other warp barriers count as separators too; for a block barrier they don't.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from ....analysis.atomics import update
from ....analysis.ssa import Loop
from ....ir import (
    ATOMICS,
    Accumulate,
    AddressOf,
    Assign,
    Barrier,
    Body,
    Break,
    Clear,
    Comment,
    Continue,
    DoWhile,
    Expr,
    For,
    If,
    Place,
    Record,
    Restore,
    Return,
    Stmt,
    Switch,
    Sym,
    While,
    bodies,
    expressions,
    rebuilt,
    statements,
    substituted,
    walk,
)
from ...common.thread_ownership import Own
from ...common.wording import listed


def with_needed_barriers(
    body: Body, exchanged: frozenset[Sym], dimensions: int, *, sums: bool = False
) -> Body:
    """The body with only the barriers and clears that it needs; threads exchange `exchanged` arrays.

    `sums`: whether block sums count as barriers.
    """
    if not any(isinstance(s, Barrier) for s in statements(body)):
        return body
    body = _read_later(body)
    own = Own(body, dimensions)
    needless: set[Barrier] = set()
    ordered: dict[Barrier, frozenset[Sym]] = {}  # what the barrier of a block sum orders instead
    found = [s for s in statements(body) if isinstance(s, Barrier) and s.mask is None]
    if sums:
        beside = set(_beside_sums(body))
        found = [s for s in found if s in beside]
    for barrier in sorted(found, key=lambda s: s.warp):  # block barriers first
        if _orders(body, exchanged, own, needless, barrier, sums=sums) == frozenset():
            if sums and not barrier.warp:
                ordered[barrier] = _orders(body, exchanged, own, needless, barrier, sums=False) or frozenset()
            needless.add(barrier)

    def change(stmt: Stmt) -> Body | None:
        if not isinstance(stmt, Barrier) or stmt not in needless:
            return None
        arrays = sorted(sym.plain for sym in ordered.get(stmt, ()))
        return (Comment(f"the barrier in the block sum also orders {listed(arrays)}"),) if arrays else ()

    return substituted(body, change)


def _beside_sums(body: Body) -> Iterator[Barrier]:
    """The barriers with a block sum on one side, and no loop or other barrier in between.

    Sums on both sides might share a call, and then the barrier between them is the only one.
    """
    last: Barrier | None = None
    sum_before_last = sum_since = False

    def ended() -> Iterator[Barrier]:
        if last is not None and sum_before_last != sum_since:
            yield last

    for stmt in body:
        match stmt:
            case Barrier():
                yield from ended()
                last, sum_before_last, sum_since = stmt, sum_since, False
            case Accumulate() if _has_barrier(stmt):
                sum_since = True
            case For() | While() | DoWhile():
                yield from ended()
                last, sum_since = None, False
            case _:
                pass
        for part in bodies(stmt):
            yield from _beside_sums(part)
    yield from ended()


def _orders(
    body: Body, exchanged: frozenset[Sym], own: Own, gone: set[Barrier], barrier: Barrier, *, sums: bool
) -> frozenset[Sym] | None:
    """The arrays of which a barrier orders accesses, None if it is never reached.

    `sums`: whether block sums count as barriers.
    """
    flow = _Flow(exchanged, own, gone, barrier.warp, sums)
    flow.walk(body, flow.node())
    return flow.ordered(barrier) if barrier in flow.around else None


# ---- accesses ----------------------------------------------------------------


@dataclass(frozen=True)
class Access:
    """An access to an array element: `owner` is its index, if that determines the thread."""

    sym: Sym
    kind: str  # "read", "write", "atomic"
    owner: tuple[Expr, ...] | None

    def meets(self, other: Access) -> bool:
        """Whether the order of the two matters, if made by different threads."""
        if self.sym is not other.sym or (self.kind == other.kind != "write"):
            return False
        return self.owner is None or self.owner != other.owner


def _accesses(stmt: Stmt, exchanged: frozenset[Sym], own: Own) -> Iterator[Access]:
    """The accesses of a statement itself, without its bodies, to exchanged or shared arrays."""
    found = update(stmt)
    added = None if found is None else found.place
    for expr in expressions(stmt):
        for part in walk(expr):
            if isinstance(part, Place) and part.index and _passes(part.sym, exchanged):
                kind = "read"
                if _target(stmt) is expr and part is expr:
                    atomic = isinstance(stmt, Accumulate) and stmt.how in ATOMICS
                    kind = "atomic" if atomic else "write"
                if part is not added:
                    yield Access(part.sym, kind, own.owner(part))
            elif isinstance(part, AddressOf) and _passes(part.place.sym, exchanged):
                if part.place is added:
                    yield Access(part.place.sym, "atomic", own.owner(part.place))
                else:
                    yield Access(part.place.sym, "write", None)


def _target(stmt: Stmt) -> Place | None:
    match stmt:
        case Assign(target) | Accumulate(target) | Clear(target) | Record(target) | Restore(target):
            return target
        case _:
            return None


def _passes(sym: Sym, exchanged: frozenset[Sym]) -> bool:
    return sym.storage == "shared" or sym in exchanged or sym.of in exchanged


# ---- flow between barriers ----------------------------------------------------


@dataclass
class _Flow:
    """Stretches of a body between barriers, and the control flow between them."""

    exchanged: frozenset[Sym]
    own: Own
    gone: set[Barrier]
    warp: bool  # whether warp barriers separate stretches too
    sums: bool  # whether block sums do
    accesses: list[set[Access]] = field(default_factory=list)
    edges: list[list[int]] = field(default_factory=list)
    totals: dict[int, set[Access]] = field(default_factory=dict)  # of block sums, by the stretch behind them
    firsts: dict[int, int] = field(default_factory=dict)  # before the first of these sums
    around: dict[Barrier, tuple[int, int]] = field(default_factory=dict)
    # for each enclosing loop or switch, the target of `continue` and the sources of `break`
    loops: list[tuple[int | None, list[int]]] = field(default_factory=list)

    def node(self, *sources: int | None) -> int:
        self.accesses.append(set())
        self.edges.append([])
        for source in sources:
            if source is not None:
                self.edges[source].append(len(self.edges) - 1)
        return len(self.edges) - 1

    def walk(self, body: Body, at: int) -> int | None:
        """The stretch in which the body ends; None if it never reaches its end."""
        here: int | None = at
        for stmt in body:
            if here is None:
                return None
            match stmt:
                case Barrier(mask=None) if self.warp or not stmt.warp:
                    after = self.node(*([here] if stmt in self.gone else []))
                    self.around[stmt] = (here, after)
                    here = after
                case Accumulate() if self.sums and _has_barrier(stmt):
                    here = self.sum(stmt, here)
                case _ if not any(self.separates(s) for s in statements((stmt,))):
                    self.note(statements((stmt,)), here)
                    for _ in _breaks((stmt,)):
                        self.loops[-1][1].append(here)
                    again = self.loops[-1][0] if self.loops else None
                    if again is not None and any(isinstance(s, Continue) for s in statements((stmt,))):
                        self.edges[here].append(again)
                    if isinstance(stmt, Break | Continue | Return):
                        here = None
                case If():
                    self.note((stmt,), here)
                    here = self.node(*[self.walk(part, self.node(here)) for part in bodies(stmt)])
                case Switch():
                    here = self.switch(stmt, here)
                case For() | While() | DoWhile():
                    here = self.loop(stmt, here)
                case _:
                    for part in bodies(stmt):
                        here = None if here is None else self.walk(part, here)
        return here

    def sum(self, stmt: Accumulate, here: int) -> int:
        """The stretch behind the barrier of a block sum, with its additions and those of sums before it.

        Its amount is read before the barrier of the first of these, in case they share it.
        """
        made = set(_accesses(stmt, self.exchanged, self.own))
        added = {a for a in made if a.sym is stmt.target.sym and a.kind != "read"}
        first = self.firsts.get(here, here)
        self.accesses[here] |= made - added
        self.accesses[first] |= made - added
        after = self.node()
        self.firsts[after] = first
        self.totals[after] = self.totals.get(here, set()) | added
        self.accesses[after] |= self.totals[after]
        return after

    def separates(self, stmt: Stmt) -> bool:
        return isinstance(stmt, Barrier) or (self.sums and _has_barrier(stmt))

    def switch(self, stmt: Switch, here: int) -> int:
        """A case is reached from the selector or by fall-through; possibly none is taken."""
        self.note((stmt,), here)
        left: list[int] = []
        self.loops.append((self.loops[-1][0] if self.loops else None, left))
        end: int | None = None
        for part in bodies(stmt):
            end = self.walk(part, self.node(here, end))
        self.loops.pop()
        return self.node(here, end, *left)

    def loop(self, stmt: Loop, here: int) -> int:
        if isinstance(stmt, For):
            self.note(stmt.init, here)
        head = self.node(here)
        self.note((stmt,), head)
        step = self.node()
        if isinstance(stmt, For):
            self.note(stmt.step, step)
        self.edges[step].append(head)
        self.loops.append((step, []))
        end = self.walk(stmt.body, head)
        if end is not None:
            self.edges[end].append(step)
        _, left = self.loops.pop()
        return self.node(head, step, *left)

    def note(self, stmts: Iterable[Stmt], at: int) -> None:
        for stmt in stmts:
            self.accesses[at].update(_accesses(stmt, self.exchanged, self.own))

    def ordered(self, barrier: Barrier) -> frozenset[Sym]:
        """The arrays of which accesses before a barrier may conflict with others after it."""
        before, after = self.around[barrier]
        back: list[list[int]] = [[] for _ in self.edges]
        for source, targets in enumerate(self.edges):
            for target in targets:
                back[target].append(source)
        earlier = self.reached(before, back.__getitem__)
        later = self.reached(after, self.edges.__getitem__)
        return frozenset(a.sym for a in earlier for b in later if a.meets(b))

    def reached(self, start: int, near: Callable[[int], list[int]]) -> set[Access]:
        seen, todo = {start}, [start]
        while todo:
            for node in near(todo.pop()):
                if node not in seen:
                    seen.add(node)
                    todo.append(node)
        return {access for node in seen for access in self.accesses[node]}


def _has_barrier(stmt: Stmt) -> bool:
    """Whether a statement is a sum of the block that no block skips (see `emit.guard_block_sums`)."""
    if not isinstance(stmt, Accumulate) or stmt.how != "reduce":
        return False
    return stmt.exists is None or not stmt.exists.when


def _breaks(body: Body) -> Iterator[Break]:
    """Breaks that leave the enclosing loop or switch of a body."""
    for stmt in body:
        match stmt:
            case Break():
                yield stmt
            case For() | While() | DoWhile() | Switch():
                pass
            case _:
                for inner in bodies(stmt):
                    yield from _breaks(inner)


# ---- clears ------------------------------------------------------------------


def _read_later(body: Body, after: frozenset[Sym] = frozenset()) -> Body:
    """Remove clears of shared adjoints that aren't used later."""
    live = set(after)
    out: list[Stmt] = []
    for stmt in reversed(body):
        if isinstance(stmt, Clear) and stmt.target.sym.storage == "shared" and stmt.target.sym not in live:
            continue
        inside = live
        if isinstance(stmt, Loop):
            inside = live | set(_shared((stmt,)))
        now = frozenset(inside)
        out.append(rebuilt(stmt, lambda b, now=now: _read_later(b, now)))  # type: ignore[misc]
        live |= set(_shared((stmt,)))
    return tuple(reversed(out))


def _shared(body: Body) -> Iterator[Sym]:
    """Shared arrays that statements read or add to; clears don't count."""
    for stmt in statements(body):
        if isinstance(stmt, Clear):
            continue
        for expr in expressions(stmt):
            for part in walk(expr):
                if isinstance(part, Place) and part.index and part.sym.storage == "shared":
                    yield part.sym
