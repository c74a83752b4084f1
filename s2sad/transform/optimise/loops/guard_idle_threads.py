"""Guard what threads without a result of their own would add, where it might not be finite.

    float adj_acc = 0.0f;                          float adj_acc = 0.0f;
    if (i < n)                                     if (i < n)
        adj_acc = adj_y[i];                            adj_acc = adj_y[i];
    …                                              …
    __syncthreads();                       ->      __syncthreads();
    for (int q = 0; q < T; ++q)                    if (i < n)
        adj_ws[q] += adj_acc / here;                   for (int q = 0; q < T; ++q)
    __syncthreads();                                       adj_ws[q] += adj_acc / here;
                                                   __syncthreads();

A thread for which the guard of the stores doesn't hold runs the sweep only to reach its barriers. The
adjoints of its values are zero, but zero divided by its `here`, which is zero where it has no element, is
NaN, and another thread's gradient would become NaN with it.

`guard_zero_adjoints` moves what follows a guard into it. This pass guards what can't move: between two
barriers, or in a loop with barriers. What the guard compares doesn't change from one to the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import reduce
from itertools import islice

from ....analysis.constants import FLIPPED
from ....analysis.float_bounds import Bounds
from ....analysis.float_ranges import FloatRanges
from ....fixpoint import rounds
from ....ir import (
    BOOL,
    COLLECTIVE,
    Accumulate,
    Assign,
    Binary,
    Body,
    Call,
    Const,
    Declare,
    DoWhile,
    Evaluate,
    Expr,
    For,
    If,
    Initialiser,
    Place,
    Scalar,
    Select,
    Special,
    Stmt,
    Switch,
    Sym,
    While,
    all_parts,
    bodies,
    expressions,
    is_floating,
    rebuilt,
    statements,
    substituted,
    walk,
)
from ...common.algebra import is_const, real, rewrite
from ...common.jumps import exits
from ...common.mod_ref import meets, sets, written
from ...common.replay import conjuncts
from ..gather.contributions import PRIVATE
from ..scalar.zero_values import BOUNDED, idle, zero_after
from ..uniformity import Alike

FINITE = frozenset(
    {*BOUNDED, "atan2", "cbrt", "ceil", "convert", "copysign", "erfc", "fdim", "floor", "fma", "hypot", "neg"}
    | {"norm", "norm3d", "norm4d", "normcdf", "rint", "round", "saturate", "sincos", "sqrt", "trunc"}
)
"""Functions without a pole whose values don't overflow."""
POSITIVE = frozenset({"log", "log2", "log10", "rsqrt"})
"""Functions with a pole at zero only."""
SEVERAL = 3
"""The most guards of stores of which one may hold, so that a thread isn't idle."""
GUARDS = 16
"""The most guards that are tried."""
HUGE = 1e18
"""A literal whose square overflows in single precision, such as the padding of a distance."""
FOLLOWED = 32
"""Names in one expression that are followed to their values."""


def guard_idle_threads(body: Body, functions: Iterable[Body]) -> Body:
    """The body with such guards around additions to memory; `functions` are the bodies of those it calls."""
    if not any(map(_together, body)):
        return body
    calls = any(_Values(f, False).any_infinite(statements(f)) for f in functions)
    for guard in islice(dict.fromkeys(_guards(body)), GUARDS):
        body = _Guarding(guard, _Values(body, calls, guard)).body(body, frozenset())[0]
    return body


def _together(stmt: Stmt) -> bool:
    """Whether threads synchronize in a statement, or exchange values: all that take part must come to it."""
    exchanges = any(isinstance(e, Call) and e.rule in COLLECTIVE for e in all_parts(stmt))
    return exchanges or meets(stmt)


def _changed(stmt: Stmt) -> frozenset[Sym]:
    """The variables that a statement changes, also in the heads of loops."""
    heads = (h for s in statements((stmt,)) if isinstance(s, For) for h in (*s.init, *s.step))
    return written(stmt).union(*map(written, heads))


