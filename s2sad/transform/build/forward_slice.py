"""The forward sweep: the statements of a slice, with records and copies inserted."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from ...analysis.ssa import Loop, Scope, Version, own_breaks, targets
from ...analysis.traversal import ends
from ...ir import (
    BOOL,
    INT,
    Accumulate,
    AddressOf,
    Array,
    Assign,
    Banner,
    Barrier,
    Binary,
    Block,
    Body,
    Break,
    Call,
    Clear,
    Comment,
    Const,
    Continue,
    Declare,
    DoWhile,
    Evaluate,
    Expr,
    For,
    If,
    Initialiser,
    Place,
    Pointer,
    Quote,
    Record,
    Restore,
    Return,
    Stmt,
    Switch,
    Sym,
    While,
)
from ..common.adjoint_names import trip_of, trips_of
from ..common.algebra import converted, rewrite
from ..common.integer_expressions import minus_one
from ..normalise.fallthrough import thinned
from ..plan.storage_layout import loaded
from ..plan.tape_storage import Tape
from .divided_back import divided
from .frames import Frame
from .held_over import declared, found_outside
from .loop_reversal import tape_index
from .read_conditions import if_read
from .short_forms import append, branches
from .snapshots import snapshot
from .sweep import Sweep


class Slice:
    """Builds the statements of a slice, with records and copies inserted."""

    def __init__(
        self,
        builder: Sweep,
        frame: Frame,
        done: dict[Stmt, None] | None = None,
        again: bool = False,
        whole: bool = False,
    ) -> None:
        self.b = builder
        self.frame = frame
        self.scope = frame.scope
        self.again = again
        self.whole = whole  # K_fwd: everything runs, and what K_adj needs is passed on
        self.done = builder.recorded.slices.get(self.scope, {}) if done is None else done
        self.forward: dict[Loop, Expr] = {}
        first = not again and not whole
        self.held_over = declared(builder.versions, builder.recorded, frame) if first else {}
        self.pending = self._undeclared()
        self.records: dict[Stmt, list[tuple[Place, Tape]]] = {}
        self.before: dict[Stmt, list[Tape]] = {}
        recorded: set[Sym] = set()  # one record is enough for all reads that it stands for
        for (stmt, place), tape in builder.storage.loads.items():
            if self.writes(tape) and tape.sym not in recorded:
                recorded.add(tape.sym)
                self.records.setdefault(stmt, []).append((place, tape))
                top = builder.versions.ancestor_in(self.scope, stmt)
                if not tape.is_global and not (top is stmt and tape.register):
                    self.before.setdefault(top, []).append(tape)
        for tapes in (builder.storage.timed_trips, builder.storage.timed_exits):
            for loop, tape in tapes.items():
                if not tape.is_global and self.writes(tape):
                    self.before.setdefault(builder.versions.ancestor_in(self.scope, loop), []).append(tape)
        self.copied: dict[Stmt | None, list[Version]] = {}
        for version in builder.recorded.copies:
            if version.scope is self.scope and not again and not whole:
                self.copied.setdefault(version.stmt, []).append(version)

    def writes(self, tape: Tape) -> bool:
        """Whether this slice is the one that writes a tape."""
        return self.whole if tape.over else tape.home is self.scope and not self.again and not self.whole

    def _undeclared(self) -> set[Sym]:
        """Variables that the slice writes without running their declaration."""
        v = self.b.versions
        written = {target.sym for stmt in self.done for target in targets(stmt)}
        written |= {version.sym for scope, version in self.b.recorded.restored if scope is self.scope}
        written -= {stmt.sym for stmt in self.done if isinstance(stmt, Declare)}
        written -= self.frame.rename.keys()
        return {s for s in written if v.declared.get(s, v.root).within(self.scope)}

    def sym(self, sym: Sym) -> Sym:
        return self.frame.rename.get(sym, sym)

    def expr(self, stmt: Stmt, expr: Expr) -> Expr:
        reads = self.b.versions.reads.get(stmt, {})

        def change(e: Expr) -> Expr | None:
            if not isinstance(e, Place):
                return None
            if not e.index:
                if isinstance(e.sym.type, Array | Pointer):
                    return None
                version = reads.get(e.sym)
                if version is not None and version in self.b.storage.handed and not self.whole:
                    return self.b.storage.handed[version].place(())
                again = version is not None and version in self.b.storage.stored and not self.again
                if again and version is not None and self.scope is version.scope:
                    return self.b.resolve(version, self.frame)
                if version is not None and found_outside(self.b.recorded, version, self.scope):
                    return self.b.resolve(version, self.frame)  # a copy holds another value of the variable
                if e.sym in self.frame.rename:
                    sym = self.frame.rename[e.sym]
                    return replace(e, sym=sym) if sym is not e.sym else None
                if version is None:
                    return None
                inside = version.scope.within(self.scope) and not (
                    version.kind == "head" and version.scope is self.scope
                )
                if inside:
                    return None
                found = self.b.resolve(version, self.frame)
                return e if isinstance(found, Place) and found.sym is e.sym and not found.index else found
            tape = self.b.storage.loads.get((stmt, e))
            if tape is None or self.whole:
                return None
            late = tape.home is not self.scope and not tape.home.within(self.scope)
            if late or tape.over:
                return tape.value(self.indices(tape.loops))
            return None

        return rewrite(expr, change)

    def indices(self, loops: tuple[Loop, ...]) -> tuple[Expr, ...]:
        out = []
        for loop in loops:
            if loop in self.forward:
                out.append(self.forward[loop])
            else:
                out += self.b.indices((loop,), self.frame)
        return tuple(out)

    def body(self, stmts: tuple[Stmt, ...], scope: Scope) -> list[Stmt]:
        out: list[Stmt] = []
        if scope is self.scope:
            for version in self.copied.get(None, ()):
                out.append(self.copy(version))
            out += self.divided(None)
        for stmt in stmts:
            for tape in self.before.get(stmt, ()):
                out.append(Declare(tape.sym)) if not tape.is_global else None
            out += map(Declare, self.held_over.get(stmt, ()))
            out += self.recorded(stmt, after=False)
            for new in self.stmt(stmt, scope):
                append(out, new)
            out += self.recorded(stmt, after=True)
            for version in self.copied.get(stmt, ()):
                out.append(self.copy(version))
            if scope is self.scope:
                out += self.divided(stmt)
            for version in self.b.versions.makes.get(stmt, {}).values():
                if version in self.b.storage.stored and self.records_loop(
                    self.b.storage.stored[version].loops[0]
                ):
                    out.append(self.record(self.b.storage.stored[version], self.variable(version)))
                if (self.scope, version) in self.b.recorded.restored and not self.whole:
                    append(out, Assign(self.variable(version), self.b.resolve(version, self.frame)))
            if self.whole:
                out += self.hand_over(stmt)
        return out

    def divided(self, after: Stmt | None) -> list[Stmt]:
        """Divide back the variables whose divisors are known after a direct statement of the body."""
        out: list[Stmt] = []
        for head in self.frame.divided if not self.again and not self.whole else ():
            back = self.b.recorded.undone[head]
            if head.scope is self.scope and back.after is after:
                out += divided(self.b, head, self.frame, self.expr(back.stmt, back.factor))
        return out

    def hand_over(self, stmt: Stmt) -> list[Stmt]:
        """Record the results of a statement that K_adj needs."""
        out: list[Stmt] = []
        for version in self.b.versions.makes.get(stmt, {}).values():
            if version in self.b.storage.handed:
                out.append(Record(self.b.storage.handed[version].place(()), self.variable(version)))
        if isinstance(stmt, Loop):
            for tapes, names in (
                (self.b.storage.handed_trips, self.b.storage.trips),
                (self.b.storage.handed_exits, self.b.storage.exits),
                (self.b.storage.handed_strides, self.b.storage.strides),
            ):
                if stmt in tapes:
                    out.append(Record(tapes[stmt].place(()), Place(names[stmt], (), INT)))
            for head, tape in self.b.storage.handed_last.items():
                if head.stmt is stmt:
                    last = self.b.storage.last[head]
                    out.append(Record(tape.place(()), Place(last, (), last.type)))
        return out

    def copy(self, version: Version) -> Stmt:
        name = self.b.copy_name(version)
        sym = Sym(name, version.sym.type, "tape")
        self.b.copies[version] = sym
        self.frame.bound[version] = Place(sym, (), sym.type)
        source = self.sym(version.sym)
        return Record(Place(sym, (), sym.type), Place(source, (), source.type), declares=True)

    def recorded(self, stmt: Stmt, after: bool) -> list[Stmt]:
        """The records of a statement's reads: before it, or after it from the local that it loads into."""
        out: list[Stmt] = []
        for place, tape in self.records.get(stmt, ()):
            local = loaded(stmt, place) if stmt in self.done else None
            if (local is not None) != after:
                continue
            value = self.expr(stmt, place)
            if local is not None:
                sym = self.sym(local)
                value = Place(sym, (), sym.type)
            else:
                value = if_read(stmt, place, value, tape.element, self.expr)
            if tape.register and self.b.versions.scope_of[stmt] is self.scope:
                out.append(Record(tape.place(()), value, declares=True))
            else:
                out.append(self.record(tape, value))
        return out

    def stmt(self, stmt: Stmt, scope: Scope) -> list[Stmt]:
        if isinstance(stmt, Declare) and stmt.sym.storage == "shared" and not self.whole:
            return []  # declared with its adjoint, at the top
        if isinstance(stmt, Declare) and stmt not in self.done and stmt.sym in self.pending:
            return [replace(stmt, init=None)]
        if isinstance(stmt, Declare) and isinstance(stmt.sym.type, Array) and stmt.init is None:
            return [replace(stmt)] if self.whole or self.touched(stmt.sym) else []
        if stmt not in self.done:
            return []
        match stmt:
            case Declare(sym, None) if sym in self.frame.rename:
                return []
            case Declare(sym, init) if sym in self.frame.rename and not isinstance(init, Initialiser | None):
                target = Place(self.sym(sym), (), sym.type)
                return [Assign(target, self.expr(stmt, init), None, stmt.span)]
            case Declare(_, init):
                if isinstance(init, Initialiser):
                    values = tuple(self.expr(stmt, e) for e in init.values)
                    return [replace(stmt, init=Initialiser(values))]
                return [replace(stmt, init=None if init is None else self.expr(stmt, init))]
            case Assign(target, value, op):
                place = self.target(stmt, target)
                before = self.expr(stmt, Place(target.sym, (), target.type)) if not target.index else place
                if op is not None and not (isinstance(before, Place) and before.sym is place.sym):
                    # The variable doesn't hold its old value: write out the whole expression.
                    both = self.expr(stmt, value)
                    whole = Binary(op[:-1], converted(before, value.type), both, value.type)
                    return [Assign(place, converted(whole, place.type), None, stmt.span)]
                return [replace(stmt, target=place, value=self.expr(stmt, value))]
            case Evaluate(call):
                new = self.expr(stmt, call)
                assert isinstance(new, Call)
                args = tuple(
                    replace(was, place=self.target(stmt, was.place)) if isinstance(was, AddressOf) else a
                    for a, was in zip(new.args, call.args, strict=True)
                )
                return [replace(stmt, call=replace(new, args=args))]
            case If():
                return self.branch(stmt)
            case Switch():
                cases = []
                for case, inner in zip(stmt.cases, self.b.versions.inside[stmt], strict=False):
                    cases.append(replace(case, body=tuple(self.body(inner.stmts, inner))))
                kept = thinned(cases)
                return [replace(stmt, selector=self.expr(stmt, stmt.selector), cases=kept)] if kept else []
            case For() | While() | DoWhile():
                return self.loop(stmt)
            case Barrier(_, mask):
                return [replace(stmt, mask=None if mask is None else self.expr(stmt, mask))]
            case Break():
                return [*self.leave(stmt), Break(stmt.span)]
            case Return():
                return [stmt] if self.whole else []
            case Continue() | Block():
                raise AssertionError("not in tail form")
            case Record() | Restore() | Accumulate() | Clear() | Quote() | Banner() | Comment():
                raise AssertionError("not in a primal")
            case _:
                assert_never(stmt)

    def touched(self, sym: Sym) -> bool:
        """Whether this slice or any other stores to an array."""
        if any(sym in arrays for arrays in self.b.recorded.arrays.values()):
            return True
        slices = (self.done, *self.b.recorded.slices.values())
        return any(t.sym is sym for slice in slices for s in slice for t in targets(s))

    def target(self, stmt: Stmt, target: Place) -> Place:
        if not target.index:
            return replace(target, sym=self.sym(target.sym))
        return replace(target, index=tuple(self.expr(stmt, e) for e in target.index))

    def branch(self, stmt: If) -> list[Stmt]:
        then_scope, else_scope = self.b.versions.inside[stmt]
        if self.again and self.leaves_here(stmt.then):
            return self.body(else_scope.stmts, else_scope)
        if self.again and self.leaves_here(stmt.other):
            return self.body(then_scope.stmts, then_scope)
        cond = self.expr(stmt, stmt.cond)
        then = self.body(then_scope.stmts, then_scope)
        other = self.body(else_scope.stmts, else_scope)
        if stmt in self.b.outcomes and self.b.versions.scope_of[stmt] is self.scope and not self.again:
            outcome = self.b.outcomes[stmt]
            return [Declare(outcome, cond), *branches(Place(outcome, (), BOOL), then, other, stmt.span)]
        return branches(cond, then, other, stmt.span)

    def leaves_here(self, branch: Body) -> bool:
        """Whether a branch leaves the re-run loop; the re-run iterations don't take it."""
        own = self.b.versions.breaks.get(self.scope.owner, []) if self.scope.owner is not None else []
        return ends(branch) and any(one in own for one in own_breaks(branch))

    def leave(self, stmt: Break) -> list[Stmt]:
        for loop, sym in self.b.storage.exits.items():
            breaks = self.b.versions.breaks[loop]
            recording = self.records_loop(loop) or self.timing(loop)
            if stmt in breaks and recording and self.told(loop) is None:
                return [Assign(Place(sym, (), INT), Const(breaks.index(stmt) + 1, INT))]
        return []

    def timing(self, loop: Loop) -> bool:
        """Whether this slice records a loop's trip count for others."""
        return loop in self.b.storage.timed_trips and self.writes(self.b.storage.timed_trips[loop])

    def told(self, loop: Loop) -> Expr | None:
        """A loop's recorded trip count, if this slice can't evaluate its condition."""
        if self.whole or loop not in self.b.recorded.timed:
            return None
        if not self.b.recorded.timed[loop].covers(self.scope):
            return None
        tape = self.b.storage.timed_trips.get(loop) or self.b.storage.handed_trips[loop]
        return tape.value(self.indices(tape.loops))

    def records_loop(self, loop: Loop) -> bool:
        """Whether this slice's frame reverses the loop, so that the slice must record its trip count."""
        if self.b.split and loop in self.b.storage.handed_loops:
            return self.whole
        return self.b.versions.scope_of[loop] is self.scope and not self.again

    def loop(self, stmt: Loop) -> list[Stmt]:
        body_scope = self.b.versions.inside[stmt][0]
        told = self.told(stmt)
        recording = self.records_loop(stmt)
        timing = self.timing(stmt)
        before: list[Stmt] = []
        start: list[Stmt] = []
        count = self.b.recorded.counters[stmt]
        taped = [v for v in self.b.versions.heads[stmt].values() if recording and v in self.b.recorded.taped]
        trips = self.b.storage.trips.get(stmt) if recording and told is None else None
        stored = [t for t in self.b.storage.stored.values() if recording and t.loops[0] is stmt]
        last = [(v, s) for v, s in self.b.storage.last.items() if recording and v.stmt is stmt]
        before += [Declare(s, self.variable(v)) for v, s in last]
        start += [Assign(Place(s, (), s.type), self.variable(v)) for v, s in last]
        arrays = self.b.recorded.arrays.get(stmt, {}) if recording else {}
        needs_index = bool(taped) or bool(stored) or bool(arrays) or self.tapes_inside(stmt)
        before += [Declare(t.sym) for t in stored if not t.is_global]
        if trips is None and (timing or (told is None and count is None and needs_index)):
            trips = trips_of(stmt)
        ordinal = trip_of(stmt)
        if count is not None and stmt not in self.b.recorded.presumed:
            k = self.sym(count.sym)
            first = stmt.init[0] if isinstance(stmt, For) else stmt
            self.forward[stmt] = tape_index(
                self.b,
                replace(count, step=self.expr(stmt, count.step)),
                Place(k, (), k.type),
                self.expr(first, count.start),
                self.expr(stmt, count.bound),
                self.b.numbers(stmt),
            )
        elif told is not None:
            self.forward[stmt] = Place(ordinal, (), INT)
        elif trips is not None:
            self.forward[stmt] = Place(trips, (), INT)
        if trips is not None:
            before.append(Declare(trips, Const(0, INT)))
        if stmt in self.b.storage.exits and told is None and (recording or timing):
            before.append(Declare(self.b.storage.exits[stmt], Const(0, INT)))
        states = {sym: self.b.storage.snapshots[stmt, sym] for sym in arrays}
        tapes = [(self.b.storage.tapes[v], v) for v in taped]
        before += [Declare(tape.sym) for tape, _ in tapes if not tape.is_global]
        before += [Declare(s.sym) for s in states.values() if s.threads is None]
        if (taped or states) and stmt in self.b.storage.strides:
            before.append(Declare(self.b.storage.strides[stmt], Const(1, INT)))
            stride = Place(self.b.storage.strides[stmt], (), INT)
            scalars = [(tape, self.variable(version)) for tape, version in tapes]
            start.append(snapshot(self.forward[stmt], stride, scalars, states))
        else:
            start += [self.record(tape, self.variable(version)) for tape, version in tapes]
        broken = bool(self.b.versions.breaks[stmt])
        if trips is not None and count is None and broken:
            # The records at the start precede the count, those of the body follow it.
            self.forward[stmt] = minus_one(trips)
        counting: list[Stmt] = []
        if trips is not None:
            counting.append(Assign(Place(trips, (), INT), Const(1, INT), "+=", spelling=f"++{trips.name}"))
        step = stmt.step if isinstance(stmt, For) else ()
        stmts = self.body(body_scope.stmts[: len(body_scope.stmts) - len(step)], body_scope)
        inner = [*start, *counting, *stmts] if broken else [*start, *stmts, *counting]
        if told is not None:
            return [*before, *self.repeated(stmt, ordinal, told, inner)]
        after = self.timed(stmt, trips) if timing else []
        return [*before, *self.same(stmt, inner), *after]

    def record(self, tape: Tape, value: Expr) -> Stmt:
        """Write a value to a tape, at the indices of the current iterations."""
        return tape.record(self.indices(tape.loops), value, self.b.storage.overrun)

    def timed(self, loop: Loop, trips: Sym | None) -> list[Stmt]:
        """Record a loop's trip count and the `break` by which it ended."""
        storage = self.b.storage
        found = ((storage.timed_trips, trips), (storage.timed_exits, storage.exits.get(loop)))
        return [
            self.record(tapes[loop], Place(number, (), INT))
            for tapes, number in found
            if loop in tapes and number is not None
        ]

    def repeated(self, stmt: Loop, ordinal: Sym, told: Expr, body: list[Stmt]) -> list[Stmt]:
        """A loop that runs the recorded number of times; its condition isn't evaluated."""
        first = stmt.init if isinstance(stmt, For) else ()
        step = stmt.step if isinstance(stmt, For) else ()
        init = [s for f in first for s in self.stmt(f, self.scope)]
        steps = [s for last in step for s in self.stmt(last, self.b.versions.inside[stmt][0])]
        if not body and not steps:
            return init
        trips, at = trips_of(stmt), Place(ordinal, (), INT)
        return [
            *init,
            Restore(Place(trips, (), INT), told, True),
            For(
                (Declare(ordinal, Const(0, INT)),),
                Binary("<", at, Place(trips, (), INT), BOOL),
                (Assign(at, Const(1, INT), "+=", spelling=f"++{ordinal.name}"),),
                (*body, *steps),
                stmt.span,
            ),
        ]

    def same(self, stmt: Loop, inner: list[Stmt]) -> list[Stmt]:
        """A loop with the author's header."""
        body_scope = self.b.versions.inside[stmt][0]
        match stmt:
            case For():
                init = [s for first in stmt.init for s in self.stmt(first, self.scope)]
                steps = [s for last in stmt.step for s in self.stmt(last, body_scope)]
                cond = None if stmt.cond is None else self.expr(stmt, stmt.cond)
                if not steps and not init and cond is not None:
                    return [While(cond, tuple(inner), stmt.span, stmt.pragmas, stmt.id)]
                return [
                    For(tuple(init), cond, tuple(steps), tuple(inner), stmt.span, stmt.pragmas, id=stmt.id)
                ]
            case While():
                return [While(self.expr(stmt, stmt.cond), tuple(inner), stmt.span, stmt.pragmas, stmt.id)]
            case DoWhile():
                return [DoWhile(tuple(inner), self.expr(stmt, stmt.cond), stmt.span, stmt.pragmas, stmt.id)]
            case _:
                assert_never(stmt)

    def variable(self, version: Version) -> Place:
        sym = self.sym(version.sym)
        return Place(sym, (), sym.type)

    def tapes_inside(self, stmt: Loop) -> bool:
        """Whether a tape is indexed by this loop's iterations while the slice runs through it."""
        tapes = [*self.b.storage.loads.values(), *self.b.storage.timed_trips.values()]
        return any(any(x is stmt for x in tape.loops) for tape in tapes)
