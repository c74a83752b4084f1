"""Execute a kernel once on polynomials, for a thread with symbolic coordinates.

    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    y[i] = x[i];            x[blockIdx.x * blockDim.x + threadIdx.x], n - 1 - i >= 0

A variable that a loop only ever increments by the same uniform amount is start + step * (the
number of increments so far); any other that a loop changes is unknown inside and after it.
Branches that define different values create a choice.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import assert_never

from ...ir import (
    Accumulate,
    AddressOf,
    Assign,
    Banner,
    Barrier,
    Block,
    Body,
    Break,
    Clear,
    Comment,
    Continue,
    Declare,
    DoWhile,
    Evaluate,
    For,
    Function,
    If,
    Initialiser,
    Place,
    Pointer,
    Quote,
    Record,
    Restore,
    Return,
    Scalar,
    Stmt,
    Switch,
    Sym,
    While,
    all_parts,
    expressions,
    remembered,
    scalar_type,
    statements,
    walk,
)
from ..atomics import updated
from ..ssa import Loop
from ..symbolic.evaluation import Reader
from ..symbolic.inequalities import Facts, holds
from ..symbolic.machine_arithmetic import Truth, Value
from ..symbolic.polynomials import ONE, ZERO, Atom, Atoms, Poly, linear, number, variable
from ..threads.ballot_ranks import ballots
from ..traversal import Leaving, leaving, numbers
from .access_relations import Reference, Survey, Where
from .loop_values import set_once
from .observed_coordinates import in_one_row, looked_at, telling_apart


def survey(
    kernel: Function,
    functions: Mapping[str, Function] | None = None,
    one: frozenset[str] = frozenset(),
    aligned: bool = False,
) -> Survey:
    """Execute a kernel's integer operations symbolically.

    `one` are the coordinates that are zero in the launch; `aligned`: the rows of a block are whole warps.
    """
    walker = _Walk(kernel, one, aligned, functions or {})
    walker.run()
    walker.facts.sizes = tuple(walker.reader.assumed)
    _everywhere(walker.facts)
    for atom in looked_at(kernel, functions or {}, walker.reader):
        walker.facts.heard[variable(atom)] = None
    if updated(kernel.body):
        seen = {a for p in walker.facts.heard for a in p.atoms}
        counted = telling_apart(kernel, walker.reader, seen)
        walker.facts.heard.update((variable(atom), None) for atom in counted)
        walker.facts.unseen = frozenset(counted) - seen
    return walker.facts


def _everywhere(survey: Survey) -> None:
    """Add to every reference the facts that hold for its thread everywhere.

    A store to shared memory is within its array: after `tile[threadIdx.x] = 0` with BLOCK
    elements, threadIdx.x < BLOCK. That holds for all threads that make the store, before and after
    it, so it is added wherever the facts imply that the thread makes it.
    """
    given: dict[tuple[Facts, Poly], None] = {}
    for stmt in survey.where:
        if isinstance(stmt, Assign) and stmt.target.sym.storage == "shared" and stmt.target.index:
            # The statement may read the same element too, under a condition of its own.
            found = survey.references.get(stmt, {}).get(stmt.target, ())
            always = set.intersection(*(set(r.facts) for r in found)) if found else set()
            facts = [f for f in found[0].facts if f in always and _of_positions(f)] if found else []
            for needs in dict.fromkeys((_needs(survey, stmt, first=False), _needs(survey, stmt, first=True))):
                if needs is not None:
                    given.update(((needs, f), None) for f in facts)
    if given:
        for places in survey.references.values():
            for place, references in places.items():
                places[place] = tuple(_with(r, given, survey.atoms) for r in references)


def _with(reference: Reference, given: Iterable[tuple[Facts, Poly]], atoms: Atoms) -> Reference:
    known = dict.fromkeys(reference.facts)
    for needs, fact in given:
        if fact not in known and all(n in known or holds(n, reference.facts, atoms) for n in needs):
            known[fact] = None
    return Reference(reference.index, tuple(known))


def _needs(survey: Survey, stmt: Stmt, first: bool) -> Facts | None:
    """Return facts that imply that a thread executes a statement; None if unknown.

    In the same iteration of the loops around it as the facts; or in the `first` of each.
    """
    if stmt in survey.repeated:
        return None
    needs: dict[Poly, None] = {}
    where: Where | None = survey.where[stmt]
    while where is not None:
        if any(leaving(s, survey.leaving) for s in where.body[: where.position]):
            return None
        loop = where.loop
        if loop is None:
            entered = where.needs
        else:
            entered = survey.enters.get(loop)
            if first:
                start = {a: ZERO for a in survey.heads[loop] if a.counts}
                needs = {f.with_values(start): None for f in needs}
                if not all(_before(f, survey.iterations[loop]) for f in needs):
                    return None
        if entered is None:
            return None
        needs.update((f, None) for f in entered)
        where = where.up
    return tuple(needs)


def _before(fact: Poly, iteration: Atom) -> bool:
    """Whether a fact doesn't depend on a loop."""
    return all(a.scope != "free" or a < iteration for a in fact.atoms)