def _guards(body: Body) -> Iterator[Expr]:
    """Yield the conditions of branches that all of the body can evaluate again.

    Not those of floating-point arithmetic, which may be contracted in one place only; nor those of the
    position in the block alone: the threads that aren't chosen have elements, too.
    """
    values = {s.sym: s.init for s in body if isinstance(s, Declare)}
    changed = frozenset[Sym]().union(*map(written, body))

    def in_block(expr: Expr) -> bool:
        for e in walk(expr):
            if isinstance(e, Special) and e.name == "blockIdx":
                return False
            if isinstance(e, Place):
                value = None if e.sym in changed else values.get(e.sym)
                if not isinstance(value, Expr) or not in_block(value):
                    return False
        return True

    found: dict[frozenset[Expr], Expr] = {}
    giving: dict[Sym, dict[frozenset[Expr], Expr]] = {}
    for stmt in statements(body):
        if isinstance(stmt, If) and not stmt.other and not exits(stmt):
            places = [e for e in walk(stmt.cond) if isinstance(e, Place)]
            known = all(not e.index and (e.sym in values or e.sym.storage == "parameter") for e in places)
            exact = not any(isinstance(e, Binary | Call) and is_floating(e) for e in walk(stmt.cond))
            if known and exact and not in_block(stmt.cond):
                found.setdefault(_parts(stmt.cond), stmt.cond)
            if known and exact:
                for sym in {inner for s in statements(stmt.then) for inner in _given(s)}:
                    giving.setdefault(sym, {}).setdefault(_parts(stmt.cond), stmt.cond)
    yield from found.values()
    for conds in giving.values():
        if 1 < len(conds) <= SEVERAL:
            yield reduce(lambda a, b: Binary("||", a, b, BOOL), conds.values())


def _given(stmt: Stmt) -> Iterator[Sym]:
    """Yield the variable of the tool's that a statement gives a value: an adjoint that then isn't zero."""
    if isinstance(stmt, Assign | Accumulate) and stmt.target.sym.ours and stmt.target.sym.storage == "local":
        yield stmt.target.sym


def _parts(cond: Expr) -> frozenset[Expr]:
    """The conditions that all must hold, each in one form: `n > i` is `i < n`."""
    return frozenset(map(_turned, conjuncts(cond)))


def _turned(cond: Expr) -> Expr:
    match cond:
        case Binary(">" | ">=" as op, left, right):
            return Binary(FLIPPED[op], right, left, cond.type)
        case _:
            return cond


class _Values:
    """Which values may be infinite or NaN where what they are computed from is finite.

    A divisor that all threads have in common isn't meant, nor what the intervals of its parts exclude.
    `calls`: whether those of functions may be. What threads for which a `guard` holds compute doesn't count;
    without one, the body is that of a function, whose parameters each thread has for itself.
    """

    def __init__(self, body: Body, calls: bool, guard: Expr | None = None) -> None:
        self.calls = calls
        self.of_kernel = guard is not None
        asked = frozenset[Sym]() if guard is None else guard.symbols
        self.tested = frozenset(sym for sym in asked if is_floating(Place(sym, (), sym.type)))
        self.alike = Alike(body, steady=True)
        self.ranges = FloatRanges()
        shared = (e for e in all_parts(*body) if isinstance(e, Call) and e.rule in COLLECTIVE)
        self.exchanged = frozenset(sym for call in shared for sym in call.symbols)
        sources: list[tuple[Sym, Expr]] = []
        idle = substituted(body, lambda s: s.other if isinstance(s, If) and holds(guard, s.cond) else None)
        for stmt in statements(idle):
            match stmt:
                case Declare(sym, value) if isinstance(value, Expr):
                    sources.append((sym, value))
                case Assign(Place(sym), value) | Accumulate(Place(sym), value) if sym.storage in PRIVATE:
                    sources.append((sym, value))
                case Evaluate(call):
                    sources += ((place.sym, call) for place in call.outputs)
                case _:
                    pass
        changed = frozenset[Sym]().union(*map(written, body))
        self.once = {sym: value for sym, value in sources if sym not in changed}
        self.infinite = frozenset[Sym]()
        for _ in rounds(len(sources), "what may be infinite"):  # it only grows
            new = self.infinite | {sym for sym, value in sources if self.may_be_infinite(value)}
            if new == self.infinite:
                break
            self.infinite = new

    def any_infinite(self, stmts: Iterable[Stmt]) -> bool:
        return any(self.may_be_infinite(e) for s in stmts for e in expressions(s))

    def may_be_infinite(self, value: Expr) -> bool:
        for part in walk(value):
            match part:
                case Place(sym) if sym in self.infinite:
                    return True
                case Binary("/", _, divisor) if is_floating(part):
                    if not self.common(divisor) and self.bounds(divisor).has_zero:
                        return True
                case Call(callee=str()):
                    if self.calls:
                        return True
                case Const(float() as number) if not abs(number) < HUGE:
                    return True
                case Call(args=(arg, *_), rule=rule) if is_floating(part) and rule not in FINITE:
                    defined = rule in POSITIVE and self.bounds(arg).low > 0.0
                    if not (defined or self.common(part) or self.bounds(part).finite):
                        return True
                case _:
                    pass
        return False

    def common(self, expr: Expr) -> bool:
        """Whether all threads have a value in common, and the guard doesn't ask for it."""
        return self.of_kernel and self.alike.same(expr) and self.tested.isdisjoint(expr.symbols)

    def bounds(self, expr: Expr) -> Bounds:
        """The interval of an expression, in which names stand for their values."""
        left = FOLLOWED

        def change(e: Expr) -> Expr | None:
            nonlocal left
            value = self.once.get(e.sym) if isinstance(e, Place) and not e.index else None
            if value is None or left == 0:
                return None
            left -= 1
            return rewrite(value, change)

        return self.ranges.bounds(None, rewrite(expr, change))


