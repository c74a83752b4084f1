"""Frames: how each body is reversed, and where its primal values are found meanwhile.

A `Frame` is one body in the reverse sweep. Its statements are, in order: restores,
its slice, and the adjoints of its statements, last to first. Every primal value that
an adjoint reads is looked up by version, so the text contains `s`, `tape_s[k]` or a
copy's name, whichever holds that value there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from ...analysis.constants import overflows
from ...analysis.ssa import Loop, Scope, Version, Versions, targets
from ...analysis.tbr.recorded import Recorded
from ...ir import (
    BOOL,
    INT,
    Array,
    Assign,
    Banner,
    Barrier,
    Binary,
    Call,
    Const,
    Declare,
    Expr,
    For,
    How,
    Place,
    Pointer,
    Restore,
    Stmt,
    Sym,
    scalar_type,
)
from ..common.adjoint_types import summed
from ..common.algebra import converted, rewrite
from ..common.integer_expressions import over
from ..common.mod_ref import meets_all, written
from ..plan.facts import Facts
from ..plan.partials import Add, Invoke
from ..plan.pullbacks import Owed
from ..plan.shuffles import Ways
from ..plan.storage_layout import Storage
from ..plan.tape_names import free_name
from ..plan.tape_storage import Tape
from . import divided_back
from .adjoint_declarations import with_declarations
from .forward_slice import Slice
from .frames import AdjointFunction as AdjointFunction
from .frames import Frame
from .held_over import found_outside, outcomes
from .induction_values import induction_value
from .loop_reversal import counter_at
from .nested_snapshots import of_loop
from .reverse_order import in_reverse
from .snapshots import restored as restored_arrays
from .statements import EXCHANGE, adjoint_of


@dataclass(eq=False)
class Builder:
    """Builds the reverse sweep of one function. The inputs are facts; nothing is decided here."""

    versions: Versions
    recorded: Recorded
    debts: dict[Stmt, list[Owed]]
    adjoints: dict[Sym, Sym]  # variable -> its adjoint
    how: Callable[[Stmt, Place], tuple[How, str]]
    invoke: Callable[[Call, tuple[int, ...]], AdjointFunction]
    constant_seeds: frozenset[Sym]
    storage: Storage
    names: set[str]  # of tapes, so that the header and the code agree
    copies: dict[Version, Sym] = field(default_factory=dict)
    active_scopes: dict[Scope, bool] = field(default_factory=dict)
    partials: frozenset[Sym] = frozenset()  # those of `storage.stored` that hold recorded partials
    split: bool = False
    # whether each iteration of a loop accesses different elements of an array
    own_elements: Callable[[Loop, Sym], bool] = lambda loop, array: False
    ways: Ways | None = None  # of the shuffles, if there are any
    exchange: str = EXCHANGE  # the name of the helper that exchanges doubles
    early: bool = True  # whether a thread without contributions may return

    @staticmethod
    def of(
        facts: Facts,
        storage: Storage,
        adjoints: dict[Sym, Sym],
        how: Callable[[Stmt, Place], tuple[How, str]],
        invoke: Callable[[Call, tuple[int, ...]], AdjointFunction],
        constant_seeds: frozenset[Sym] = frozenset(),
        split: bool = False,
        own_elements: Callable[[Loop, Sym], bool] = lambda loop, array: False,
        exchange: str = EXCHANGE,
        early: bool = True,
    ) -> Builder:
        """The builder of a function for which everything is decided."""
        return Builder(
            facts.versions,
            facts.recorded,
            facts.debts.of,
            adjoints,
            how,
            invoke,
            constant_seeds,
            storage,
            set(storage.names),
            partials=frozenset(p.sym for p in facts.partials),
            split=split,
            own_elements=own_elements,
            ways=facts.known.ways,
            exchange=exchange,
            early=early,
        )

    def copy_name(self, version: Version) -> str:
        """A name for one more copy of a value."""
        name = free_name((self.storage.copies[version],), self.names)
        self.names.add(name)
        return name

    # ---- what is reversed --------------------------------------------------

    def reversed(self, stmt: Stmt) -> bool:
        """Whether a statement or a nested one has an adjoint."""
        if stmt in self.debts:
            return True
        return any(self.reverses(s) for s in self.versions.inside.get(stmt, ()))

    def reverses(self, scope: Scope) -> bool:
        if scope not in self.active_scopes:
            self.active_scopes[scope] = any(self.reversed(s) for s in scope.stmts)
        return self.active_scopes[scope]

    def owes(self, stmt: Stmt, sym: Sym) -> bool:
        """Whether a statement may contribute to a scalar's adjoint."""
        for owed in self.debts.get(stmt, ()):
            for item in (*owed.items, *owed.own):
                match item:
                    case Add(place) if place.sym is sym:
                        return True
                    case Invoke(_, _, _, outs) if any(isinstance(o, Place) and o.sym is sym for o in outs):
                        return True
                    case _:
                        pass
        return False

    # ---- values ------------------------------------------------------------

    def resolve(self, version: Version, frame: Frame) -> Expr:
        """Where a value is held while `frame` is reversed."""
        if version in self.storage.handed:
            return self.storage.handed[version].place(())
        if version in self.recorded.rewritten:
            return self.recorded.rewritten[version]
        home = self.recorded.held_over.get(version)
        for f in frame.chain():
            if version in f.bound:
                return f.bound[version]
            if found_outside(self.recorded, version, f.scope):
                continue
            if version in self.recorded.closed and version.scope is f.scope:
                return self.closed(version, f)
            if f.scope is home or (version.scope is f.scope and version.kind != "head"):
                sym = f.rename.get(version.sym, version.sym)
                return Place(sym, (), sym.type)
        return Place(version.sym, (), version.sym.type)

    def value(
        self,
        stmt: Stmt,
        expr: Expr,
        frame: Frame,
        afters: dict[Sym, Version] | None = None,
        seed: Expr | None = None,
    ) -> Expr:
        """An expression of `stmt` as the reverse sweep writes it; `seed` in it is kept as it is."""
        reads = self.versions.reads.get(stmt, {})

        def change(e: Expr) -> Expr | None:
            if not isinstance(e, Place):
                return None
            if e == seed:
                return e
            if not e.index:
                version = (afters or {}).get(e.sym) or reads.get(e.sym)
                if version is None or isinstance(e.sym.type, Array | Pointer):
                    return None
                found = self.resolve(version, frame)
                return e if isinstance(found, Place) and found.sym is e.sym and not found.index else found
            tape = self.storage.loads.get((stmt, e))
            if tape is not None:
                return tape.value(self.indices(tape.loops, frame))
            return None

        return rewrite(expr, change)

    def indices(self, loops: tuple[Loop, ...], frame: Frame) -> tuple[Expr, ...]:
        out = []
        for loop in loops:
            for f in frame.chain():
                if loop in f.iteration:
                    out.append(f.iteration[loop])
                    break
            else:
                raise AssertionError("not inside that loop")
        return tuple(out)

    # ---- slices ------------------------------------------------------------

    def slice(self, frame: Frame) -> list[Stmt]:
        """The statements of a body that run before its adjoints.

        A re-run branch that synchronizes and stores to shared memory starts with a barrier: the primal has
        none between the end of the branch and its start, unlike between two iterations.
        """
        again = Slice(self, frame).body(frame.scope.stmts, frame.scope)
        stores = any(sym.storage == "shared" for stmt in again for sym in written(stmt))
        if frame.scope.role in ("then", "else", "case") and stores and any(map(meets_all, again)):
            return [Barrier(), *again]
        return again

    # ---- the reverse sweep of a body ---------------------------------------

    def reverse(self, frame: Frame) -> tuple[list[Stmt], list[Stmt]]:
        """The statements that run forward in a body, and its adjoints."""
        forward = [*self.enter(frame), *self.slice(frame)]
        chunks: list[list[Stmt]] = []
        for stmt in in_reverse(frame.scope.stmts):
            if self.reversed(stmt):
                chunks.append(adjoint_of(self, stmt, frame))
        adjoints = with_declarations(chunks, self.living.get(frame.scope, {}))
        if frame.scope is self.main and any(isinstance(s, Loop) for s in forward):
            forward.insert(0, Banner("forward sweep"))
            adjoints.insert(0, Banner("reverse sweep"))
        return forward, adjoints

    @cached_property
    def main(self) -> Scope:
        """The body that holds most of the function: inside the guards around it."""

        def main(scope: Scope) -> Scope:
            active = [s for s in scope.stmts if self.reversed(s)]
            inner = [s for stmt in active for s in self.versions.inside.get(stmt, ()) if self.reverses(s)]
            if len(active) != 1 or len(inner) != 1 or inner[0].role == "loop":
                return scope
            return main(inner[0])

        return main(self.versions.root)

    def enter(self, frame: Frame) -> list[Stmt]:
        """Restores and fresh variables at the start of a body."""
        scope, out = frame.scope, list[Stmt]()
        loop = scope.owner if isinstance(scope.owner, Loop) else None
        written = self._written(scope)
        again = self.recorded.advances.get(loop) if loop is not None else None
        restored: dict[Sym, Sym] = {}
        if scope.role == "loop" and loop is not None:
            for head in self.versions.heads[loop].values():
                if head not in frame.bound:
                    out += self._restored_head(head, frame, written, restored, loop if again else None)
        out += self._restored_values(frame)
        if again is not None and loop is not None:
            frame.checkpoints = of_loop(self, loop, restored)
            if frame.checkpoints is None:
                slot = over(frame.iteration[loop], self.storage.strides[loop])
                arrays = self.recorded.arrays.get(loop, ())
                out += restored_arrays({sym: self.storage.snapshots[loop, sym] for sym in arrays}, slot)
            else:
                out = frame.checkpoints.restored(out, converted(frame.iteration[loop], INT))
            out.append(self.run_again(loop, again, restored, frame))
        for version in self.recorded.closed:
            if version.scope is scope and isinstance(version.stmt, Loop):
                out += self.told(version.stmt, frame)
        for sym in written:
            if sym in frame.rename:
                continue
            fresh = replace(sym.anew(), otherwise=(*sym.otherwise, f"{sym.name}_next"))
            entry = self.versions.entry_of(scope, sym)
            entered = entry is not None and (scope, entry) in self.recorded.entered
            out.append(Declare(fresh, self.resolve(entry, frame) if entered and entry else None))
            frame.rename[sym] = fresh
        return out

    def _written(self, scope: Scope) -> dict[Sym, None]:
        """The outer scalars that a body's slice writes or that are restored in it, in order."""
        slice_ = self.recorded.slices.get(scope, {})
        targets_ = [target for stmt in slice_ for target in targets(stmt)]
        syms = [t.sym for t in targets_ if not t.index and not isinstance(t.sym.type, Array | Pointer)]
        syms += [version.sym for place, version in self.recorded.restored if place is scope]
        v = self.versions
        return {sym: None for sym in syms if not v.declared.get(sym, v.root).within(scope)}

    def _restored_head(
        self,
        head: Version,
        frame: Frame,
        written: Mapping[Sym, None],
        restored: dict[Sym, Sym],
        again: Loop | None,
    ) -> list[Stmt]:
        """A variable at the start of an iteration: from the tape, or by inverting its induction.

        For a loop re-run from snapshots (`again`), the tape has one value per snapshot.
        """
        if head in self.recorded.taped:
            tape = self.storage.tapes[head]
            sym = head.sym.anew()
            indices = self.indices(tape.loops, frame)
            if again is not None:
                indices = (over(indices[0], self.storage.strides[again]),)
            frame.bound[head] = Place(sym, (), sym.type)
            restored[head.sym] = sym
            if head.sym in written and head not in self.recorded.held:
                frame.rename[head.sym] = sym
            return [Restore(Place(sym, (), sym.type), tape.value(indices), True)]
        if head in self.recorded.undone:
            divided_back.enter(frame, head, head.sym in written)
            return []
        fixed = self.recorded.inverted.get(head)
        if fixed is None:
            return []
        frame.bound[head] = value = self.inverted(head, frame)
        if not fixed.halved and not fixed.strides and overflows(scalar_type(head.sym)):
            return []
        sym = Sym(head.sym.name, scalar_type(head.sym))
        frame.bound[head] = Place(sym, (), sym.type)
        return [Declare(sym, value)]

    def _restored_values(self, frame: Frame) -> list[Stmt]:
        """Restore the values that a body records once per run."""
        out: list[Stmt] = []
        for version, tape in self.storage.stored.items():
            if version.scope is not frame.scope:
                continue
            value = tape.value(self.indices(tape.loops, frame))
            if version.sym in self.partials:
                frame.bound[version] = value  # read once
                continue
            sym = version.sym.anew()
            out.append(Restore(Place(sym, (), sym.type), value, True))
            frame.bound[version] = Place(sym, (), sym.type)
        return out

    def told(self, loop: Loop, frame: Frame) -> list[Stmt]:
        """Restore a loop's recorded trip count and exit, unless this frame has done so."""
        if loop in frame.told or loop not in self.recorded.timed:
            return []
        if not self.recorded.timed[loop].covers(frame.scope):
            return []
        frame.told.add(loop)
        out: list[Stmt] = []
        for tapes, names in (
            (self.storage.timed_trips, self.storage.trips),
            (self.storage.timed_exits, self.storage.exits),
        ):
            if loop in tapes and loop in names:
                tape = tapes[loop]
                value = tape.value(self.indices(tape.loops, frame))
                out.append(Restore(Place(names[loop], (), INT), value, True))
        return out

    def run_again(self, loop: Loop, again: Scope, restored: dict[Sym, Sym], frame: Frame) -> Stmt:
        """Re-run the loop from the snapshot up to this iteration."""
        scope, kept = frame.scope, frame.checkpoints
        r = kept.r.sym if kept is not None else Sym("r", INT, otherwise=("restart",))
        here = frame.iteration[loop]
        stride = Place(self.storage.strides[loop], (), INT)
        first = Binary("*", over(here, self.storage.strides[loop]), stride, INT)
        inner = Frame(scope, frame.parent, dict(restored))
        inner.iteration[loop] = Place(r, (), INT)
        out: list[Stmt] = []
        count = self.recorded.counters.get(loop)
        if count is not None:
            assert isinstance(loop, For)
            assert frame.parent is not None
            start = self.value(loop.init[0], count.start, frame.parent)
            step = self.value(loop, count.step, frame.parent)
            head = self.versions.heads[loop].get(count.sym)
            k = count.sym.anew()
            if head is not None:
                inner.bound[head] = Place(k, (), k.type)
            if not count.ascending or not isinstance(start, Const) or start.value != 0 or not count.unit:
                out.append(Declare(k, counter_at(self, count, Place(r, (), INT), start, step, k)))
            elif head is not None:
                inner.bound[head] = converted(Place(r, (), INT), k.type)
        for head in self.versions.heads[loop].values():
            if head in self.recorded.inverted:
                inner.bound[head] = self.inverted(head, inner)
            elif head.sym in restored:
                inner.bound[head] = Place(restored[head.sym], (), head.sym.type)
        done = self.recorded.slices.get(again, {})
        for stmt in done:
            for target in targets(stmt):
                declared = self.versions.declared.get(target.sym, self.versions.root)
                if target.index or declared.within(scope) or target.sym in inner.rename:
                    continue
                fresh = target.sym.anew()
                inner.rename[target.sym] = fresh
                entry = self.versions.entry_of(scope, target.sym)
                known = inner.bound.get(entry) if entry is not None else None
                if known is None and entry is not None and (again, entry) in self.recorded.entered:
                    known = self.resolve(entry, inner)
                out.append(Declare(fresh, known))
        out += Slice(self, inner, done, True).body(scope.stmts, scope)
        place = Place(r, (), INT)
        step_ = Assign(place, Const(1, INT), "+=", spelling="++r")
        if kept is not None:
            return For((), Binary("<", place, converted(here, INT), BOOL), (step_,), (*kept.kept(), *out))
        return For((Declare(r, first),), Binary("<", place, here, BOOL), (step_,), tuple(out))

    def inverted(self, head: Version, frame: Frame) -> Expr:
        """entry + step · iteration."""
        loop = head.stmt
        assert isinstance(loop, Loop)
        return induction_value(self, self.recorded.inverted[head], self.ordinal(loop, frame), frame)

    def closed(self, version: Version, frame: Frame) -> Expr:
        """entry + step · trips."""
        assert isinstance(version.stmt, Loop)
        trips = Place(self.storage.trips[version.stmt], (), INT)
        return induction_value(self, self.recorded.closed[version], trips, frame)

    def numbers(self, loop: Loop) -> bool:
        """Whether the number of iterations before one is needed, not only its tape index."""
        heads = self.versions.heads[loop].values()
        return (
            loop in self.recorded.advances
            or loop in self.storage.exits
            or any(head in self.recorded.inverted or head in self.recorded.undone for head in heads)
        )

    def ordinal(self, loop: Loop, frame: Frame) -> Expr:
        """The number of iterations before this one, for a loop that `numbers`."""
        for f in frame.chain():
            if loop in f.iteration:
                return f.iteration[loop]
        raise AssertionError("not inside that loop")

    @cached_property
    def outcomes(self) -> dict[Stmt, Sym]:
        """Conditions that are evaluated once for both sweeps, and the names of their outcomes."""
        return outcomes(self.versions, self.recorded)

    @cached_property
    def living(self) -> dict[Scope, dict[Sym, Sym]]:
        """The local adjoints of each body's variables."""
        out: dict[Scope, dict[Sym, Sym]] = {}
        for sym, adj in self.adjoints.items():
            scope = self.versions.declared.get(sym)
            if scope is not None and not isinstance(sym.type, Pointer) and adj.storage == "local":
                out.setdefault(scope, {})[adj] = sym
        return out

    @cached_property
    def tapes_of(self) -> dict[Stmt, list[tuple[Place, Tape]]]:
        """The elements that each statement reads from a tape."""
        out: dict[Stmt, list[tuple[Place, Tape]]] = {}
        for (stmt, place), tape in self.storage.loads.items():
            if not tape.register:
                out.setdefault(stmt, []).append((place, tape))
        return out

    def outlives(self, sym: Sym, scope: Scope) -> bool:
        return not self.versions.declared.get(sym, self.versions.root).within(scope)

    def adjoint_place(self, place: Place, index: tuple[Expr, ...]) -> Place:
        """The adjoint of a place; a scalar's may be behind a pointer."""
        adj = self.adjoints[place.sym]
        if not index and isinstance(adj.type, Pointer):
            index = (Const(0, INT),)
        return Place(adj, index, summed(place.type))