def _of_positions(fact: Poly) -> bool:
    """Whether a fact is about the thread's position and sizes alone, not about one execution."""
    return all(a.scope != "free" for a in fact.atoms)


class _Walk:
    def __init__(
        self, kernel: Function, one: frozenset[str], aligned: bool, functions: Mapping[str, Function]
    ) -> None:
        self.kernel = kernel
        self.facts = Survey(kernel, Atoms())
        stored = {s.target.sym for s in statements(kernel.body) if isinstance(s, Assign)}
        stored |= {e.place.sym for e in all_parts(*kernel.body) if isinstance(e, AddressOf)}
        constant = frozenset(s for s in kernel.syms if isinstance(s.type, Pointer) and s not in stored)
        tables = numbers(kernel, stored)
        atoms = self.facts.atoms
        self.reader = Reader(atoms, constant, one, self.seen, self.hear, aligned, tables, functions)
        if in_one_row(kernel, functions, self.reader):
            self.reader.ballots = ballots(kernel)
        self.stmt: Stmt | None = None
        self.quiet = False
        self.assigned: dict[Stmt, tuple[Value, Facts]] = {}  # the last value of each assignment

    def run(self) -> None:
        declared = [self.reader.truth(cond).yes for cond in self.kernel.requires]
        self.reader.facts = tuple(dict.fromkeys(fact for facts in declared for fact in facts))
        self.body(self.kernel.body, None)

    def seen(self, place: Place, index: Poly, more: Facts) -> None:
        if self.quiet or self.stmt is None:
            return
        references = self.facts.references.setdefault(self.stmt, {})
        if place not in references:
            self.facts.order.append((self.stmt, place))
        references[place] = (*references.get(place, ()), Reference(index, (*self.reader.facts, *more)))

    def hear(self, p: Poly) -> None:
        if not self.quiet and not p.is_uniform:
            self.facts.heard[p] = None

    # ---- bodies -------------------------------------------------------------

    def body(self, body: Body, up: Where | None, needs: Facts | None = (), loop: Loop | None = None) -> bool:
        """Execute a body; return whether it certainly ends in an exit."""
        left = False
        for position, stmt in enumerate(body):
            if stmt in self.facts.where:
                self.facts.repeated.add(stmt)
            self.facts.where[stmt] = Where(body, position, up, needs, loop)
            left = self.statement(stmt) or left
        return left

    def statement(self, stmt: Stmt) -> bool:
        """Execute one statement; return whether the next statement is certainly not reached from it."""
        self.stmt = self.reader.at = stmt
        reader = self.reader
        match stmt:
            case Declare(sym, init):
                if isinstance(init, Initialiser):
                    for value in init.values:
                        reader.sink(reader.value(value))
                elif init is None:
                    reader.variables[sym] = reader.anything(sym.type)
                else:
                    self.assign(sym, reader.value(init))
            case Assign():
                self.assignment(stmt)
            case Evaluate(call):
                reader.value(call)
            case If():
                return self.branch(stmt)
            case For() | While() | DoWhile():
                self.loop(stmt)
            case Switch():
                self.switch(stmt)
            case Block(body):
                return self.body(body, self.facts.where[stmt])
            case Return(value):
                if value is not None:
                    reader.sink(reader.value(value))
                return True
            case Barrier(_, mask):
                if mask is not None:
                    reader.sink(reader.value(mask))
            case Break() | Continue():
                return True
            case Record() | Restore() | Accumulate() | Clear() | Quote() | Banner() | Comment():
                pass
            case _:
                assert_never(stmt)
        return False

    def assign(self, sym: Sym, value: Value) -> None:
        if isinstance(value, Poly):
            value = self.reader.folded(value)
        self.reader.variables[sym] = value

    def assignment(self, stmt: Assign) -> None:
        value = self.result(stmt)
        if stmt.target.index or not isinstance(stmt.target.type, Scalar):
            self.reader.place(stmt.target)
            self.reader.sink(value)
        else:
            self.assigned[stmt] = value, self.reader.facts
            self.assign(stmt.target.sym, value)

    def result(self, stmt: Assign) -> Value:
        """Return the value that an assignment stores."""
        reader = self.reader
        value = reader.value(stmt.value)
        if stmt.op is None:
            return value
        kind, target = stmt.value.type, stmt.target.type
        if not isinstance(kind, Scalar) or not isinstance(target, Scalar):
            return None
        old = reader.convert(reader.place(stmt.target), target, kind)
        if kind.is_float:
            reader.sink(value)
            return reader.convert(None, kind, target)
        return reader.convert(reader.operation(stmt.op.removesuffix("="), old, value, kind), kind, target)

    # ---- branches -----------------------------------------------------------

    def branch(self, stmt: If) -> bool:
        reader, here = self.reader, self.facts.where[stmt]
        truth = reader.truth(stmt.cond)
        facts, variables = reader.facts, reader.variables
        if stmt in reader.ballots.decided:
            ballot, holds_ = reader.ballots.decided[stmt]
            voted = (variable(reader.vote(ballot)) - ONE,)
            more = (voted, ()) if holds_ else ((), voted)
            truth = replace(truth, yes=(*truth.yes, *more[0]), no=(*truth.no, *more[1]))

        reader.variables, reader.facts = dict(variables), (*facts, *truth.yes)
        then_left = self.body(stmt.then, here, truth.yes if truth.yes_whole else None)
        then, then_facts = reader.variables, reader.facts

        reader.variables, reader.facts = dict(variables), (*facts, *truth.no)
        other_left = self.body(stmt.other, here, truth.no if truth.no_whole else None)
        other, other_facts = reader.variables, reader.facts

        if then_left and not other_left:
            reader.variables, reader.facts = other, other_facts
        elif other_left and not then_left:
            reader.variables, reader.facts = then, then_facts
        else:
            reader.facts = facts
            chosen = Truth(then_facts[len(facts) :], other_facts[len(facts) :], uniform=truth.uniform)
            reader.variables = {
                sym: value if value == other.get(sym, value) else reader.either(chosen, value, other[sym])
                for sym, value in then.items()
            }
        return then_left and other_left

    def switch(self, stmt: Switch) -> None:
        """Execute each case by itself: in tail form none falls through, and a single label is the selector.

        Except a negative label, which an unsigned selector never equals as a number.
        """
        reader, here = self.reader, self.facts.where[stmt]
        selector = reader.value(stmt.selector)
        reader.sink(selector)
        self.forget(changed_in(stmt))
        facts, variables = reader.facts, reader.variables
        for case in stmt.cases:
            reader.variables, reader.facts = dict(variables), facts
            label = case.labels[0] if len(case.labels) == 1 else None
            if isinstance(selector, Poly) and label is not None and label >= 0:
                beyond = selector - number(label)
                reader.facts = (*facts, beyond, -beyond)
            self.body(case.body, here, None)
            self.hear_all(changed_in(stmt))
        reader.variables, reader.facts = variables, facts
        self.forget(changed_in(stmt))

    # ---- loops --------------------------------------------------------------

    def loop(self, stmt: Loop) -> None:
        reader, here = self.reader, self.facts.where[stmt]
        if isinstance(stmt, For):
            self.body(stmt.init, here)
            self.stmt = stmt
        changed = changed_in(stmt)
        steps = self.steps(stmt, changed)
        before = dict(reader.variables)
        iteration = self.facts.atoms.fresh("iteration", "free", 0, counts=True)
        self.forget(changed)
        counts = {iteration}
        for sym, (step, strict) in steps.items():
            start = before[sym]
            assert isinstance(start, Poly)
            times = iteration if strict else self.facts.atoms.fresh("times", "free", 0, counts=True)
            counts.add(times)
            reader.variables[sym] = start + step * variable(times)
        self.facts.iterations[stmt] = iteration
        heads: dict[Atom, Sym | None] = {iteration: None}
        for sym in sorted(changed, key=lambda s: s.name):
            value = reader.variables.get(sym)
            if isinstance(value, Poly):
                heads.update((a, sym) for a in value.atoms if iteration < a)
        self.facts.heads[stmt] = heads

        facts = reader.facts
        if not isinstance(stmt, DoWhile) and stmt.cond is not None:
            truth = reader.truth(stmt.cond)
            reader.facts = (*facts, *truth.yes)
            first = tuple(f.with_values(dict.fromkeys(counts, ZERO)) for f in truth.yes)
            if truth.yes_whole and all(_before(f, iteration) for f in first):
                self.facts.enters[stmt] = first
                if all(_ever_less(f, counts) for f in truth.yes) and not self.leaves(stmt.body) - {
                    "continue"
                }:
                    self.facts.rounds[stmt] = truth.yes
        self.body(stmt.body, here, None, stmt)
        self.stmt = stmt
        if isinstance(stmt, DoWhile):
            reader.truth(stmt.cond)
        if isinstance(stmt, For):
            self.body(stmt.step, here, None, stmt)
        self.hear_all(changed - steps.keys())

        reader.facts, reader.variables = facts, dict(before)
        self.forget(changed)
        for sym, (step, _) in steps.items():
            start = before[sym]
            assert isinstance(start, Poly)
            times = self.facts.atoms.fresh("times", "free", 0, counts=True)
            reader.variables[sym] = start + step * variable(times)
        for sym in sorted(changed - steps.keys(), key=lambda s: s.name):
            if found := set_once(self.facts, self.assigned, stmt, sym, before.get(sym), iteration):
                reader.variables[sym] = reader.choice(found)

    def forget(self, changed: Iterable[Sym]) -> None:
        """Set variables that something changed to unknown values."""
        reader = self.reader
        for sym in sorted(changed, key=lambda s: s.name):
            reader.sink(reader.variables.get(sym))
            reader.variables[sym] = reader.anything(sym.type)

    def hear_all(self, changed: Iterable[Sym]) -> None:
        for sym in changed:
            self.reader.sink(self.reader.variables.get(sym))

    def steps(self, stmt: Loop, changed: frozenset[Sym]) -> dict[Sym, tuple[Poly, bool]]:
        """Find the variables that a loop only increments, by how much, and whether once per iteration.

        L4. A variable that is v before a loop and is changed in it by `+= c` alone,
        c the same each time, is v + c * j, j >= 0 being the number of increments.
        """
        reader = self.reader
        increments: dict[Sym, list[Assign]] = {}
        spoiled: set[Sym] = set()
        parts = (*stmt.step, *stmt.body) if isinstance(stmt, For) else stmt.body
        for inner in statements(parts):
            if isinstance(inner, Assign) and not inner.target.index:
                increments.setdefault(inner.target.sym, []).append(inner)
            elif not isinstance(inner, Assign):
                for expr in (e for top in expressions(inner) for e in walk(top)):
                    if isinstance(expr, AddressOf):
                        spoiled.add(expr.place.sym)
        skips = "continue" in self.leaves(stmt.body)
        found: dict[Sym, tuple[Poly, bool]] = {}
        self.quiet, saved, facts = True, dict(reader.variables), reader.facts
        for sym, assigns in increments.items():
            start = saved.get(sym)
            if sym in spoiled or not isinstance(start, Poly) or not _is_integer(sym) or _wraps(sym, start):
                continue
            reader.variables = {**saved, **{s: reader.anything(s.type) for s in changed}}
            step = self.increment(sym, assigns)
            if step is None:
                continue
            last = assigns[-1]
            in_step = isinstance(stmt, For) and last in stmt.step
            once = len(assigns) == 1 and (in_step or (last in stmt.body and not skips))
            found[sym] = (step, once)
        reader.variables, reader.facts, self.quiet = saved, facts, False
        return found

    def increment(self, sym: Sym, assigns: list[Assign]) -> Poly | None:
        """Return the amount that all these assignments add to the variable, if it is one uniform amount."""
        reader = self.reader
        old = reader.anything(sym.type)
        assert isinstance(old, Poly)
        reader.variables[sym] = old
        steps = set[Poly]()
        for assign in assigns:
            value = self.result(assign)
            if not isinstance(value, Poly) or not (value - old).is_uniform:
                return None
            steps.add(value - old)
        return steps.pop() if len(steps) == 1 else None

    # ---- tables -------------------------------------------------------------

    def leaves(self, body: Body) -> frozenset[Leaving]:
        """Return the exits by which a body may be left."""
        return frozenset[Leaving]().union(*(leaving(s, self.facts.leaving) for s in body))