def holds(guard: Expr | None, cond: Expr) -> bool:
    """Whether a guard holds where a condition does."""
    match guard:
        case None:
            return False
        case Binary("||", left, right) if holds(left, cond) or holds(right, cond):
            return True
        case _:
            return _parts(guard) <= _parts(cond)


@dataclass(frozen=True)
class _Guarding:
    """Guards with one condition."""

    guard: Expr
    values: _Values

    def body(self, body: Body, zero: frozenset[Sym]) -> tuple[Body, frozenset[Sym]]:
        """A body, and what is zero after it where the guard doesn't hold, given what is before it."""
        out: list[Stmt] = []
        for stmt in body:
            new, zero = self.statement(stmt, zero)
            out.append(new)
        return tuple(out), zero

    def statement(self, stmt: Stmt, zero: frozenset[Sym]) -> tuple[Stmt, frozenset[Sym]]:
        if not _changed(stmt).isdisjoint(self.guard.symbols):
            return stmt, frozenset()  # the condition has another value
        if isinstance(stmt, If) and holds(self.guard, stmt.cond):
            return stmt, zero_after(stmt.other, zero)
        after = idle(stmt, zero, calls=True)
        if after is not None and isinstance(stmt, Declare) and isinstance(stmt.init, Expr):
            exchanged = stmt.sym in after and self.adds(stmt)
            return (replace(stmt, init=self.selected(stmt.init)) if exchanged else stmt), after
        if after is not None and not _together(stmt):
            return (If(self.guard, (stmt,)) if self.adds(stmt) else stmt), after
        match stmt:
            case Declare(sym, Initialiser(values)) if sym.ours and sym.storage == "local":
                return stmt, zero | {sym} if all(is_const(v, 0.0) for v in values) else zero - {sym}
            case Accumulate(_, amount) if after is not None and self.adds(stmt):
                return replace(stmt, amount=self.selected(amount)), after
            case If(_, then, other):
                (new, one), (rest, two) = self.body(then, zero), self.body(other, zero)
                return rebuilt(stmt, lambda b: new if b is then else rest), one & two
            case For() | While() | DoWhile() | Switch():
                leaves = isinstance(stmt, Switch) or any(map(exits, statements((stmt,))))
                zero = self.throughout(stmt, zero) if leaves else self.at_entry(stmt, zero)
                return rebuilt(stmt, lambda b: self.body(b, zero)[0]), zero
            case _:
                return stmt, zero_after((stmt,), zero)

    def at_entry(self, loop: Stmt, zero: frozenset[Sym]) -> frozenset[Sym]:
        """What is zero where an iteration begins, if `zero` is where the first one does."""
        for _ in rounds(len(zero), "what is zero in each iteration"):  # it only shrinks
            after = frozenset.intersection(zero, *(self.body(b, zero)[1] for b in bodies(loop)))
            if zero == after:
                break
            zero = after
        return zero

    def throughout(self, stmt: Stmt, zero: frozenset[Sym]) -> frozenset[Sym]:
        """What is zero everywhere in a statement that may be left early: no statement in it sets it."""
        inner = [s for s in statements((stmt,)) if not bodies(s)]
        for _ in rounds(len(zero), "what is zero in all of a loop"):  # it only shrinks
            kept = zero - frozenset[Sym]().union(
                *(sets(s) for s in inner if idle(s, zero, calls=True) is None)
            )
            if zero == kept:
                break
            zero = kept
        return zero

    def selected(self, value: Expr) -> Expr:
        """A value where the guard holds, otherwise zero."""
        assert isinstance(value.type, Scalar)
        return Select(self.guard, value, real(0.0, value.type), value.type)

    def adds(self, stmt: Stmt) -> bool:
        """Whether it gives other threads what may not be finite, where the guard doesn't hold."""
        match stmt:
            case Declare(sym, value):
                return (
                    sym in self.values.exchanged
                    and isinstance(value, Expr)
                    and self.values.may_be_infinite(value)
                )
            case Accumulate(Place(sym), amount):
                given = sym.storage not in PRIVATE or sym in self.values.exchanged
                return given and self.values.may_be_infinite(amount)
            case If(cond, _, other) if holds(self.guard, cond):
                return any(map(self.adds, other))
            case _:
                return any(self.adds(s) for body in bodies(stmt) for s in body)
