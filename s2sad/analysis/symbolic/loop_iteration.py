"""Execute one loop iteration on polynomials: each path through its body, with the facts known on it.

Integers are polynomials over atoms: a variable's value at the start of the iteration, loop
invariants, and values with known bounds only. A path ends where the next iteration begins,
or leaves the loop. Bodies are in tail form.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from ...ir import (
    Assign,
    Binary,
    Body,
    Break,
    Call,
    Cast,
    Const,
    Declare,
    DoWhile,
    Expr,
    For,
    If,
    Place,
    Return,
    Scalar,
    Select,
    Special,
    Stmt,
    Switch,
    Sym,
    Unary,
    While,
    is_integer,
    scalar_type,
    statements,
    walk,
)
from ..constants import OPPOSITE, WARP
from ..ssa import Loop, Version, Versions, targets
from .evaluation import EXTREMES
from .inequalities import Facts, holds
from .integer_states import Arithmetic, Env, State, Surroundings, is_tracked, is_whole, of_type, within_type
from .polynomials import ONE, ZERO, Atoms, Poly, number, variable

WAYS = 24  # paths through one body; more are merged into one with few facts
DEEP = 3  # the depth of nested loops that is analysed
LONG = 200  # statements on all paths of an iteration, after which loops inside are taken as unknown


@dataclass
class Iteration:
    """The paths of one iteration: into the body, on to the next, and out by a `break`."""

    starts: list[State] = field(default_factory=list)
    ends: list[State] = field(default_factory=list)
    left: list[State] = field(default_factory=list)


class Iterations:
    """Executes bodies."""

    def __init__(self, versions: Versions, atoms: Atoms, value: Callable[[Version], Poly | None]) -> None:
        self.v = versions
        self.atoms = atoms
        self.value = value
        self.shared = Surroundings(atoms)
        self.depth = self.executed = 0
        self.stored_to = {t.sym for stmt in versions.order for t in targets(stmt)}

    def outside(self, version: Version) -> Poly:
        """Return the value of a version that the loop doesn't make.

        The value stored in an unsigned variable may have wrapped, unless it isn't negative.
        """
        known = self.value(version)
        kind = version.sym.type
        signed = isinstance(kind, Scalar) and kind.kind == "signed"
        if known is None or not (signed or holds(known, (), self.atoms)):
            known = variable(of_type(self.atoms, ("version", version), version.sym))
        self.shared.fixed |= known.atoms
        return known

    def run(self, loop: Loop, at: State) -> Iteration | None:
        """Execute one iteration; None if loops are nested too deeply, or have too many paths."""
        if self.depth == DEEP or (self.depth and self.executed > LONG):
            return None
        if not self.depth:
            self.executed = 0
        self.depth += 1
        one = Iteration([at])
        if not isinstance(loop, DoWhile) and loop.cond is not None:
            one.starts = self.asked(loop.cond, loop, [at], True)
        ends = self.body((*loop.body, *(loop.step if isinstance(loop, For) else ())), one.starts, one)
        one.ends = ends
        if isinstance(loop, DoWhile):
            one.ends = self.asked(loop.cond, loop, ends, True)
            one.left += ends
        self.depth -= 1
        return one

    # ---- statements ----------------------------------------------------------

    def body(self, body: Body, states: list[State], one: Iteration) -> list[State]:
        for stmt in body:
            states = self.few([after for state in states for after in self.stmt(stmt, state, one)])
        return states

    def stmt(self, stmt: Stmt, state: State, one: Iteration) -> list[State]:
        """Return the paths through one statement."""
        self.executed += 1
        match stmt:
            case Break():
                one.left.append(state)
                return []
            case Return():
                return []
            case If(cond, then, other):
                taken = self.body(then, self.asked(cond, stmt, [state], True), one)
                return [*taken, *self.body(other, self.asked(cond, stmt, [state], False), one)]
            case Switch():
                return self.switch(stmt, state, one)
            case For() | While() | DoWhile():
                return [self.inner(stmt, state)]
            case Declare(sym, init) if is_tracked(sym.type) and isinstance(init, Expr):
                return self.stored(stmt, sym, init, state)
            case Assign(Place(sym, ()), value, op) if is_tracked(sym.type):
                if op is not None:
                    value = _operation(stmt)
                return self.stored(stmt, sym, value, state)
            case _:
                return [self.forgotten(targets(stmt), state, stmt)]

    def stored(self, stmt: Stmt, sym: Sym, value: Expr, state: State) -> list[State]:
        if isinstance(sym.type, Scalar) and sym.type.kind == "bool":
            return [
                self.forgotten(targets(stmt), way, stmt).where(sym, number(int(yes)))
                for yes in (True, False)
                for way in self.truth(value, stmt, state, yes)
            ]
        return [self.store(stmt, sym, value, one) for one in self.signed(stmt, value, state)]

    def signed(self, stmt: Stmt, value: Expr, state: State) -> list[State]:
        """Split the state by the sign of a dividend, where it decides the rounding."""
        for part in walk(value):
            match part:
                case Binary("/" | "%", left, right, Scalar(kind="signed")) if isinstance(right, Const):
                    scratch = _Values(self, stmt, state)
                    of = scratch.of(left)
                    if of is not None and of.atoms and not scratch.holds(of):
                        below = State(scratch.state.env, (*scratch.state.facts, -of - ONE))
                        return [scratch.state.knowing((of,)), below]
                case _:
                    pass
        return [state]

    def store(self, stmt: Stmt, sym: Sym, value: Expr, state: State) -> State:
        scratch = _Values(self, stmt, state)
        result = scratch.converted(scratch.of(value), value.type, scalar_type(sym))
        after = self.forgotten(targets(stmt), scratch.state, stmt)
        return after.where(sym, result)

    def forgotten(self, places: Iterable[Place], state: State, stmt: Stmt) -> State:
        """Return the state after unknown values were stored in some variables."""
        for place in places:
            if not place.index and is_tracked(place.sym.type):
                state = state.where(place.sym, self.unknown(place.sym))
        if isinstance(stmt, Declare) and stmt.init is None and is_tracked(stmt.sym.type):
            state = state.where(stmt.sym, self.unknown(stmt.sym))
        return state

    def unknown(self, sym: Sym) -> Poly:
        return variable(of_type(self.atoms, object(), sym))

    def switch(self, stmt: Switch, state: State, one: Iteration) -> list[State]:
        """Return the paths through each case: in tail form none falls through to the next."""
        scratch = _Values(self, stmt, state)
        selector = scratch.of(stmt.selector)
        ends: list[State] = []
        for case in stmt.cases:
            here = scratch.state
            label = case.labels[0] if len(case.labels) == 1 else None
            if label is not None and selector is not None and label >= 0:
                here = here.knowing((selector - number(label), number(label) - selector))
            ends += self.body(case.body, [here], one)
        if not any(None in case.labels for case in stmt.cases):
            ends.append(scratch.state)
        return ends

    def inner(self, loop: Loop, state: State) -> State:
        """Return the state after a loop, with facts on variables that only grow or only shrink in it."""
        if isinstance(loop, For):
            for first in loop.init:
                (state, *others) = self.stmt(first, state, Iteration())
                state = self.few_of([state, *others])
        changed = [
            t.sym
            for s in (*statements(loop.body), *statements(loop.step if isinstance(loop, For) else ()))
            for t in targets(s)
            if not t.index and is_tracked(t.sym.type)
        ]
        syms = list(dict.fromkeys(changed))
        env = {sym: self.unknown(sym) for sym in syms}
        one = self.run(loop, State({**state.env, **env}, state.facts))
        after = State({**state.env, **{sym: self.unknown(sym) for sym in syms}}, state.facts)
        if one is None:
            return after
        known: list[Poly] = []
        for sym in syms:
            before = state.env.get(sym)
            if before is None:
                continue
            for sign in (1, -1):
                if all(
                    holds((s.env[sym] - env[sym]).scaled(sign), s.facts, self.atoms)
                    for s in (*one.ends, *one.left)
                ):
                    known.append((after.env[sym] - before).scaled(sign))
        return after.knowing(tuple(known))

    def few(self, states: list[State]) -> list[State]:
        """Return the states, or one merged from all of them."""
        return states if len(states) <= WAYS else [self.few_of(states)]

    def few_of(self, states: list[State]) -> State:
        """Merge several states into one."""
        if len(states) == 1:
            return states[0]
        common = [f for f in states[0].facts if all(f in s.facts for s in states[1:])]
        env: Env = {}
        for sym in states[0].env:
            if all(sym in s.env for s in states):
                first = states[0].env[sym]
                env[sym] = first if all(s.env[sym] == first for s in states) else self.unknown(sym)
        return State(env, tuple(common))

    # ---- conditions ----------------------------------------------------------

    def asked(self, cond: Expr, stmt: Stmt, states: list[State], holds_: bool) -> list[State]:
        """Return the states in which a condition holds, or doesn't; one for each way it may."""
        return self.few([s for state in states for s in self.truth(cond, stmt, state, holds_)])

    def truth(self, cond: Expr, stmt: Stmt, state: State, yes: bool) -> Iterator[State]:
        match cond:
            case Const(value):
                if bool(value) is yes:
                    yield state
            case Unary("!", arg):
                yield from self.truth(arg, stmt, state, not yes)
            case Binary("&&" | "||" as op, left, right):
                if (op == "&&") is yes:
                    for first in self.truth(left, stmt, state, yes):
                        yield from self.truth(right, stmt, first, yes)
                else:
                    yield from self.truth(left, stmt, state, yes)
                    for first in self.truth(left, stmt, state, not yes):
                        yield from self.truth(right, stmt, first, yes)
            case Binary("<" | "<=" | ">" | ">=" | "==" | "!=" as op, left, right) if _compared(left, right):
                yield from self.compared(op, left, right, stmt, state, yes)
            case Place(_, (), Scalar(kind="bool") as kind):
                yield from self.compared("!=", cond, Const(0, kind), stmt, state, yes)
            case Cast(arg, Scalar(kind="bool")) if is_whole(arg.type):
                yield from self.compared("!=", arg, Const(0, scalar_type(arg)), stmt, state, yes)
            case Cast(arg) if isinstance(arg.type, Scalar) and arg.type.kind == "bool":
                yield from self.truth(arg, stmt, state, yes)
            case _:
                yield state

    def compared(
        self, op: str, left: Expr, right: Expr, stmt: Stmt, state: State, yes: bool
    ) -> Iterator[State]:
        scratch = _Values(self, stmt, state)
        a, b = scratch.of(left), scratch.of(right)
        if a is None or b is None:
            yield state
            return
        if not yes:
            op = OPPOSITE[op]
        gap = b - a
        ways: tuple[Facts, ...]
        match op:
            case "<":
                ways = ((gap - ONE,),)
            case "<=":
                ways = ((gap,),)
            case ">":
                ways = ((-gap - ONE,),)
            case ">=":
                ways = ((-gap,),)
            case "==":
                ways = ((gap, -gap),)
            case _:
                ways = ((gap - ONE,), (-gap - ONE,))
        for facts in ways:
            if not any(holds(-f - ONE, scratch.state.facts, self.atoms) for f in facts):
                yield scratch.state.knowing(tuple(f for f in facts if f.atoms))