def _ever_less(fact: Poly, counts: set[Atom]) -> bool:
    """Whether a fact that holds in one iteration holds in those before it: it only decreases.

    L14. If f(j) = a - c * j with c >= 0, f(j) >= 0 implies f(i) >= 0 for 0 <= i <= j.
    """
    form = linear(fact, lambda a: a in counts)
    return form is not None and all((c.constant or 0) < 0 for c in form[0].values())


def _wraps(sym: Sym, start: Poly) -> bool:
    """Whether a growing variable starts so near the end of its unsigned type that it is meant to wrap.

    After `unsigned k = -1` the first `++k` makes it 0, and v + c * j, an exact integer, isn't its value.
    """
    half = 1 << (8 * scalar_type(sym).size - 1)
    return scalar_type(sym).kind == "unsigned" and start.constant is not None and start.constant >= half


@remembered
def changed_in(stmt: Stmt) -> frozenset[Sym]:
    """Return the scalars that a statement may change."""
    set_ = {s.target.sym for s in statements((stmt,)) if isinstance(s, Assign) and not s.target.index}
    handed = {e.place.sym for e in all_parts(stmt) if isinstance(e, AddressOf) and not e.place.index}
    return frozenset(set_ | handed)


def _is_integer(sym: Sym) -> bool:
    return isinstance(sym.type, Scalar) and sym.type.kind in ("signed", "unsigned")
