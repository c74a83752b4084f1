"""The plan as a value: each decision that the analyses made, with its reason and both costs."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter as Bag
from collections.abc import Container, Iterable
from functools import cached_property

from ...analysis.access.accumulation_reasons import text_of
from ...analysis.activity import is_real
from ...analysis.atomics import update
from ...analysis.loops.counted_loops import constant
from ...analysis.loops.induction_variables import Induction
from ...analysis.plan import Accumulation, Decision, How, Plan
from ...analysis.ssa import Loop, Scope, Version, operands
from ...ir import (
    INT,
    Array,
    Assign,
    Binary,
    Body,
    Call,
    Cast,
    Const,
    Declare,
    DoWhile,
    Evaluate,
    Expr,
    For,
    If,
    Place,
    Scalar,
    Select,
    Stmt,
    Sym,
    While,
    statements,
    unconverted,
    walk,
)
from ...irtext import show
from ..build.builder import Builder
from ..common.algebra import rewrite
from ..common.integer_expressions import integral
from ..normalise.tree_sums import is_sum
from ..plan.accumulation_policy import evens
from ..plan.accumulation_verdicts import Verdicts, elements
from ..plan.check_launch import extent_of, in_words, may_be_absent
from ..plan.facts import Facts
from ..plan.local_jacobians import Carried, TapedPartial
from ..plan.preaccumulation import long_calls
from ..plan.tape_storage import SNAPSHOTS, Tape
from ..states import Kernel


class Everything:
    """All symbols, those without a name as well: of a plan of which nothing is built yet."""

    def __contains__(self, sym: object) -> bool:
        return True


def plan_of(about: Kernel, verdicts: Verdicts, seen: Container[Sym]) -> Plan:
    """All decisions of a kernel, in the order in which its values are made.

    `seen` are the symbols of the emitted kernels: what tidying took out has no row.
    """
    facts, ownership, trees, prefix = about.facts, about.ownership, about.sums, about.prefix
    planner = _Planner(facts, about.builder, seen)
    decisions = planner.decisions()
    ways = facts.known.ways
    whole = trees.whole_warps or ownership.whole_warps or (ways is not None and ways.warps.aligned)
    rows = ["blockDim.x is a multiple of 32"] if whole else []
    rows += ["blockDim.x is a power of two"] if trees.halved else []
    rows += ["blockDim.y and blockDim.z are 1"] if trees.rows else []
    rows += [in_words(guard) for guard in evens(ownership, ways)]
    rows += [f"{name} is 1" for name in sorted(map(extent_of, ownership.alone))]
    assumed = dict.fromkeys((*ownership.access.assumed(), *verdicts.stores_once()))
    assumptions = [*assumed, *rows, "arrays don't overlap", "no index wraps"]
    assumptions += [f"{a.kind}:{a.what}" for a in ownership.assumed]
    assumptions += [
        f"what is written to {name} as one type isn't read as another"
        for name in _several(facts.function.body)
    ]
    missing = may_be_absent(facts.function.body)
    with_adjoints = [a.of.variable for a in about.builder.adjoints.values() if a.of is not None]
    assumptions += [
        f"{prefix}{name} is nullptr where {name} is"
        for name in dict.fromkeys(with_adjoints)
        if name in missing
    ]
    if planner.decided_again():
        assumptions.append("a condition on floating values may be decided twice, and a near-tie either way")
    return Plan(
        tuple(decisions),
        (*verdicts.accumulations(prefix), *_summed(facts, prefix), *_cancelled(facts, prefix)),
        tuple(assumptions),
        tuple(facts.debts.kinks),
    )


def _several(body: Body) -> Iterable[str]:
    """The shared memory that is read and written as several types."""
    syms = (s.sym for s in statements(body) if isinstance(s, Declare) and s.sym.storage == "shared")
    whole = (s.within for s in syms)
    return dict.fromkeys(w.name for w in whole if w is not None and isinstance(w.type, Array))


def _summed(facts: Facts, prefix: str) -> list[Accumulation]:
    """Rows for what a block adds up: each thread owes what all of them owe for the sum."""
    why = "each thread's value is in the block's sum once"
    found: list[Accumulation] = []
    for stmt in facts.versions.order:
        match stmt:
            case Declare(sym, value) | Assign(Place(sym), value) if is_sum(value) and stmt in facts.debts.of:
                lines = (stmt.span.line,) if stmt.span else ()
                found.append(Accumulation(f"{prefix}{sym.name}", "sum per block", why, lines))
            case _:
                pass
    return found


def _cancelled(facts: Facts, prefix: str) -> list[Accumulation]:
    """Rows for the values whose adjoints are left out, as they are zero."""
    values = [(v.sym.name, v.line) for v in facts.versions.all_versions() if v in facts.shifts]
    for stmt in facts.versions.order:
        match stmt:
            case Assign(Place(sym), span=span) if sym in facts.shifts:  # a word in shared memory
                values.append((sym.name, span.line if span else 0))
            case _:
                pass
    return [
        Accumulation(f"{prefix}{name}", "none", f"{name} cancels: no result changes with it", (line,))
        for name, line in values
    ]


def _plain(count: Expr) -> Expr:
    """A count without conversions that nobody wrote."""
    return rewrite(count, lambda e: _plain(e.arg) if isinstance(e, Cast) and e.implicit else None)


class _Planner:
    def __init__(self, facts: Facts, builder: Builder, seen: Container[Sym]) -> None:
        self.seen = seen
        self.v = facts.versions
        self.r = facts.recorded
        self.facts = facts
        self.builder = builder
        self.storage = builder.storage

    def decided_again(self) -> bool:
        """Whether a condition on floating values is decided in both sweeps."""
        return any(
            isinstance(stmt, If)
            and not integral(stmt.cond)
            and self.builder.reversed(stmt)
            and any(stmt in done for done in self.r.slices.values())
            for stmt in self.v.order
        )

    def decisions(self) -> list[Decision]:
        found: list[tuple[int, Decision]] = []
        for version in self.r.taped:
            if self.storage.tapes[version].sym not in self.seen:
                continue
            found.append((self.order(version), self.carried(version)))
        for version, fixed in self.r.inverted.items():
            found.append((self.order(version), self.inverted(version, fixed)))
        for version in self.r.copies:
            copy = self.builder.copies.get(version)
            if copy not in self.seen:
                continue
            found.append((self.order(version), self.copied(version)))
        for version in self.r.stored:
            found.append((self.order(version), self.stored(version)))
        for version in self.r.handed:
            found.append((self.order(version), self.handed(version)))
        for stmt, place in self.r.loads:
            tape = self.storage.loads[stmt, place]
            if tape.is_global and tape.sym not in self.seen:
                continue
            found.append((self.v.order[stmt], self.load(stmt, place)))
        for loop, tape in self.storage.timed_trips.items():
            if tape.sym in self.seen:
                found.append((self.v.order[loop], self.timed(loop, tape)))
        for loop in self.r.trips:
            if self.storage.trips[loop] not in self.seen or loop in self.storage.timed_trips:
                continue
            found.append((self.v.order[loop], self.trips(loop)))
        for loop, arrays in self.r.arrays.items():
            for sym in arrays:
                found.append((self.v.order[loop], self.states(sym, loop)))
        for carried in self.facts.carried:
            found.append((self.v.order[carried.loop], self.tangents(carried)))
        covered = {*self.r.taped, *self.r.inverted, *self.r.copies, *self.r.stored, *self.r.handed}
        tangents = {d.tangent for carried in self.facts.carried for d in carried.directions}
        for scope, versions in self.r.demanded.items():
            for version in versions:
                if version not in covered and version.stmt is not None and version.sym not in tangents:
                    found.append((self.order(version), self.made(version, scope)))
        found += self.reloads()
        found.sort(key=lambda pair: pair[0])
        return list(dict.fromkeys(d for _, d in found))

    # ---- one kind each -----------------------------------------------------

    def carried(self, version: Version) -> Decision:
        loop = version.stmt
        assert isinstance(loop, For | While | DoWhile)
        tape = self.storage.tapes[version]
        needed = self.needed(version)
        changes = self.changed(version.sym, loop)
        reason = f"{changes} changes it in each iteration"
        size = _size(tape.element)
        if loop in self.r.advances:
            return Decision(
                version.sym.name,
                version.line or changes_line(loop),
                How.CHECKPOINT,
                f"{reason}, and nothing bounds their number",
                needed,
                "global memory" if tape.is_global else "local memory",
                f"{tape.sym.name}[{show(tape.counts[0])}]",
                "each stretch between two snapshots is run again per iteration",
                "a tape needs --bound LINE=EXPR",
            )
        return Decision(
            version.sym.name,
            loop.span.line if loop.span else 0,
            How.TAPE,
            reason,
            needed,
            self.place(tape),
            self.spelled(tape),
            f"{size} bytes per iteration"
            if not _constant(tape)
            else f"{size * _elements(tape)} bytes per thread",
            "recompute: the loop run again up to each iteration",
        )

    def states(self, sym: Sym, loop: Loop) -> Decision:
        assert isinstance(sym.type, Array)
        states = self.storage.snapshots[loop, sym]
        extents = "".join(f"[{extent}]" for extent in sym.type.extents)
        line = loop.span.line if loop.span else 0
        return Decision(
            elements(sym),
            line,
            How.CHECKPOINT,
            f"{self.changed(sym, loop)} changes it in each iteration, and nothing bounds their number",
            (line,),
            "global memory" if states.threads is not None else "local memory",
            f"{states.sym.name}[{SNAPSHOTS}]{extents}",
            "each stretch between two snapshots is run again per iteration",
            "a tape needs --bound LINE=EXPR",
        )

    def tangents(self, carried: Carried) -> Decision:
        loop, names = carried.loop, [d.tangent.name for d in carried.directions]
        added = price(e for s in carried.added for e in operands(s))
        line = loop.span.line if loop.span else 0
        return Decision(
            carried.state.name,
            line,
            How.CARRY,
            f"{self.changed(carried.state, loop)} changes it in each iteration, and inputs are few",
            (line,),
            "carried forward",
            ", ".join(names),
            f"{added} per iteration",
            f"tape: {_size(carried.state.type)} bytes per iteration",
        )

    def inverted(self, version: Version, fixed: Induction) -> Decision:
        rises, by = fixed.step > 0, str(abs(fixed.step))
        if fixed.stride is not None:
            rises, by = fixed.stride.op == "+=", show(unconverted(fixed.stride.value))
        changes = f"each iteration {'adds' if rises else 'subtracts'} {by}"
        if fixed.halved:
            verb = "divides it by" if fixed.halved > 0 else "multiplies it with"
            changes = f"each iteration {verb} {1 << abs(fixed.halved)}"
        return Decision(
            version.sym.name,
            version.line,
            How.INVERT,
            changes,
            self.needed(version),
            cost="one shift" if fixed.halved else "one multiply-add of integers",
            other="tape: 4 bytes per iteration",
        )

    def copied(self, version: Version) -> Decision:
        return Decision(
            version.sym.name,
            version.line,
            How.TAPE,
            self.because(version),
            self.needed(version),
            "a register",
            copy.name if (copy := self.builder.copies.get(version)) else "",
            "1 register",
            f"recompute: {self.price(version)}",
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
            How.TAPE,
            self.storing(version),
            self.needed(version),
            self.place(tape),
            self.spelled(tape),
            f"{_size(tape.element)} bytes per iteration",
            f"recompute: {self.price(version)}",
        )

    def storing(self, version: Version) -> str:
        if version in self.r.kept:
            return "no address or count is rounded twice"
        drawn = version.stmt is not None and update(version.stmt) is not None
        return "an atomic returned it" if drawn else "--store asks for it"

    def partial(self, partial: TapedPartial, tape: Tape) -> Decision:
        calls = Bag(call.name for call in long_calls(partial.value))
        saved = ", ".join(f"{n} {name}" for name, n in calls.items())
        line = _line(partial.stmt)
        return Decision(
            partial.name,
            line,
            How.TAPE,
            f"partial of line {line}, a load instead of {saved}",
            (line,),
            self.place(tape),
            self.spelled(tape),
            f"{_size(tape.element) * _elements(tape)} bytes per thread",
            f"recompute: {price([partial.value])}, from {partial.state} on a tape (--store {partial.state})",
        )

    def handed(self, version: Version) -> Decision:
        drawn = version.kind == "def" and version.stmt is not None and update(version.stmt) is not None
        why = "an atomic returned it" if drawn else "a loop computed it"
        return Decision(
            version.sym.name,
            version.line,
            How.TAPE,
            f"{why}, and only the forward kernel runs that",
            self.needed(version),
            "global memory",
            self.storage.handed[version].sym.name,
            f"{_size(version.sym.type)} bytes per thread",
            "recompute: another value" if drawn else "recompute: the loop run again",
        )

    def load(self, stmt: Stmt, place: Place) -> Decision:
        tape = self.storage.loads[stmt, place]
        line = place.span.line if place.span else 0
        stores = [s for s in self.writing.get(place.sym, []) if _line(s)]
        later = [s for s in stores if self.v.order[s] >= self.v.order[stmt]]
        over = next(iter(later or stores), None)
        by = f"line {_line(over)} overwrites it" if over is not None else "it is overwritten"
        return Decision(
            text_of(place),
            line,
            How.TAPE,
            by,
            (line,),
            self.place(tape),
            self.spelled(tape),
            f"{_size(tape.element)} bytes per read",
            "reload: another value is there by then",
        )

    def trips(self, loop: Loop) -> Decision:
        line = loop.span.line if loop.span else 0
        return Decision(
            f"trips of line {line}",
            line,
            How.TAPE,
            "the loop decides in its iterations when it ends",
            (line,),
            "global memory" if loop in self.storage.handed_trips else "a register",
            self.storage.trips[loop].name,
            "1 register",
            "recompute: the loop run again",
        )

    def timed(self, loop: Loop, tape: Tape) -> Decision:
        """The trips of a loop that runs several times, recorded each time."""
        line = loop.span.line if loop.span else 0
        rounds = self.r.timed[loop].rounds
        return Decision(
            f"trips of line {line}",
            line,
            How.TAPE,
            "no address or count is rounded twice"
            if rounds
            else "its condition reads elements that are overwritten by then",
            (line,),
            self.place(tape),
            self.spelled(tape),
            f"{_size(INT)} bytes each time that the loop runs",
            "recompute: the loop run again, which may round differently"
            if rounds
            else "a tape of what the condition reads, for each iteration",
        )

    def made(self, version: Version, scope: Scope) -> Decision:
        needed = self.needed(version)
        if scope is self.v.root or not scope.looped:
            done = self.r.slices.get(scope, {})
            remains = version not in self.r.rewritten
            if version.stmt in done and remains and not self.builder.split:
                return Decision(
                    version.sym.name,
                    version.line,
                    How.RELOAD,
                    "still in its variable",
                    needed,
                    cost="1 register",
                    other=f"recompute: {self.price(version)}",
                    integer=not is_real(version.sym.type),
                )
        return Decision(
            version.sym.name,
            version.line,
            How.RECOMPUTE,
            "from values at hand" + (", in the reversed iteration" if scope.looped else ""),
            needed,
            cost=self.price(version),
            other=f"tape: {_size(version.sym.type)} bytes"
            + (" per iteration" if scope.looped else " per thread"),
        )

    def reloads(self) -> list[tuple[int, Decision]]:
        """Arrays that the reverse sweep reads again."""
        found: dict[Sym, tuple[int, list[int]]] = {}
        for stmt, debts in self.facts.debts.of.items():
            for owed in debts:
                for expr in owed.expressions():
                    for e in walk(expr):
                        if isinstance(e, Place) and e.index and (stmt, e) not in self.r.loads:
                            order, lines = found.setdefault(e.sym, (self.v.order[stmt], []))
                            lines.append(_line(stmt))
        out: list[tuple[int, Decision]] = []
        stored = {t.sym for s in self.v.order for t in _written(s)}
        for sym, (order, lines) in found.items():
            reason = "no later store goes to it" if sym in stored else "nothing stores to it"
            out.append(
                (
                    order,
                    Decision(
                        elements(sym),
                        min(lines),
                        How.RELOAD,
                        reason,
                        tuple(sorted(set(lines))),
                        cost="1 load",
                        other=f"tape: {_size(sym.type)} bytes per read",
                    ),
                )
            )
        return out

    # ---- words -------------------------------------------------------------

    def order(self, version: Version) -> int:
        return self.v.order.get(version.stmt, -1) if version.stmt is not None else -1

    @cached_property
    def readers(self) -> dict[Version, set[int]]:
        """For each version, the lines whose adjoints, or the slices before them, read it."""
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
        """For each slice and variable, the statements that write it, in order."""
        found: dict[tuple[Scope, Sym], list[Stmt]] = {}
        for scope, done in self.r.slices.items():
            for stmt in sorted(done, key=lambda s: self.v.order[s]):
                for target in _written(stmt):
                    found.setdefault((scope, target.sym), []).append(stmt)
        return found

    @cached_property
    def writing(self) -> dict[Sym, list[Stmt]]:
        """For each variable, the simple statements that write it."""
        found: dict[Sym, list[Stmt]] = {}
        for stmt in self.v.order:
            for target in _written(stmt):
                found.setdefault(target.sym, []).append(stmt)
        return found

    def changed(self, sym: Sym, loop: Loop) -> str:
        scope = self.v.inside[loop][0]
        inside = [s for s in self.writing.get(sym, []) if self.v.scope_of[s].within(scope)]
        lines = sorted({_line(s) for s in inside} - {0})
        return "line " + " or ".join(map(str, lines)) if lines else "the loop"

    def overwriter(self, version: Version) -> int:
        last = self.v.last[version.stmt] if version.stmt is not None else -1
        orders = self.writers.get((version.scope, version.sym), [])
        position = bisect_right(orders, last, key=lambda s: self.v.order[s])
        return _line(orders[position]) if position < len(orders) else 0

    def place(self, tape: Tape) -> str:
        if tape.is_global:
            return "global memory"
        if tape.register:
            return "a register"
        return "registers" if _elements(tape) <= 16 else "local memory"

    def spelled(self, tape: Tape) -> str:
        if isinstance(tape.sym.type, Array) and not tape.is_global:
            return tape.sym.name + "".join(f"[{extent}]" for extent in tape.sym.type.spelled)
        counts = [c.then if isinstance(c, Select) else c for c in tape.counts]
        return tape.sym.name + "".join(
            f"[{show(_plain(c)) if c.spelling is None else c.spelling}]" for c in counts
        )

    def price(self, version: Version) -> str:
        """What making the value once more costs, by the statement that makes it."""
        if version.kind in ("join", "exit"):
            return f"line {version.line} run again"
        exprs: list[Expr] = []
        match version.stmt:
            case Declare(_, init) if isinstance(init, _EXPR):
                exprs.append(init)
            case Assign(_, value):
                exprs.append(value)
            case Evaluate(call):
                exprs.append(call)
            case _:
                pass
        return price(exprs)


def price(exprs: Iterable[Expr]) -> str:
    """Operations of expressions, in words: "1 expf, 2 flops, 1 load"."""
    calls: dict[str, int] = {}
    flops = loads = integers = 0
    for expr in exprs:
        for e in walk(expr):
            match e:
                case Call():
                    calls[e.name] = calls.get(e.name, 0) + 1
                case Place(_, index) if index:
                    loads += 1
                case Binary():
                    if isinstance(e.type, Scalar) and e.type.is_float:
                        flops += 1
                    else:
                        integers += 1
                case _:
                    pass
    words = [f"{n} {name}" for name, n in calls.items()]
    words += [f"{flops} flop{'s' * (flops > 1)}"] * (flops > 0)
    words += [f"{loads} load{'s' * (loads > 1)}"] * (loads > 0)
    words += [f"{integers} integer op{'s' * (integers > 1)}"] * (integers > 0)
    return ", ".join(words) or "nothing"


def _written(stmt: Stmt) -> tuple[Place, ...]:
    from ...analysis.ssa import targets

    return targets(stmt)


def changes_line(loop: Loop) -> int:
    return loop.span.line if loop.span else 0


def _line(stmt: Stmt | None) -> int:
    span = getattr(stmt, "span", None)
    return span.line if span is not None else 0


def _size(type_: object) -> int:
    from ...ir import Array, Pointer

    match type_:
        case Scalar():
            return type_.size
        case Array():
            return type_.element.size
        case Pointer(target):
            return _size(target)
        case _:
            return 0


def _constant(tape: Tape) -> bool:
    return all(constant(c) is not None for c in tape.counts)


def _elements(tape: Tape) -> int:
    total = 1
    for c in tape.counts:
        total *= constant(c) or 1
    return total


_EXPR = (Const, Place, Binary, Call, Cast)