def _compared(*sides: Expr) -> bool:
    return all(is_integer(e) for e in sides)


def _operation(stmt: Assign) -> Expr:
    """Return the value that a compound assignment computes."""
    kind, target = stmt.value.type, stmt.target
    assert isinstance(kind, Scalar)
    assert stmt.op is not None
    old = target if target.type == kind else Cast(target, kind, implicit=True)
    return Binary(stmt.op.removesuffix("="), old, stmt.value, kind)


class _Values(Arithmetic):
    """Values of expressions of one statement in one state."""

    def __init__(self, iterations: Iterations, stmt: Stmt, state: State) -> None:
        super().__init__(iterations.shared, state)
        self.i = iterations
        self.stmt = stmt

    def of(self, expr: Expr) -> Poly | None:
        """Evaluate an integer; None for other types."""
        kind = expr.type
        if not isinstance(kind, Scalar) or not kind.is_integer:
            return None
        match expr:
            case Const(value) if not isinstance(value, float):
                return number(int(value))
            case Special("warpSize"):
                return number(WARP)
            case Place(sym, ()):
                if sym in self.state.env:
                    return self.state.env[sym]
                version = self.i.v.read(self.stmt, sym)
                return self.fresh(kind) if version is None else self.i.outside(version)
            case Place(sym, index) if sym not in self.i.stored_to and sym.storage == "parameter":
                return self.element(sym, index, kind)
            case Cast(arg):
                return self.converted(self.of(arg), arg.type, kind)
            case Unary("-" | "+" | "~" as op, arg):
                inner = self.of(arg)
                if inner is None or op == "+":
                    return inner
                return self.fitting(-inner if op == "-" else -inner - ONE, kind)
            case Binary(op, left, right) if kind.kind != "bool":
                a, b = self.of(left), self.of(right)
                return self.fresh(kind) if a is None or b is None else self.operation(op, a, b, kind)
            case Select(cond, then, other):
                return self.either(cond, then, other, kind)
            case Call(name, (left, right), callee=None) if name in EXTREMES:
                a, b = self.of(left), self.of(right)
                return self.fresh(kind) if a is None or b is None else self.extreme("min" in name, a, b, kind)
            case _:
                return self.fresh(kind)

    def element(self, sym: Sym, index: tuple[Expr, ...], type: Scalar) -> Poly:
        """Return an element of an array without stores: equal indices give equal values."""
        where = [self.of(part) for part in index]
        atoms = {a for p in where if p is not None for a in p.atoms}
        if None in where:
            return self.fresh(type)
        low = 0 if type.kind != "signed" else None
        atom = self.atoms.named(("element", sym, *where), sym.name, "free", low)
        if atom not in self.atoms.bounds:
            within_type(self.atoms, atom, type)
        if atoms <= self.shared.fixed:
            self.shared.fixed.add(atom)
        return variable(atom)

    def either(self, cond: Expr, then: Expr, other: Expr, type: Scalar) -> Poly:
        """Return one of two values, each under its side of the condition."""
        sides: list[tuple[Poly, Facts]] = []
        for yes, expr in ((True, then), (False, other)):
            for state in self.i.truth(cond, self.stmt, self.state, yes):
                apart = _Values(self.i, self.stmt, state)
                value = apart.of(expr)
                if value is None:
                    return self.fresh(type)
                sides.append((value, apart.state.facts))
        if not sides:
            return self.fresh(type)
        if all(value == sides[0][0] for value, _ in sides):
            return sides[0][0]
        out = self.fresh(type)
        for limit in (*dict.fromkeys(value for value, _ in sides), ZERO):
            for sign in (1, -1):
                if all(holds((limit - value).scaled(sign), facts, self.atoms) for value, facts in sides):
                    self.know((limit - out).scaled(sign))
        return out
