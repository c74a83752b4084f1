"""Decisions on how to recover each value that the reverse sweep needs, with reasons and both costs."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Container, Mapping
from functools import cached_property

from ...analysis.access.accumulation_reasons import text_of
from ...analysis.activity import is_real
from ...analysis.atomics import update
from ...analysis.loops.induction_variables import Induction
from ...analysis.loops.undone_products import Undone
from ...analysis.plan import Decision, Recovery
from ...analysis.ssa import Loop, Scope, Version, operands, targets
from ...ir import (
    INT,
    Array,
    Call,
    If,
    LoopId,
    Place,
    Stmt,
    Sym,
    scalar_type,
    walk,
)
from ...irtext import show
from ..build.builder import Builder
from ..build.induction_values import total
from ..common.algebra import without_conversions
from ..common.integer_expressions import integral
from ..plan.accumulation_verdicts import elements
from ..plan.facts import Facts
from ..plan.local_jacobians import Carried, TapedPartial
from ..plan.preaccumulation import long_calls
from ..plan.tape_storage import SNAPSHOTS, Tape
from .costs import counted, price, recomputed
from .rewritten_rows import runs
from .tape_words import fixed_size, kind_of_memory, size_of, spelled

ROUNDED = "an address or trip count depends on it; recomputing may round differently"


class Recoveries:
    """Describes a decision for each value that the reverse sweep needs; `seen` are the emitted symbols.

    `strips` are the lengths of the strips over which loops run.
    """

    def __init__(
        self, facts: Facts, builder: Builder, seen: Container[Sym], strips: Mapping[LoopId, int] | None = None
    ) -> None:
        self.seen = seen
        self.strips = strips or {}
        self.v = facts.versions
        self.r = facts.recorded
        self.facts = facts
        self.builder = builder
        self.storage = builder.storage

    def decided_again(self) -> bool:
        """Whether a floating-point condition is evaluated in both sweeps."""
        return any(
            isinstance(stmt, If)
            and not integral(stmt.cond)
            and stmt not in self.builder.outcomes
            and self.builder.reversed(stmt)
            and any(stmt in done for done in self.r.slices.values())
            for stmt in self.v.order
        )

    def decisions(self) -> list[Decision]:
        """Return all decisions, in the order in which the values are computed."""
        r, s, order, at = self.r, self.storage, self.v.order, self.order
        copies = self.builder.copies
        found = [(at(v), self.carried(v)) for v in r.taped if s.tapes[v].sym in self.seen]
        found += [(at(v), self.inverted(v, fixed)) for v, fixed in r.inverted.items()]
        found += [(at(v), self.undone(v, back)) for v, back in r.undone.items()]
        found += [(at(v), self.copied(v)) for v in r.copies if copies.get(v) in self.seen]
        found += [(at(v), self.stored(v)) for v in r.stored]
        found += [(at(v), self.handed(v)) for v in r.handed]
        found += [(at(v), self.remaining(v)) for v in r.held_over]
        found += [
            (order[stmt], self.load(stmt, place))
            for stmt, place in r.loads
            if not (tape := s.loads[stmt, place]).is_global or tape.sym in self.seen
        ]
        timed = s.timed_trips.items()
        found += [(order[loop], self.timed(loop, tape)) for loop, tape in timed if tape.sym in self.seen]
        counted = (loop for loop in r.trips if loop not in s.timed_trips)
        found += [(order[loop], self.trips(loop)) for loop in counted if s.trips[loop] in self.seen]
        found += [(order[loop], self.states(sym, loop)) for loop, syms in r.arrays.items() for sym in syms]
        found += [(order[carried.loop], self.tangents(carried)) for carried in self.facts.carried]
        covered = {*r.taped, *r.inverted, *r.undone, *r.copies, *r.stored, *r.handed}
        tangents = {d.tangent for carried in self.facts.carried for d in carried.directions}
        found += [
            (at(v), self.made(v, scope))
            for scope, versions in r.demanded.items()
            for v in versions
            if v not in covered and v.stmt is not None and v.sym not in tangents
            if not self.bounds_strip(v)
        ]
        found += self.reloads()
        found.sort(key=lambda pair: pair[0])
        return list(dict.fromkeys(d for _, d in found))

    def bounds_strip(self, version: Version) -> bool:
        """Whether a value is the bound of a strip, which no line of the author's computes."""
        loop = version.scope.loop
        return loop is not None and loop.id in self.strips and version.sym.ours

    # ---- kinds of decisions --------------------------------------------------

    def carried(self, version: Version) -> Decision:
        loop = version.stmt
        assert isinstance(loop, Loop)
        tape = self.storage.tapes[version]
        needed = self.needed(version)
        changes = self.changed(version.sym, loop)
        reason = f"{changes} changes it in each iteration"
        size = size_of(tape.element)
        if (length := self.strips.get(loop.id)) is not None:
            reason = f"the state every {length} iterations"
        if loop in self.r.advances:
            why, other = self.rerun(loop, size)
            return Decision(
                version.sym.name,
                version.line or _line(loop),
                Recovery.CHECKPOINT,
                f"{reason}; {why}",
                needed,
                "global memory" if tape.is_global else "local memory",
                f"{tape.sym.name}[{show(tape.counts[0])}]",
                runs(self.builder, loop),
                f"{other}{self.offer(loop)}",
            )
        return Decision(
            version.sym.name,
            _line(loop),
            Recovery.TAPE,
            reason,
            needed,
            kind_of_memory(tape),
            spelled(tape),
            f"{size} bytes per iteration"
            if not fixed_size(tape)
            else f"{size * tape.elements} bytes per thread",
            f"recompute: rerun the loop up to each iteration{self.offer(loop)}",
        )

    def offer(self, loop: Loop) -> str:
        """The tangents that could be carried instead, if there are more than pay by themselves."""
        count = self.facts.offers.get(loop.id)
        return f"; {count} tangents: --forward {_line(loop)}" if count is not None else ""

    def states(self, sym: Sym, loop: Loop) -> Decision:
        assert isinstance(sym.type, Array)
        states = self.storage.snapshots[loop, sym]
        extents = "".join(f"[{extent}]" for extent in sym.type.extents)
        line = _line(loop)
        why, other = self.rerun(loop, sym.type.elements * size_of(sym.type))
        return Decision(
            elements(sym),
            line,
            Recovery.CHECKPOINT,
            f"{self.changed(sym, loop)} changes it in each iteration; {why}",
            (line,),
            "global memory" if states.threads is not None else "local memory",
            f"{states.sym.name}[{SNAPSHOTS}]{extents}",
            runs(self.builder, loop),
            other,
        )

    def rerun(self, loop: Loop, size: int) -> tuple[str, str]:
        """Return why a loop is rerun from snapshots, and the alternative."""
        if self.facts.bounds.of(loop) is None:
            return "no trip bound is known", "tape: needs --bound LINE=EXPR"
        if loop.id in self.facts.snapshots:
            return "the tape has a budget", f"tape: {size} bytes per iteration"
        if not self.facts.bounded(loop):
            return "an integer past the given bound can't be NaN", "tape: needs a proved trip bound"
        return "requested by --recompute", f"tape: {size} bytes per iteration"

    def tangents(self, carried: Carried) -> Decision:
        loop, names = carried.loop, [d.tangent.name for d in carried.directions]
        added = price(e for s in carried.added for e in operands(s))
        line = _line(loop)
        return Decision(
            carried.state.name,
            line,
            Recovery.CARRY,
            f"{self.changed(carried.state, loop)} changes it in each iteration; it has few inputs",
            (line,),
            "tangents carried forward",
            ", ".join(names),
            f"{added} per iteration",
            f"tape: {size_of(carried.state.type)} bytes per iteration, --reverse {line}",
        )

    def inverted(self, version: Version, fixed: Induction) -> Decision:
        rises, by = fixed.step > 0, str(abs(fixed.step))
        if fixed.strides:
            kind = scalar_type(fixed.entry.sym)
            each, falls = total([(s.amount, s.falls) for s in fixed.strides], fixed, kind)
            rises, by = not falls, show(without_conversions(each))
        changes = f"each iteration {'adds' if rises else 'subtracts'} {by}"
        if fixed.halved:
            verb = "divides it by" if fixed.halved > 0 else "multiplies it by"
            changes = f"each iteration {verb} {1 << abs(fixed.halved)}"
        return Decision(
            version.sym.name,
            version.line,
            Recovery.INVERT,
            changes,
            self.needed(version),
            cost="one shift" if fixed.halved else "one multiply-add of integers",
            other="tape: 4 bytes per iteration",
        )

    def undone(self, version: Version, back: Undone) -> Decision:
        return Decision(
            version.sym.name,
            _line(version.stmt),
            Recovery.INVERT,
            f"line {_line(back.stmt)} multiplies it by {show(back.factor)}, "
            f"not by zero: line {_line(back.kept)} leaves the loop below {show(back.limit)}",
            self.needed(version),
            cost="one division per iteration",
            other=f"tape: {size_of(version.sym.type)} bytes per iteration, --store {version.sym.name}",
        )

    def copied(self, version: Version) -> Decision:
        return Decision(
            version.sym.name,
            version.line,
            Recovery.TAPE,
            self.because(version),
            self.needed(version),
            "a register",
            copy.name if (copy := self.builder.copies.get(version)) else "",
            "1 register",
            f"recompute: {recomputed(version)}",
        )

    def because(self, version: Version) -> str:
        line = self.overwriter(version)
        return f"line {line} overwrites it" if line else "it is overwritten"

    def stored(self, version: Version) -> Decision:
        tape = self.storage.stored[version]
        partial = next((p for p in self.facts.partials if p.sym is version.sym), None)
        if partial is not None:
            return self.partial(partial, tape)
        return Decision(
            version.sym.name,
            version.line,
            Recovery.TAPE,
            self.storing(version),
            self.needed(version),
            kind_of_memory(tape),
            spelled(tape),
            f"{size_of(tape.element)} bytes per iteration",
            f"recompute: {recomputed(version)}",
        )

    def storing(self, version: Version) -> str:
        if version.sym in self.facts.expensive:
            assert version.stmt is not None
            made = [e for o in operands(version.stmt) for e in walk(o) if isinstance(e, Call)]
            return f"saves {counted(made)}"
        if version in self.r.kept:
            return ROUNDED
        drawn = version.stmt is not None and update(version.stmt) is not None
        return "returned by an atomic" if drawn else "requested by --store"

    def partial(self, partial: TapedPartial, tape: Tape) -> Decision:
        saved = counted(long_calls(partial.value))
        line = _line(partial.stmt)
        return Decision(
            partial.name,
            line,
            Recovery.TAPE,
            f"partial of line {line}: saves {saved}",
            (line,),
            kind_of_memory(tape),
            spelled(tape),
            f"{size_of(tape.element) * tape.elements} bytes per thread",
            f"recompute: {price([partial.value])}, with {partial.state} on a tape (--store {partial.state})",
        )

    def handed(self, version: Version) -> Decision:
        drawn = version.kind == "def" and version.stmt is not None and update(version.stmt) is not None
        why = "returned by an atomic" if drawn else "computed by a loop"
        return Decision(
            version.sym.name,
            version.line,
            Recovery.TAPE,
            f"{why} that only the forward kernel runs",
            self.needed(version),
            "global memory",
            self.storage.handed[version].sym.name,
            f"{size_of(version.sym.type)} bytes per thread",
            "recompute: would give another value" if drawn else "recompute: rerun the loop",
        )

    def load(self, stmt: Stmt, place: Place) -> Decision:
        tape = self.storage.loads[stmt, place]
        line = place.span.line if place.span else 0
        stores = self.v.writers.get(place.sym, [])
        later = bisect_left(stores, self.v.order[stmt], key=self.v.order.__getitem__)
        over = next(filter(_line, (*stores[later:], *stores)), None)
        by = f"line {_line(over)} overwrites it" if over is not None else "it is overwritten"
        return Decision(
            text_of(place),
            line,
            Recovery.TAPE,
            by,
            (line,),
            kind_of_memory(tape),
            spelled(tape),
            f"{size_of(tape.element)} bytes per read",
            "reload: would give another value",
        )

    def trips(self, loop: Loop) -> Decision:
        line = _line(loop)
        return Decision(
            f"trips of line {line}",
            line,
            Recovery.TAPE,
            "not known before the loop ends",
            (line,),
            "global memory" if loop in self.storage.handed_trips else "a register",
            self.storage.trips[loop].name,
            "1 register",
            "recompute: rerun the loop",
        )

    def timed(self, loop: Loop, tape: Tape) -> Decision:
        """Describe the trip count of a loop that runs several times, recorded each time."""
        line = _line(loop)
        rounds = self.r.timed[loop].rounds
        return Decision(
            f"trips of line {line}",
            line,
            Recovery.TAPE,
            ROUNDED if rounds else "its condition reads elements that are overwritten later",
            (line,),
            kind_of_memory(tape),
            spelled(tape),
            f"{size_of(INT)} bytes per execution of the loop",
            "recompute: rerun the loop, which may round differently"
            if rounds
            else "tape: the operands of the condition, per iteration",
        )

    def made(self, version: Version, scope: Scope) -> Decision:
        done, again = self.r.slices.get(scope, {}), False
        if isinstance(scope.owner, If) and scope.parent is not None:
            again = any(version.stmt in self.r.slices.get(s, {}) for s in scope.parent.outwards())
        plain = not scope.looped and not again and not self.builder.split
        if plain and version.stmt in done and version not in self.r.rewritten:
            return self.remaining(version)
        where = "branch" if again else "iteration"
        return Decision(
            version.sym.name,
            version.line,
            Recovery.RECOMPUTE,
            "from available values" + (f", in the reversed {where}" if again or scope.looped else ""),
            self.needed(version),
            cost=recomputed(version),
            other=f"tape: {size_of(version.sym.type)} bytes"
            + (" per iteration" if scope.looped else " per thread"),
        )

    def remaining(self, version: Version) -> Decision:
        """Describe a value that is still in its variable."""
        return Decision(
            version.sym.name,
            version.line,
            Recovery.RELOAD,
            "still in its variable",
            self.needed(version),
            cost="1 register",
            other=f"recompute: {recomputed(version)}",
            integer=not is_real(version.sym.type),
        )

    def reloads(self) -> list[tuple[int, Decision]]:
        """Return decisions on arrays that the reverse sweep reads again."""
        found: dict[Sym, tuple[int, list[int]]] = {}
        for stmt, debts in self.facts.debts.of.items():
            for owed in debts:
                for expr in owed.expressions():
                    for e in walk(expr):
                        if isinstance(e, Place) and e.index and (stmt, e) not in self.r.loads:
                            order, lines = found.setdefault(e.sym, (self.v.order[stmt], []))
                            lines.append(_line(stmt))
        out: list[tuple[int, Decision]] = []
        stored = {t.sym for s in self.v.order for t in targets(s)}
        for sym, (order, lines) in found.items():
            reason = "not overwritten afterwards" if sym in stored else "never stored to"
            out.append(
                (
                    order,
                    Decision(
                        elements(sym),
                        min(lines),
                        Recovery.RELOAD,
                        reason,
                        tuple(sorted(set(lines))),
                        cost="1 load",
                        other=f"tape: {size_of(sym.type)} bytes per read",
                    ),
                )
            )
        return out

    # ---- text --------------------------------------------------------------

    def order(self, version: Version) -> int:
        return self.v.order.get(version.stmt, -1) if version.stmt is not None else -1

    @cached_property
    def readers(self) -> dict[Version, set[int]]:
        """Map each version to the lines whose adjoints, or the slices before them, read it."""
        sliced = {stmt for done in self.r.slices.values() for stmt in done}
        found: dict[Version, set[int]] = {}
        for stmt, reads in self.v.reads.items():
            if stmt in self.facts.debts.of or stmt in sliced:
                for version in reads.values():
                    found.setdefault(version, set()).add(_line(stmt))
        return found

    def needed(self, version: Version) -> tuple[int, ...]:
        return tuple(sorted(self.readers.get(version, set()) - {0}))

    @cached_property
    def writers(self) -> dict[tuple[Scope, Sym], list[Stmt]]:
        """Map each slice and variable to the statements that write it, in order."""
        found: dict[tuple[Scope, Sym], list[Stmt]] = {}
        for scope, done in self.r.slices.items():
            for stmt in sorted(done, key=lambda s: self.v.order[s]):
                for target in targets(stmt):
                    found.setdefault((scope, target.sym), []).append(stmt)
        return found

    def changed(self, sym: Sym, loop: Loop) -> str:
        scope = self.v.inside[loop][0]
        inside = [s for s in self.v.writers.get(sym, []) if self.v.scope_of[s].within(scope)]
        lines = sorted({_line(s) for s in inside} - {0})
        return "line " + " or ".join(map(str, lines)) if lines else "the loop"

    def overwriter(self, version: Version) -> int:
        last = self.v.last[version.stmt] if version.stmt is not None else -1
        orders = self.writers.get((version.scope, version.sym), [])
        position = bisect_right(orders, last, key=lambda s: self.v.order[s])
        return _line(orders[position]) if position < len(orders) else 0


def _line(stmt: Stmt | None) -> int:
    span = getattr(stmt, "span", None)
    return span.line if span is not None else 0
