"""To be recorded: what the reverse sweep needs, and what must run forward for it.

The reverse sweep of a body is a *frame*: first the slice of the body's own
statements that its adjoints need, then the adjoints, last to first. The slice of
the function's body is the forward sweep; the slice of a loop's body is run once
per reversed iteration, of a branch's body inside the reversed branch. So a value
made and used in one body is there without a record, and nothing runs forward
whose value nobody asks for.

What crosses a frame:

* the value that a variable has at the start of an iteration, if iterations change
  it: regenerated (a counter), inverted (a fixed step), or recorded per iteration;
* a value whose variable the slice overwrites later: copied when it is made;
* an element read from an array that is overwritten later: recorded at the read.

Everything grows monotonically from the demands of the adjoints, so the order of
the worklist doesn't matter and it ends. Equations: adjoint liveness and TBR of
Hascoët, Naumann and Pascual (2005), per use instead of per variable.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, field

from ..diagnostics import Code, Rejected, diagnose
from ..fixpoint import rounds
from ..ir import (
    Array,
    Barrier,
    Binary,
    Break,
    Cast,
    Const,
    Declare,
    DoWhile,
    Expr,
    For,
    If,
    Place,
    Pointer,
    Scalar,
    Select,
    Special,
    Stmt,
    Sym,
    Unary,
    While,
    walk,
)
from .atomics import draws, is_update, order_dependent, update
from .constants import constant_of
from .load_guards import deciders
from .loops.counted_loops import Counter, Scale, counted, scale
from .loops.induction_variables import Induction, induction
from .loops.invariant_stores import fixed_in
from .loops.unclobbered_reads import Final
from .ssa import Loop, Scope, Version, Versions, loads, operands, own_breaks, scalars, targets
from .traversal import ends

Load = tuple[Stmt, Place]
"""A read of an element, by the statement that makes it."""


@dataclass(eq=False)
class Recorded:
    """What the plan builds on. Insertion order is the program's; nothing is a bare set."""

    slices: dict[Scope, dict[Stmt, None]] = field(default_factory=dict)
    demanded: dict[Scope, dict[Version, None]] = field(default_factory=dict)
    counters: dict[Loop, Counter | None] = field(default_factory=dict)
    inverted: dict[Version, Induction] = field(default_factory=dict)
    taped: dict[Version, None] = field(default_factory=dict)  # heads
    trips: dict[Loop, None] = field(default_factory=dict)
    exits: dict[Loop, None] = field(default_factory=dict)  # which break was taken is asked for
    stored: dict[Version, Loop] = field(default_factory=dict)  # per iteration, because --store says so
    kept: frozenset[Version] = frozenset()  # of these, the ones that may not be computed twice
    copies: dict[Version, None] = field(default_factory=dict)
    # values that are written out again where they are read: they are made from what never changes
    rewritten: dict[Version, Expr] = field(default_factory=dict)
    late: dict[Load, None] = field(default_factory=dict)
    loads: dict[Load, Scope] = field(default_factory=dict)  # late ones that are recorded, and by which slice
    entered: dict[tuple[Scope, Version], None] = field(default_factory=dict)
    held: dict[Version, None] = field(default_factory=dict)  # heads asked for after their slice
    # loops of which nothing bounds the trips: their states are run again from snapshots, by the
    # slice that is kept under this stand-in for the body
    advances: dict[Loop, Scope] = field(default_factory=dict)
    arrays: dict[Loop, dict[Sym, None]] = field(default_factory=dict)  # … and local arrays with them
    # loops whose counter the reversed loop doubles or halves back, without being told how often
    scales: dict[Loop, Scale] = field(default_factory=dict)
    # split: scalars that K_fwd hands over, exits of loops and values it alone can make
    handed: dict[Version, None] = field(default_factory=dict)
    # … and those that a slice's variable must hold, since a branch or a loop goes on from it
    restored: dict[tuple[Scope, Version], None] = field(default_factory=dict)
    # loops whose number of iterations is recorded each time they run, and by which slice
    timed: dict[Loop, Timed] = field(default_factory=dict)
    # … and what their counters are in the end, by that number
    closed: dict[Version, Induction] = field(default_factory=dict)


