"""To be recorded: what the reverse sweep needs, and what must run forward for it.

The reverse sweep of a body is a *frame*: first the slice of the body's own
statements that its adjoints need, then the adjoints, last to first. The slice of
the function's body is the forward sweep; the slice of a loop's body runs once per
reversed iteration, the slice of a branch's body inside the reversed branch. So a value
made and used in one body needs no record, and no statement runs forward unless
its value is needed.

Values that cross a frame:

* the value of a variable at the start of an iteration, if iterations change it:
  regenerated (a counter), inverted (a fixed step), or recorded per iteration;
* a value whose variable the slice overwrites later: copied when it is made;
* an element read from an array that is overwritten later: recorded at the read.

The demands of the adjoints only ever add facts, so the order of the worklist doesn't
matter and it terminates. Equations: adjoint liveness and TBR of Hascoët, Naumann and
Pascual (2005), per use instead of per variable.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

from ...diagnostics import Rejected
from ...fixpoint import rounds
from ...ir import Barrier, DoWhile, For, If, Place, Stmt, Switch, Sym, While
from ..atomics import draws, order_dependent, update
from ..load_guards import deciders
from ..ssa import Loop, Scope, Version, loads, operands, own_breaks, scalars, targets
from ..traversal import ends
from .adjoint_demands import Demands, Rerun, Task, refuse_unset_array, refuse_unset_variable
from .overwritten_values import copy_overwritten
from .recorded import Recorded, Timed


class Analysis(Demands):
    """The worklist. Its roots are the values demanded; `finish` returns the result."""

    @cached_property
    def barriers(self) -> list[Stmt]:
        return [stmt for stmt in self.v.order if isinstance(stmt, Barrier)]

    def need(self, version: Version, scope: Scope, *, joined: bool = False) -> None:
        """Provide a version that the slice of `scope` reads, or that is `joined` with others into one."""
        if version.kind == "entry":
            refuse_unset_variable(version, joined)
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
        home = self.held_over.get(version)
        if home is not None and base is not home and base.within(home) and self.holds_over(version):
            return
        if inside:
            self.agenda.append(Task(version, scope))
        else:
            self.r.entered[scope, version] = None
            self.demand(version, None if scope in self.bases else scope)

    def mark(self, version: Version, scope: Scope) -> None:
        """Make a version in the slice of `scope`."""
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
        """Run a simple statement in the slice of `scope`."""
        done = self.r.slices.setdefault(scope, {})
        if stmt in done:
            return
        done[stmt] = None
        if draws(stmt):
            raise Rejected(order_dependent(stmt, self.split))
        added = update(stmt)
        # An array in global memory with atomic additions is never read, so nothing needs them.
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
                    self.agenda.append(Task(barrier, scope))

    def around(self, stmt: Stmt, scope: Scope) -> None:
        """Run the statements around a statement with it, up to the slice's own body."""
        inner = self.v.scope_of[stmt]
        if inner is not self.base(scope) and inner.owner is not None:
            self.control(inner.owner, scope)

    def control(self, stmt: Stmt, scope: Scope) -> None:
        """Decide a branch, or run a loop, in the slice of `scope` as the primal does."""
        done = self.r.slices.setdefault(scope, {})
        if stmt in done:
            return
        done[stmt] = None
        self.around(stmt, scope)
        told = isinstance(stmt, Loop) and self.counts_elsewhere(stmt, scope)
        if told:
            self.count_trips(stmt)  # type: ignore[arg-type]
        if scope in self.bases and isinstance(stmt, If) and self.leaves(stmt, self.bases[scope]):
            return  # the iterations that are rerun didn't leave the loop
        for version in () if told else self.v.reads[stmt].values():
            self.need(version, scope)
        for expr in () if told else operands(stmt):
            for place in loads(expr):
                self.load(stmt, place, scope)
        if isinstance(stmt, Loop):
            for leaving in self.v.breaks[stmt]:
                done[leaving] = None
                self.around(leaving, scope)

    def leaves(self, stmt: If, body: Scope) -> bool:
        """Whether one branch of a statement leaves the loop with this body, whichever way it goes."""
        assert isinstance(body.owner, Loop)
        own = self.v.breaks[body.owner]
        return any(
            ends(branch) and any(b in own for b in own_breaks(branch)) for branch in (stmt.then, stmt.other)
        )

    def load(self, stmt: Stmt, place: Place, scope: Scope) -> None:
        """Read an element in the slice of `scope`."""
        if place.sym not in self.arrays.stores:
            refuse_unset_array(place.sym)
            return
        home = self.arrays.region(place.sym, stmt, self.base(scope))
        if home is None or self.shared(place.sym):
            self.demand_load(stmt, place, scope)
            return
        self.demand_array(place.sym, home)
        self.run_reaching(place.sym, stmt, home, scope)

    def settle(self) -> None:
        """Process the agenda until it is empty.

        Everything recorded, recomputed and rerun only grows, and a task is added once for each
        statement that needs it.
        """
        height = 100 * self.v.size**2
        for _ in rounds(height, "what is to be recorded", self.v.function.span):
            if not self.agenda:
                break
            task = self.agenda.pop()
            if isinstance(task, Rerun):
                self.rerun(task)
                continue
            match task.what:
                case Version() as version if task.joined:
                    self.need(version, task.scope, joined=True)
                case Version() as version:
                    self.mark(version, task.scope)
                case If() | Switch() | For() | While() | DoWhile() as stmt:
                    self.control(stmt, task.scope)
                case stmt:
                    self.run(stmt, task.scope)

    def rerun(self, some: Rerun) -> None:
        """Run the last of some stores, and leave those before it, unless an earlier task has run them."""
        which = some.array, some.home, some.scope
        reran = self.reran.get(which, 0)
        if some.left <= reran:
            self.reran[which] = max(some.count, reran)
            return
        self.agenda.append(replace(some, left=some.left - 1))
        self.run(self.arrays.stores_in(some.array, some.home)[some.left - 1], some.scope)

    def finish(self) -> Recorded:
        """Return everything that the demands so far lead to."""
        self.settle()
        for _ in rounds(len(self.v.order) ** 2, "which loads are late", self.v.function.span):
            if not self.record_loads():
                break
            self.settle()
        copy_overwritten(self.v, self.r)
        scales = self.scales.items()
        self.r.scales = {loop: s for loop, s in scales if s is not None and loop not in self.numbered}
        return self.r

    def record_loads(self) -> bool:
        """Record late loads of elements that the forward sweep has overwritten by then."""
        grown = False
        for load in list(self.r.late):
            if load in self.r.loads:
                continue
            stmt, place = load
            home = self.arrays.home(place.sym, stmt)
            handed = self.shared(place.sym)
            done = self.r.slices.get(home, {})
            if any(
                self.run_again(store, place.sym, home)
                or ((handed or store in done) and self.arrays.overwrites(store, stmt, place, home))
                for store in self.arrays.following(place, stmt, home)
            ):
                self.r.loads[load] = home
                for loop in self.v.loops_between(home, self.v.scope_of[stmt]):
                    self.number(loop)
                grown = True
                if not handed:
                    self.record_at(stmt, place, home)
        return grown

    def run_again(self, store: Stmt, sym: Sym, home: Scope) -> bool:
        """Whether the reverse sweep of a loop inside `home` writes to the array again."""
        inner = self.arrays.home(sym, store)
        return inner is not home and sym in self.r.arrays.get(inner.owner, {})  # type: ignore[arg-type]

    def record_at(self, stmt: Stmt, place: Place, home: Scope) -> None:
        """Make the slice of `home` pass `stmt` and read the element there."""
        self.around(stmt, home)
        reads = self.v.reads[stmt]
        told = [cond for expr in operands(stmt) for cond in deciders(expr, place)]
        for part in (*place.index, *told):
            for sym in scalars(part):
                if sym in reads:
                    self.need(reads[sym], home)
            for inner in loads(part):
                self.load(stmt, inner, home)
        self.run_reaching(place.sym, stmt, home, home)

    def undecidable(self) -> dict[Loop, Timed]:
        """Find loops whose condition a slice can't evaluate: it reads elements overwritten by then.

        One record of such an element per run of the loop isn't enough, as every iteration evaluates
        the condition: the trip count is recorded instead.

            while (b >= 0 && v[b] > key) { v[b + 1] = v[b]; --b; }
        """
        found: dict[Loop, Timed] = {}
        for (stmt, place), home in self.r.loads.items():
            if not isinstance(stmt, Loop) or self.r.counters[stmt] is not None:
                continue
            now = Timed(self.v.root, True) if self.shared(place.sym) else Timed(home)
            before = found.get(stmt, self.timed.get(stmt))
            if before is None or before.grows(now):
                found[stmt] = now
            else:
                assert stmt in found, "a condition is decided where its elements are gone"
        return found
