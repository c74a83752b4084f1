"""Collect what the reverse sweep demands of the forward sweep: values, elements, and trip counts.

A demand is met by the frame that makes the value, or by a record. The work that a demand
causes is put on an agenda, which `required_values` processes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from ...diagnostics import Code, Rejected, diagnose
from ...ir import Array, Expr, For, Place, Stmt, Sym
from ..atomics import draws
from ..constants import constant_of
from ..loops.counted_loops import Counter, counted, scale
from ..loops.induction_variables import induction
from ..loops.undone_products import Undone, undone
from ..ssa import Loop, Scope, Version, Versions, loads, scalars
from .reaching_stores import Filled, Order, ReachingStores
from .recorded import Recorded, Timed


@dataclass(frozen=True)
class Task:
    """In the slice of a scope, run a statement or make a version; `joined`: as an argument of a join."""

    what: Stmt | Version
    scope: Scope
    joined: bool = False


@dataclass(frozen=True)
class Rerun:
    """In the slice of `scope`, run the first stores of an array in `home`, the last of them first.

    `left` of them, as the others of the `count` are run.
    """

    array: Sym
    home: Scope
    scope: Scope
    count: int
    left: int


class Demands:
    """The demands of one function's reverse sweep, and the agenda that they lead to."""

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
        counters: Mapping[Loop, Counter | None] | None = None,
        presumed: Mapping[Loop, Counter] | None = None,
        held_over: Mapping[Version, Scope] | None = None,
        order: Order = lambda *store_and_read: False,
        earlier: frozenset[str] = frozenset(),
    ) -> None:
        self.timed = timed or {}
        self.exchanged = exchanged  # arrays through which threads exchange values
        self.kept = frozenset(kept)
        self.held_over = held_over or {}
        self.recompute = frozenset(recompute)
        self.v = versions
        self.bounded = bounded
        self.bases: dict[Scope, Scope] = {}
        if counters is None:
            counters = {loop: counted(loop, versions) for loop in versions.loops}
        entries = {loop: versions.heads[loop][c.sym].args[0] for loop, c in (presumed or {}).items()}
        self.r = Recorded({**counters, **(presumed or {})}, entries, kept=self.kept)
        self.split = split
        self.store = frozenset(store)
        self.agenda: list[Task | Rerun] = []
        self.reran: dict[tuple[Sym, Scope, Scope], int] = {}  # how many of an array's stores a slice runs
        self.marked: set[tuple[Version, Scope]] = set()
        self.scales = {loop: scale(loop) for loop in versions.loops}
        self.numbered: set[Loop] = set()  # the scaled loops whose iteration number is demanded
        self.regenerated: dict[Loop, Version] = {}
        self.arrays = ReachingStores(versions, bounded, exchanged, homes or {}, filled, order, earlier)
        self.r.homes = self.arrays.homes

    def demand_expr(self, stmt: Stmt, expr: Expr, after: dict[Sym, Version] | None = None) -> None:
        """Demand the operands of `expr`: the reverse sweep of `stmt` evaluates it as `stmt` saw it."""
        scope = self.v.scope_of[stmt]
        reads = self.v.reads.get(stmt, {})
        for sym in scalars(expr):
            version = (after or {}).get(sym) or reads.get(sym)
            if version is not None:
                self.demand(version)
        for place in loads(expr):
            self.demand_load(stmt, place, scope)

    def demand(self, version: Version, by: Scope | None = None, *, joined: bool = False) -> None:
        """Demand a value: the frame that makes it must have it in the reverse sweep.

        `by` is the scope whose slice needs it: a slice that overwrites its own entry value
        may do so, unless the adjoints need that value too.
        """
        if by is not version.scope:
            self.r.held[version] = None
        if version.kind == "entry":
            refuse_unset_variable(version, joined)
            self.r.demanded.setdefault(version.scope, {})[version] = None
            return
        if version.kind == "head":
            self.demand_head(version)
            return
        demanded = self.r.demanded.setdefault(version.scope, {})
        if version in demanded or version in self.r.handed or self.closes(version):
            return
        if self.hands_over(version) or self.stores_it(version) or self.holds_over(version):
            return
        demanded[version] = None
        self.agenda.append(Task(version, version.scope))

    def closes(self, version: Version) -> bool:
        """Compute a variable's value after its loop from the recorded trip count; return whether it can.

        int b = a - 1;
        while (b >= 0 && v[b] > key) { v[b + 1] = v[b]; b--; }      b is a - 1 - trips
        """
        loop = version.stmt
        if version.kind != "exit" or not isinstance(loop, Loop):
            return False
        if not self.counts_elsewhere(loop, version.scope) or version in self.r.closed:
            return version in self.r.closed
        head = version.args[0] if len(version.args) == 1 else None
        fixed = None if head is None or head.stmt is not loop else induction(loop, version.sym, self.v)
        if fixed is None or fixed.halved or fixed.strides:
            return False
        self.r.closed[version] = fixed
        self.demand_trips(loop)
        if constant_of(fixed.entry) is None:
            self.demand(fixed.entry)
        return True

    def hands_over(self, version: Version) -> bool:
        """Hand a value over from K_fwd; return whether that is done. Values computed by loops aren't
        recomputed, and values returned by atomics can't be.
        """
        if not self.split or version.scope.looped or not (self.loopy(version) or self.drawn(version)):
            return False
        self.r.handed[version] = None
        return True

    def stores_it(self, version: Version) -> bool:
        """Record a value of a loop's body instead of recomputing it; return whether that is done.

        The user requests it, or it is an integer made from floating values: a compiler may
        contract the same text differently in two places, and an address or a trip count
        must not depend on that. In the split shape also values returned by atomics.
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
        assert isinstance(loop, Loop)
        if not self.bounded(loop) or any(s.name in self.recompute for s in self.v.heads[loop]):
            return False  # its iterations are rerun from snapshots, and make the value anyway
        self.r.stored[version] = loop
        self.number(loop)
        outer = self.v.scope_of[loop]
        if not (self.split and not outer.looped):
            self.agenda.append(Task(version, outer))
        return True

    def holds_over(self, version: Version) -> bool:
        """Keep a branch's value in a variable of the body around it; return whether that is done."""
        home = self.held_over.get(version)
        if home is None:
            return False
        if version not in self.r.held_over:
            self.r.held_over[version] = home
            self.agenda.append(Task(version, home))
        return True

    def drawn(self, version: Version) -> bool:
        """Whether a value was returned by an atomic or a clock."""
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
        assert isinstance(loop, Loop)
        if version in self.r.taped or version in self.r.inverted or version in self.r.undone:
            return
        count = self.r.counters[loop]
        if count is not None and count.sym is version.sym:
            return
        scaled = self.scales[loop]
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
            for stride in fixed.strides:
                self.demand_expr(stride.stmt, stride.amount)
            self.demand_trips(loop)
            return
        back = self.divided_back(version, loop)
        if back is not None:
            self.r.undone[version] = back
            self.demand_expr(back.stmt, back.factor)
            self.demand_trips(loop)
            if not (self.split and not outer.looped):
                self.agenda.append(Task(version, outer))
            return
        self.r.taped[version] = None
        if not self.bounded(loop) or any(s.name in self.recompute for s in self.v.heads[loop]):
            self.advance(version, loop)
        if not (self.split and not outer.looped):
            self.agenda.append(Task(version, outer))

    def divided_back(self, version: Version, loop: Loop) -> Undone | None:
        """How the reverse sweep divides a variable back, if no iterations of its loop are rerun."""
        names = {version.sym.name, *(s.name for s in self.v.heads[loop])}
        if version.sym.name in self.store or names & self.recompute or loop in self.r.advances:
            return None
        return undone(loop, version.sym, self.v)

    def advance(self, version: Version, loop: Loop) -> None:
        """Rerun the loop in the reverse sweep, from a snapshot up to the current iteration."""
        again = self.again(loop)
        heads = [head for head in self.v.heads[loop].values() if self.r.undone.pop(head, None) is not None]
        self.r.taped |= dict.fromkeys(heads)
        for head in (version, *heads):
            for arg in head.args[1:]:
                self.agenda.append(Task(arg, again, joined=True))

    def again(self, loop: Loop) -> Scope:
        """Return the scope that stands for a loop's body when it is rerun."""
        if loop not in self.r.advances:
            (body,) = self.v.inside[loop]
            again = Scope(body.role, body.stmts, body.parent, body.owner, body.depth)
            self.r.advances[loop] = again
            self.bases[again] = body
            self.number(loop)
            self.demand_trips(loop)
            count = self.r.counters[loop]
            if count is not None:
                self.demand_loop(loop)
        return self.r.advances[loop]

    def base(self, scope: Scope) -> Scope:
        return self.bases.get(scope, scope)

    def number(self, loop: Loop) -> None:
        """Demand iteration numbers of a loop: a scaled or presumed counter doesn't give them."""
        if (self.scales[loop] is None and loop not in self.r.presumed) or loop in self.numbered:
            return
        self.numbered.add(loop)
        self.demand_trips(loop)
        if loop in self.regenerated:
            self.demand_head(self.regenerated[loop])

    def demand_loop(self, loop: Loop) -> None:
        """Demand the trip count: the reverse sweep runs through the loop."""
        count = self.r.counters[loop]
        if count is None:
            self.demand_trips(loop)
            return
        assert isinstance(loop, For)
        if loop not in self.r.presumed:
            self.demand_expr(loop.init[0], count.start)
        elif constant_of(self.r.presumed[loop]) is None:
            self.demand(self.r.presumed[loop])
        self.demand_expr(loop, count.bound)
        self.demand_expr(loop, count.step)
        if self.v.breaks[loop]:
            self.demand_trips(loop)

    def demand_trips(self, loop: Loop) -> None:
        """Demand the number of iterations: from a counter, or else counted by the forward sweep."""
        count = self.r.counters[loop]
        if count is not None and not self.v.breaks[loop]:
            return
        if loop in self.r.trips or (self.scales[loop] is not None and loop not in self.numbered):
            return
        self.r.trips[loop] = None
        outer = self.v.scope_of[loop]
        if self.counts_elsewhere(loop, outer):
            self.count_trips(loop)
        elif not (self.split and not outer.looped):
            self.agenda.append(Task(loop, outer))

    def counts_elsewhere(self, loop: Loop, scope: Scope) -> bool:
        """Whether the slice of `scope` gets the loop's trip count from a record."""
        return loop in self.timed and self.timed[loop].covers(self.base(scope))

    def count_trips(self, loop: Loop) -> None:
        """Count and record the iterations of a loop each time that the slice of its home runs it."""
        if loop in self.r.timed:
            return
        timed = self.r.timed[loop] = self.timed[loop]
        for outer in self.v.loops_between(timed.home, self.v.scope_of[loop]):
            self.number(outer)
        if timed.over:
            if not self.v.scope_of[loop].looped:
                self.r.trips[loop] = None
        else:
            self.agenda.append(Task(loop, timed.home))

    def demand_exit(self, loop: Loop) -> None:
        """Demand by which `break`, if any, the loop was left."""
        self.demand_trips(loop)
        self.r.exits[loop] = None

    def demand_load(self, stmt: Stmt, place: Place, scope: Scope) -> None:
        """Demand an element as it was when `stmt` read it."""
        if place.sym not in self.arrays.stores:
            refuse_unset_array(place.sym)
            return
        if (stmt, place) in self.r.late:
            return
        self.r.late[stmt, place] = None
        home = self.arrays.home(place.sym, stmt)
        if self.shared(place.sym):
            return
        self.demand_array(place.sym, home)
        self.run_reaching(place.sym, stmt, home, home)

    def demand_array(self, sym: Sym, home: Scope) -> None:
        """Demand a carried array at the start of an iteration, as the previous one left it."""
        loop = home.owner
        if home not in self.arrays.carriers.get(sym, ()) or sym in self.r.arrays.get(loop, {}):  # type: ignore[arg-type]
            return
        assert isinstance(loop, Loop)
        self.r.arrays.setdefault(loop, {})[sym] = None
        again = self.again(loop)
        for store in self.arrays.stores_in(sym, home):
            self.agenda.append(Task(store, again))
        outer = self.v.scope_of[loop]
        if self.split and not outer.looped:
            return
        self.demand_array(sym, self.arrays.home(sym, loop))
        self.agenda.append(Task(loop, outer))
        self.run_reaching(sym, loop, outer, outer)

    def run_reaching(self, sym: Sym, stmt: Stmt, home: Scope, scope: Scope) -> None:
        """Run, in the slice of `scope`, the stores in `home` that may reach the array read of `stmt`."""
        end = self.arrays.reaching(sym, stmt, home)
        self.agenda.append(Rerun(sym, home, scope, end, end))


def refuse_unset_variable(version: Version, joined: bool) -> None:
    """Refuse a variable that was never set; of `joined` values another may have been."""
    if version.sym.storage == "local" and not joined:
        raise Rejected(diagnose(Code.NEVER_SET, version.sym.span, name=version.sym.name))


def refuse_unset_array(array: Sym) -> None:
    """Refuse a local array without stores; `check` finds elements that are set too late."""
    if array.storage == "local" and isinstance(array.type, Array):
        raise Rejected(diagnose(Code.NEVER_SET, array.span, name=array.name))