@dataclass(frozen=True)
class Timed:
    """Where the iterations of a loop are counted for all slices that can't decide its condition.

    `home` is the body whose slice counts them; `over`: K_fwd counts for every slice of K_adj.
    `rounds`: they could, but might round the floating values that it is made of differently.
    """

    home: Scope
    over: bool = False
    rounds: bool = False

    def grows(self, other: Timed) -> bool:
        """Whether the other one's home is further out, or K_fwd."""
        return not self.over and (
            other.over or (self.home is not other.home and self.home.within(other.home))
        )

    def covers(self, body: Scope) -> bool:
        """Whether the slice of a body finds the number recorded, instead of deciding the condition."""
        return self.over or (body is not self.home and body.within(self.home))


Filled = Callable[[Loop, Sym], bool]
"""Whether what an iteration of a loop reads of a shared array was stored in that iteration."""

CARRIED_ELEMENTS = 64
"""A local array of more isn't kept in snapshots."""


def _loop(body: Scope) -> Loop:
    assert isinstance(body.owner, For | While | DoWhile)
    return body.owner


class Analysis:
    """The worklist. `demand_value` and `demand_expr` are the roots; `finish` gives the result."""

    def __init__(
        self,
        versions: Versions,
        split: bool = False,
        store: Iterable[str] = (),
        bounded: Callable[[Loop], bool] = lambda loop: True,
        recompute: Iterable[str] = (),
        kept: Iterable[Version] = (),
        exchanged: frozenset[Sym] = frozenset(),
        homes: Mapping[Sym, Scope] | None = None,
        filled: Filled = lambda loop, array: False,
        timed: Mapping[Loop, Timed] | None = None,
    ) -> None:
        self.filled = filled
        self.timed = timed or {}
        self.exchanged = exchanged  # arrays through which threads hand each other values
        self.barriers = [s for s in versions.order if isinstance(s, Barrier)]
        self.kept = frozenset(kept)
        self.recompute = frozenset(recompute)
        self.v = versions
        self.bounded = bounded
        self.bases: dict[Scope, Scope] = {}
        self.r = Recorded(kept=self.kept)
        self.split = split
        self.store = frozenset(store)
        self.agenda: list[Callable[[], None]] = []
        self.marked: set[tuple[Version, Scope]] = set()
        self.stores: dict[Sym, list[Stmt]] = {}
        self.homes: dict[Sym, Scope] = {}
        self.carriers: dict[Sym, list[Scope]] = {}
        self.scales: dict[Loop, Scale | None] = {}
        self.numbered: set[Loop] = set()  # of those, the ones whose iterations are asked for by number
        self.regenerated: dict[Loop, Version] = {}
        self.final = Final(versions)
        self._find_arrays()
        self.homes |= homes or {}
        self._find_carriers()

    # ---- arrays ------------------------------------------------------------

    def _find_arrays(self) -> None:
        """Where each array is written, and its home: the body whose slice runs its stores.

        The home is the innermost body around all accesses, but outside every loop
        that the array outlives: run again, a stretch of a loop would need the array
        as it was then.
        """
        used: dict[Sym, Scope] = {}
        for stmt, scope in self.v.scope_of.items():
            for target in targets(stmt):
                if target.index or isinstance(target.sym.type, Array):
                    self.stores.setdefault(target.sym, []).append(stmt)
                    used[target.sym] = _common(used.get(target.sym, scope), scope)
            for expr in operands(stmt):
                for place in loads(expr):
                    used[place.sym] = _common(used.get(place.sym, scope), scope)
        for sym, scope in used.items():
            declared = self.v.declared.get(sym, self.v.root)
            if sym.storage == "shared":
                declared = self.v.root
            home: Scope = scope
            for around in scope.outwards():
                if around is declared:
                    break
                if around.loop is not None and around.parent is not None and not self.refills(sym, around):
                    home = around.parent
            self.homes[sym] = home
        for stores in self.stores.values():
            stores.sort(key=lambda s: self.v.order[s])

    def _find_carriers(self) -> None:
        """Bodies of loops that small local arrays are carried through by snapshots.

        Where nothing bounds a loop, what an iteration read can't be recorded for each.
        Its body is then a home of the array's too: an iteration finds the array as the
        snapshot and the stretch after it leave it.
        """
        for loop in self.v.order:
            if not isinstance(loop, For | While | DoWhile) or self.bounded(loop):
                continue
            (body,) = self.v.inside[loop]
            for sym, stores in self.stores.items():
                if not isinstance(sym.type, Array) or sym.type.elements > CARRIED_ELEMENTS:
                    continue
                if sym.storage == "shared":
                    continue
                outlives = not self.v.declared.get(sym, self.v.root).within(body)
                stored = any(self.v.scope_of[s].within(body) for s in stores)
                if outlives and stored and self.home(sym, loop) is self.v.scope_of[loop]:
                    self.carriers.setdefault(sym, []).append(body)

    def refills(self, sym: Sym, body: Scope) -> bool:
        """Whether each iteration fills an array anew before it reads it.

        All accesses are inside the body. If every store comes before every read, and which
        elements are stored is the same in all iterations, then an element that was ever stored is
        stored in this iteration too; and one that wasn't is never read. Else `filled` may know that
        what an iteration reads was stored in it. What is added atomically is added to such an
        element, after its store.
        """
        if sym.storage not in ("shared", "local") or sym not in self.stores:
            return False
        added = [s for s in self.stores[sym] if is_update(s)]
        stores = [s for s in self.stores[sym] if not isinstance(s, Declare) and s not in added]
        if not stores:
            return False
        reads = [
            stmt
            for stmt in self.v.scope_of
            if stmt in added or any(place.sym is sym for e in operands(stmt) for place in loads(e))
        ]
        last = max((self.v.last[s] for s in stores), default=-1)
        return (
            all(self.v.order[r] > last for r in reads)
            and not any(self.sharing_loop(s, r, body) for s in stores for r in reads)
            and (all(fixed_in(self.v, s, body) for s in stores) or self.filled(_loop(body), sym))
        )

    def home(self, sym: Sym, stmt: Stmt) -> Scope:
        """The body whose slice has the array as `stmt` finds it."""
        scope = self.v.scope_of[stmt]
        for body in reversed(self.carriers.get(sym, [])):
            if scope.within(body):
                return body
        return self.homes.get(sym, self.v.root)

    def stores_in(self, sym: Sym, home: Scope) -> list[Stmt]:
        return [s for s in self.stores[sym] if self.v.scope_of[s].within(home)]

    def sharing_loop(self, a: Stmt, b: Stmt, home: Scope) -> bool:
        """Whether a loop inside `home` holds both statements."""
        # A loop's condition is evaluated in every iteration, so a loop is inside itself.
        loops = (*self.v.loops_between(home, self.v.scope_of[a]), a)
        others = (*self.v.loops_between(home, self.v.scope_of[b]), b)
        return any(x is y for x in loops for y in others if isinstance(x, For | While | DoWhile))

    def precedes(self, store: Stmt, stmt: Stmt, home: Scope) -> bool:
        return self.v.order[store] < self.v.order[stmt] or self.sharing_loop(store, stmt, home)

    def follows(self, store: Stmt, stmt: Stmt, home: Scope) -> bool:
        if isinstance(store, Declare):
            return False
        return self.v.order[store] >= self.v.order[stmt] or self.sharing_loop(store, stmt, home)

    # ---- demands of the reverse sweep --------------------------------------

    def demand_expr(self, stmt: Stmt, expr: Expr, after: dict[Sym, Version] | None = None) -> None:
        """The reverse sweep of `stmt` evaluates `expr` as `stmt` saw it."""
        scope = self.v.scope_of[stmt]
        reads = self.v.reads.get(stmt, {})
        for sym in scalars(expr):
            version = (after or {}).get(sym) or reads.get(sym)
            if version is not None:
                self.demand(version)
        for place in loads(expr):
            self.demand_load(stmt, place, scope)

    def demand(self, version: Version, by: Scope | None = None, *, joined: bool = False) -> None:
        """The reverse sweep needs a value: see that the frame it is made in has it.

        `by` is the scope whose slice asks: a slice that overwrites what it was given
        at its start may do so, unless the adjoints ask for it too.
        """
        if by is not version.scope:
            self.r.held[version] = None
        if version.kind == "entry":
            _given(version, joined)
            self.r.demanded.setdefault(version.scope, {})[version] = None
            return
        if version.kind == "head":
            self.demand_head(version)
            return
        demanded = self.r.demanded.setdefault(version.scope, {})
        if version in demanded or version in self.r.handed or self.closes(version):
            return
        if self.hands_over(version) or self.stores_it(version):
            return
        demanded[version] = None
        self.agenda.append(lambda: self.mark(version, version.scope))

    def closes(self, version: Version) -> bool:
        """Whether the recorded number of trips says what a variable is when its loop has ended.

        int b = a - 1;
        while (b >= 0 && v[b] > key) { v[b + 1] = v[b]; b--; }      b is a - 1 - trips
        """
        loop = version.stmt
        if version.kind != "exit" or not isinstance(loop, For | While | DoWhile):
            return False
        if not self.counts_elsewhere(loop, version.scope) or version in self.r.closed:
            return version in self.r.closed
        head = version.args[0] if len(version.args) == 1 else None
        fixed = None if head is None or head.stmt is not loop else induction(loop, version.sym, self.v)
        if fixed is None or fixed.halved or fixed.stride is not None:
            return False
        self.r.closed[version] = fixed
        self.demand_trips(loop)
        if constant_of(fixed.entry) is None:
            self.demand(fixed.entry)
        return True

    def hands_over(self, version: Version) -> bool:
        """Whether K_fwd hands the value over: what a loop computed isn't computed again, and what an
        atomic returned can't be.
        """
        if not self.split or version.scope.looped or not (self.loopy(version) or self.drawn(version)):
            return False
        self.r.handed[version] = None
        return True

    def stores_it(self, version: Version) -> bool:
        """Whether a value of a loop's body is recorded instead of computed again.

        Because the user wants it, or because it is an integer made from floating values:
        a compiler may contract the same text differently in two places, and an address
        or a trip count must not depend on that.
        """
        drawn = self.split and self.drawn(version)
        if version.sym.name not in self.store and version not in self.kept and not drawn:
            return False
        body = version.scope
        if body.role != "loop" or version.kind == "head" or version.stmt not in self.v.position:
            return False
        if version in self.r.stored:
            return True
        loop = body.owner
        assert isinstance(loop, For | While | DoWhile)
        if not self.bounded(loop) or any(s.name in self.recompute for s in self.v.heads[loop]):
            return False  # its iterations are run again from snapshots, and make the value anyway
        self.r.stored[version] = loop
        self.number(loop)
        outer = self.v.scope_of[loop]
        if not (self.split and not outer.looped):
            self.agenda.append(lambda: self.mark(version, outer))
        return True

    def drawn(self, version: Version) -> bool:
        """Whether a value is what an atomic returned, or a clock."""
        return version.kind == "def" and version.stmt is not None and draws(version.stmt)

    def loopy(self, version: Version) -> bool:
        """Whether making a value would run a loop."""
        if version.kind == "exit":
            return True
        return version.kind == "join" and any(
            self.loopy(arg) for arg in version.args if arg.scope is not version.scope
        )

    def shared(self, sym: Sym) -> bool:
        """Whether K_adj finds an array as K_fwd left it."""
        return self.split and sym.storage == "parameter"

    def demand_head(self, version: Version) -> None:
        loop = version.stmt
        assert isinstance(loop, For | While | DoWhile)
        if version in self.r.taped or version in self.r.inverted:
            return
        count = self.counter_of(loop)
        if count is not None and count.sym is version.sym:
            return
        scaled = self.scale_of(loop)
        if scaled is not None and scaled.sym is version.sym and loop not in self.numbered:
            self.regenerated[loop] = version
            return
        outer = version.scope.parent
        assert outer is not None
        self.number(loop)
        fixed = induction(loop, version.sym, self.v)
        if fixed is not None and version.sym.name not in self.store:
            self.r.inverted[version] = fixed
            if constant_of(fixed.entry) is None:
                self.demand(fixed.entry)
            if fixed.stride is not None:
                self.demand_expr(fixed.stride, fixed.stride.value)
            self.demand_trips(loop)
            return
        self.r.taped[version] = None
        if not self.bounded(loop) or any(s.name in self.recompute for s in self.v.heads[loop]):
            self.advance(version, loop)
        if not (self.split and not outer.looped):
            self.agenda.append(lambda: self.mark(version, outer))

    def advance(self, version: Version, loop: Loop) -> None:
        """The reverse sweep runs the loop again, from a snapshot up to the iteration in hand."""
        again = self.again(loop)
        for arg in version.args[1:]:
            self.agenda.append(lambda a=arg: self.need(a, again, joined=True))  # type: ignore[misc]

    def again(self, loop: Loop) -> Scope:
        """The stand-in for a body, as far as it is run again."""
        if loop not in self.r.advances:
            (body,) = self.v.inside[loop]
            again = Scope(body.role, body.stmts, body.parent, body.owner, body.depth)
            self.r.advances[loop] = again
            self.bases[again] = body
            self.number(loop)
            self.demand_trips(loop)
            count = self.counter_of(loop)
            if count is not None:
                self.demand_loop(loop)
        return self.r.advances[loop]

    def base(self, scope: Scope) -> Scope:
        return self.bases.get(scope, scope)

    def counter_of(self, loop: Loop) -> Counter | None:
        if loop not in self.r.counters:
            self.r.counters[loop] = counted(loop, self.v)
        return self.r.counters[loop]

    def scale_of(self, loop: Loop) -> Scale | None:
        if loop not in self.scales:
            self.scales[loop] = scale(loop)
        return self.scales[loop]

    def number(self, loop: Loop) -> None:
        """The iterations of a loop are asked for by number: a counter that is halved doesn't say it."""
        if self.scale_of(loop) is None or loop in self.numbered:
            return
        self.numbered.add(loop)
        self.demand_trips(loop)
        if loop in self.regenerated:
            self.demand_head(self.regenerated[loop])

    def demand_loop(self, loop: Loop) -> None:
        """The reverse sweep runs through the loop: see that it knows how often."""
        count = self.counter_of(loop)
        if count is None:
            self.demand_trips(loop)
            return
        assert isinstance(loop, For)
        first = loop.init[0]
        self.demand_expr(first, count.start)
        self.demand_expr(loop, count.bound)
        self.demand_expr(loop, count.step)
        if self.breaks(loop):
            self.demand_trips(loop)

    def breaks(self, loop: Loop) -> list[Break]:
        """The breaks that leave this loop."""
        if loop not in self.v.breaks:
            self.v.breaks[loop] = own_breaks(self.v.inside[loop][0].stmts)
        return self.v.breaks[loop]

    def demand_trips(self, loop: Loop) -> None:
        """The number of iterations: a constant, or counted by the forward sweep."""
        count = self.counter_of(loop)
        if count is not None and not self.breaks(loop):
            return
        if loop in self.r.trips or (self.scale_of(loop) is not None and loop not in self.numbered):
            return
        self.r.trips[loop] = None
        outer = self.v.scope_of[loop]
        if self.counts_elsewhere(loop, outer):
            self.count_trips(loop)
        elif not (self.split and not outer.looped):
            self.agenda.append(lambda: self.control(loop, outer))

    def counts_elsewhere(self, loop: Loop, scope: Scope) -> bool:
        """Whether the slice of `scope` is told how often the loop runs, by a record."""
        return loop in self.timed and self.timed[loop].covers(self.base(scope))

    def count_trips(self, loop: Loop) -> None:
        """The iterations of a loop are counted and recorded each time that the slice of its home runs it."""
        if loop in self.r.timed:
            return
        timed = self.r.timed[loop] = self.timed[loop]
        for outer in self.v.loops_between(timed.home, self.v.scope_of[loop]):
            self.number(outer)
        if timed.over:
            if not self.v.scope_of[loop].looped:
                self.r.trips[loop] = None
        else:
            self.agenda.append(lambda: self.control(loop, timed.home))

    def undecidable(self) -> dict[Loop, Timed]:
        """Loops whose condition a slice can't decide: it reads elements that are overwritten by then.

        One record of such an element for each run of the loop isn't enough, as the condition is
        evaluated once for each iteration: what is recorded is how often the loop ran.

            while (b >= 0 && v[b] > key) { v[b + 1] = v[b]; --b; }
        """
        found: dict[Loop, Timed] = {}
        for (stmt, place), home in self.r.loads.items():
            if not isinstance(stmt, For | While | DoWhile) or self.counter_of(stmt) is not None:
                continue
            now = Timed(self.v.root, True) if self.shared(place.sym) else Timed(home)
            before = found.get(stmt, self.timed.get(stmt))
            if before is None or before.grows(now):
                found[stmt] = now
            else:
                assert stmt in found, "a condition is decided where its elements are gone"
        return found

    def demand_exit(self, loop: Loop) -> None:
        """Whether, and by which break, the last iteration left."""
        self.demand_trips(loop)
        self.r.exits[loop] = None

    def demand_load(self, stmt: Stmt, place: Place, scope: Scope) -> None:
        """The reverse sweep needs an element as it was when `stmt` read it."""
        if place.sym not in self.stores:
            _refuse_unset(place.sym)
            return
        if (stmt, place) in self.r.late:
            return
        self.r.late[stmt, place] = None
        home = self.home(place.sym, stmt)
        if self.shared(place.sym):
            return
        self.demand_array(place.sym, home)
        for store in self.stores_in(place.sym, home):
            if self.precedes(store, stmt, home):
                self.agenda.append(lambda s=store: self.run(s, home))  # type: ignore[misc]

    def demand_array(self, sym: Sym, home: Scope) -> None:
        """An iteration needs a carried array as the one before it left it."""
        loop = home.owner
        if home not in self.carriers.get(sym, ()) or sym in self.r.arrays.get(loop, {}):  # type: ignore[arg-type]
            return
        assert isinstance(loop, For | While | DoWhile)
        self.r.arrays.setdefault(loop, {})[sym] = None
        again = self.again(loop)
        for store in self.stores_in(sym, home):
            self.agenda.append(lambda s=store: self.run(s, again))  # type: ignore[misc]
        outer = self.v.scope_of[loop]
        if self.split and not outer.looped:
            return
        self.demand_array(sym, self.home(sym, loop))
        self.agenda.append(lambda: self.control(loop, outer))
        for store in self.stores_in(sym, outer):
            if self.precedes(store, loop, outer):
                self.agenda.append(lambda s=store: self.run(s, outer))  # type: ignore[misc]

    # ---- what runs forward in a slice --------------------------------------

    def need(self, version: Version, scope: Scope, *, joined: bool = False) -> None:
        """A statement in the slice of `scope` reads a version, or it is `joined` with others into one."""
        if version.kind == "entry":
            _given(version, joined)
            if version.scope is not scope:
                self.r.entered[scope, version] = None
                self.demand(version, joined=joined)
            return
        if self.hands_over(version):
            return
        base = self.base(scope)
        inside = version.scope.within(base) and not (version.kind == "head" and version.scope is base)
        if scope is version.scope and self.stores_it(version):
            return  # this body's frame finds it recorded; any other slice makes it
        if inside:
            self.agenda.append(lambda: self.mark(version, scope))
        else:
            self.r.entered[scope, version] = None
            self.demand(version, None if scope in self.bases else scope)

    def mark(self, version: Version, scope: Scope) -> None:
        """The slice of `scope` makes a version."""
        if (version, scope) in self.marked:
            return
        self.marked.add((version, scope))
        assert version.stmt is not None
        if version.kind == "def":
            self.run(version.stmt, scope)
            return
        self.control(version.stmt, scope)
        for arg in version.args:
            if self.hands_over(arg) or (arg.scope is scope and self.stores_it(arg)):
                self.r.restored[scope, arg] = None
            else:
                self.need(arg, scope, joined=True)

    def run(self, stmt: Stmt, scope: Scope) -> None:
        """The slice of `scope` runs a simple statement."""
        done = self.r.slices.setdefault(scope, {})
        if stmt in done:
            return
        done[stmt] = None
        if draws(stmt):
            raise Rejected(order_dependent(stmt, self.split))
        added = update(stmt)
        # An array in global memory that is added to is never read: nothing asks for its atomics.
        assert added is None or added.place.sym.storage == "shared", "an atomic would run twice"
        self.around(stmt, scope)
        for version in self.v.reads[stmt].values():
            self.need(version, scope)
        for expr in operands(stmt):
            for place in loads(expr):
                self.load(stmt, place, scope)
        if any(target.sym in self.exchanged for target in targets(stmt)):
            for barrier in self.barriers:
                if self.v.scope_of[barrier].within(self.base(scope)):
                    self.agenda.append(lambda b=barrier: self.run(b, scope))  # type: ignore[misc]

    def around(self, stmt: Stmt, scope: Scope) -> None:
        """What a statement stands in runs with it, up to the slice's own body."""
        inner = self.v.scope_of[stmt]
        if inner is not self.base(scope) and inner.owner is not None:
            self.control(inner.owner, scope)

    def control(self, stmt: Stmt, scope: Scope) -> None:
        """The slice of `scope` decides a branch, or runs a loop, as the primal does."""
        done = self.r.slices.setdefault(scope, {})
        if stmt in done:
            return
        done[stmt] = None
        self.around(stmt, scope)
        told = isinstance(stmt, For | While | DoWhile) and self.counts_elsewhere(stmt, scope)
        if told:
            self.count_trips(stmt)  # type: ignore[arg-type]
        if scope in self.bases and isinstance(stmt, If) and self.leaves(stmt, self.bases[scope]):
            return  # the iterations that are run again were not the one that left
        for version in () if told else self.v.reads[stmt].values():
            self.need(version, scope)
        for expr in () if told else operands(stmt):
            for place in loads(expr):
                self.load(stmt, place, scope)
        if isinstance(stmt, For | While | DoWhile):
            for leaving in self.breaks(stmt):
                done[leaving] = None
                self.around(leaving, scope)

    def leaves(self, stmt: If, body: Scope) -> bool:
        """Whether one branch of a statement leaves the loop with this body, whichever way it goes."""
        assert isinstance(body.owner, For | While | DoWhile)
        own = self.breaks(body.owner)
        return any(
            ends(branch) and any(b in own for b in own_breaks(branch)) for branch in (stmt.then, stmt.other)
        )

    def load(self, stmt: Stmt, place: Place, scope: Scope) -> None:
        """The slice of `scope` reads an element."""
        if place.sym not in self.stores:
            _refuse_unset(place.sym)
            return
        home = self.region(place.sym, stmt, self.base(scope))
        if home is None or self.shared(place.sym):
            self.demand_load(stmt, place, scope)
            return
        self.demand_array(place.sym, home)
        for store in self.stores_in(place.sym, home):
            if self.precedes(store, stmt, home):
                self.agenda.append(lambda s=store: self.run(s, scope))  # type: ignore[misc]

    def region(self, sym: Sym, stmt: Stmt, base: Scope) -> Scope | None:
        """The array's outermost home around `stmt` that lies within a slice's body."""
        around = (b for b in self.carriers.get(sym, ()) if self.v.scope_of[stmt].within(b))
        homes = (self.homes.get(sym, self.v.root), *around)
        return next((home for home in homes if home.within(base)), None)

    # ---- to the fixed point ------------------------------------------------

    def settle(self) -> None:
        """Does what is on the agenda, and what that puts there.

        What is recorded, recomputed and run again only grows, and a thing is put there once for each
        statement that it is needed at.
        """
        height = 100 * self.v.size**2
        for _ in rounds(height, "what is to be recorded", self.v.function.span):
            if not self.agenda:
                break
            self.agenda.pop()()

    def finish(self) -> Recorded:
        """Everything that the demands so far lead to."""
        self.settle()
        for _ in rounds(len(self.v.order) ** 2, "which loads are late", self.v.function.span):
            if not self.record_loads():
                break
            self.settle()
        self.copy_overwritten()
        for loop, scaled in self.scales.items():
            if scaled is not None and loop not in self.numbered:
                self.r.scales[loop] = scaled
        return self.r

    def record_loads(self) -> bool:
        """Late reads of elements that the forward sweep has overwritten by then."""
        grown = False
        for load in list(self.r.late):
            if load in self.r.loads:
                continue
            stmt, place = load
            home = self.home(place.sym, stmt)
            handed = self.shared(place.sym)
            done = self.r.slices.get(home, {})
            if any(
                self.follows(store, stmt, home)
                and (
                    self.run_again(store, place.sym, home)
                    or ((handed or store in done) and self.overwrites(store, stmt, place, home))
                )
                for store in self.stores_in(place.sym, home)
            ):
                self.r.loads[load] = home
                for loop in self.v.loops_between(home, self.v.scope_of[stmt]):
                    self.number(loop)
                grown = True
                if not handed:
                    self.record_at(stmt, place, home)
        return grown

    def overwrites(self, store: Stmt, stmt: Stmt, place: Place, home: Scope) -> bool:
        """Whether a store that comes after a read may write to the same element."""
        if place.sym in self.exchanged:
            return True  # it may be another thread's
        return not all(
            self.final.leaves(store, target, stmt, place, home)
            for target in targets(store)
            if target.sym is place.sym
        )

    def run_again(self, store: Stmt, sym: Sym, home: Scope) -> bool:
        """Whether the reverse sweep of a loop inside `home` writes to the array again."""
        inner = self.home(sym, store)
        return inner is not home and sym in self.r.arrays.get(inner.owner, {})  # type: ignore[arg-type]

    def record_at(self, stmt: Stmt, place: Place, home: Scope) -> None:
        """The slice of `home` comes past `stmt` and reads the element there."""
        self.around(stmt, home)
        reads = self.v.reads[stmt]
        told = [cond for expr in operands(stmt) for cond in deciders(expr, place)]
        for part in (*place.index, *told):
            for sym in scalars(part):
                if sym in reads:
                    self.need(reads[sym], home)
            for inner in loads(part):
                self.load(stmt, inner, home)
        for store in self.stores_in(place.sym, home):
            if self.precedes(store, stmt, home):
                self.agenda.append(lambda s=store: self.run(s, home))  # type: ignore[misc]

    def stored_twice(self) -> dict[Sym, Scope]:
        """Homes further out, for arrays that two slices would store to.

            if (c) {
                u[i] += cosf(u[i]);      the slice of the branch finds u as it was before it,
                v = u[i];                and so does the slice of the kernel that makes v
            }
            y[i] = v * v;

        What a caller handed over is there once: the outer slice stores to it, and the inner one finds
        recorded what it needs.
        """
        found: dict[Sym, Scope] = {}
        for scope, done in self.r.slices.items():
            if scope in self.bases:
                continue
            for sym in {t.sym for stmt in done for t in targets(stmt) if isinstance(t.sym.type, Pointer)}:
                found[sym] = _common(found.get(sym, scope), scope)
        return {
            sym: scope
            for sym, scope in found.items()
            if (home := self.homes.get(sym, scope)) is not scope and home.within(scope)
        }

    def copy_overwritten(self) -> None:
        """Values whose variable the slice writes again after it made them."""
        changed = {target.sym for stmt in self.v.order for target in targets(stmt)}
        for scope, versions in self.r.demanded.items():
            done = self.r.slices.get(scope, {})
            writers: dict[Sym, int] = {}
            for stmt in done:
                for target in targets(stmt):
                    if not target.index:
                        order = self.v.order[stmt]
                        writers[target.sym] = max(writers.get(target.sym, -1), order)
            for version in versions:
                if version.kind == "entry":
                    if version.scope is scope and scope.parent is None and version.sym in writers:
                        self.r.copies[version] = None
                    continue
                assert version.stmt is not None
                if writers.get(version.sym, -1) <= self.v.last[version.stmt]:
                    continue
                expr = _from_launch(version, changed)
                if expr is None:
                    self.r.copies[version] = None
                else:
                    self.r.rewritten[version] = expr


def _given(version: Version, joined: bool) -> None:
    """Refuse a variable that was never set; of `joined` values another may have been."""
    if version.sym.storage == "local" and not joined:
        raise Rejected(diagnose(Code.NEVER_SET, version.sym.span, name=version.sym.name))


def _refuse_unset(array: Sym) -> None:
    """Refuse a local array that nothing stores to; an element that is set too late is `check`'s to find."""
    if array.storage == "local" and isinstance(array.type, Array):
        raise Rejected(diagnose(Code.NEVER_SET, array.span, name=array.name))


def _from_launch(version: Version, changed: Container[Sym]) -> Expr | None:
    """The short expression of an integer that is made from constants, the launch and parameters alone.

    Parameters that are `changed` say something else later.

    for (int h = blockDim.x / 2; h > 0; h /= 2)      blockDim.x / 2, wherever it is needed
    """
    match version.stmt:
        case Declare(Sym(type=Scalar(is_float=False)) as sym, value) if version.kind == "def":
            pass
        case _:
            return None
    if not isinstance(value, Expr):
        return None
    for part in walk(value):
        match part:
            case Const() | Special() | Unary() | Binary() | Cast() | Select():
                pass
            case Place(read, ()) if read.storage == "parameter" and read not in changed:
                pass
            case _:
                return None
    while isinstance(value, Cast) and value.implicit:
        value = value.arg
    if sum(isinstance(part, Binary | Unary | Select) for part in walk(value)) > 1:
        return None  # a reader would look for its name
    return value if value.type == sym.type else Cast(value, sym.type)


def _common(a: Scope, b: Scope) -> Scope:
    while a is not b:
        if a.depth >= b.depth:
            assert a.parent is not None
            a = a.parent
        else:
            assert b.parent is not None
            b = b.parent
    return a
