"""Which variables have tangents: those that an independent changes and that change a dependent.

Per variable, whatever the order of the statements: the primal's control flow stays as it is, so that
neither single assignment nor structured exits are needed. A device function is summed up by the
parameters that each of its results depends on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from ...analysis.activity import is_real, reach
from ...analysis.atomics import is_drawn, update
from ...ir import (
    VOID,
    AddressOf,
    Assign,
    Binary,
    Body,
    Call,
    Cast,
    Declare,
    Evaluate,
    Expr,
    Initialiser,
    Place,
    Program,
    Return,
    Select,
    Stmt,
    Sym,
    Unary,
    calls,
    statements,
)
from ...rules import Table

RESULT = -1
"""The returned value, among the positions of a function's parameters."""

Summary = Mapping[int, frozenset[int]]
"""The parameters that each result depends on: the returned value, and what pointers point to."""


def base(expr: Expr) -> Sym | None:
    """The array or variable that a pointer points into; None for a null pointer or a number."""
    match expr:
        case AddressOf(place):
            return place.sym
        case Place(sym) if not expr.index:
            return sym
        case Cast(arg) | Unary(_, arg):
            return base(arg)
        case Binary(_, left, _):
            return base(left)
        case _:
            return None


def moved(pointer: Expr, tangents: Mapping[Sym, Sym]) -> Expr:
    """The same place in the tangents of what a pointer points into."""
    match pointer:
        case AddressOf(place):
            return replace(pointer, place=replace(place, sym=tangents[place.sym], spelling=None))
        case Place(sym):
            return replace(pointer, sym=tangents[sym], spelling=None)
        case Cast(inner) | Unary(_, inner):
            return replace(pointer, arg=moved(inner, tangents), spelling=None)
        case Binary(_, left, _):
            return replace(pointer, left=moved(left, tangents), spelling=None)
        case _:
            raise AssertionError(pointer)


def is_exchange(call: Expr | Initialiser | None) -> bool:
    """Whether an expression is `atomicExch(&adj_y[i], 0.0f)`, as an adjoint takes what it has once."""
    return isinstance(call, Call) and call.callee is None and call.name == "atomicExch"


@dataclass
class Dependence:
    """What the device functions of a program depend on, found when asked for."""

    program: Program
    table: Table

    def __post_init__(self) -> None:
        self._known: dict[str, Summary] = {}

    def summary(self, call: Call) -> Summary:
        """The results of a call of a device function, each with the parameters that it depends on."""
        assert call.callee is not None
        if call.callee not in self._known:
            function = self.program.functions[call.callee]
            edges = Edges.of(function.body, self)
            found: dict[int, frozenset[int]] = {}
            reach = [edges.after({sym}) for sym in function.syms]
            for k, sym in enumerate((*function.syms, None)):
                position = RESULT if sym is None else k
                target = edges.result if sym is None else sym
                found[position] = frozenset(j for j, reached in enumerate(reach) if target in reached)
            self._known[call.callee] = found
        return self._known[call.callee]

    def smooth(self, call: Call) -> frozenset[int]:
        """The positions of the arguments that the value of a call depends on differentiably."""
        rule = self.table.of(call)
        if rule is not None:
            return rule.smooth
        if is_drawn(call):
            return frozenset()
        return self.summary(call)[RESULT] if call.callee in self.program.functions else frozenset()

    def carriers(self, expr: Expr) -> Iterator[Sym]:
        """Yield the variables whose small changes change an expression."""
        if not is_real(expr.type):
            return
        match expr:
            case Place():
                yield expr.sym
            case AddressOf(place):
                yield place.sym
            case Unary(_, arg) | Cast(arg):
                yield from self.carriers(arg)
            case Binary(_, left, right):
                yield from self.carriers(left)
                yield from self.carriers(right)
            case Select(_, then, other):
                yield from self.carriers(then)
                yield from self.carriers(other)
            case Call():
                for position in sorted(self.smooth(expr)):
                    yield from self.carriers(expr.args[position])
            case _:
                pass


@dataclass(frozen=True)
class Edges:
    """The variables that each variable's value flows to; `result` stands for what the function returns.

    `order` has all of them as they appear.
    """

    to: Mapping[Sym, frozenset[Sym]]
    result: Sym
    order: tuple[Sym, ...]

    @staticmethod
    def of(body: Body, dependence: Dependence) -> Edges:
        result = Sym("result", VOID)
        to: dict[Sym, dict[Sym, None]] = {}
        for stmt in statements(body):
            for source, target in _flows(stmt, dependence, result):
                to.setdefault(source, {})[target] = None
        order = dict.fromkeys((*to, *(target for targets in to.values() for target in targets)))
        return Edges({sym: frozenset(found) for sym, found in to.items()}, result, tuple(order))

    def after(self, start: Iterable[Sym]) -> frozenset[Sym]:
        """The variables that those can change, themselves included."""
        return reach(start, self.to)

    def before(self, end: Iterable[Sym]) -> frozenset[Sym]:
        """The variables that can change those, themselves included."""
        back: dict[Sym, set[Sym]] = {}
        for source, targets in self.to.items():
            for target in targets:
                back.setdefault(target, set()).add(source)
        return reach(end, back)


def _flows(stmt: Stmt, dependence: Dependence, result: Sym) -> Iterator[tuple[Sym, Sym]]:
    """Yield pairs of variables: the first one's value changes the second one's in this statement."""
    match stmt:
        case Declare(sym, Initialiser(values)):
            for value in values:
                yield from ((source, sym) for source in dependence.carriers(value))
        case Declare(sym, Call() as call) | Assign(Place(sym), Call() as call) if is_exchange(call):
            yield base(call.args[0]) or sym, sym
            yield from ((source, base(call.args[0]) or sym) for source in dependence.carriers(call.args[1]))
        case Declare(sym, init) if init is not None and is_real(sym.type):
            assert not isinstance(init, Initialiser)
            yield from ((source, sym) for source in dependence.carriers(init))
        case Assign(target, value) if is_real(target.type):
            yield from ((source, target.sym) for source in dependence.carriers(value))
        case Return(value) if value is not None:
            yield from ((source, result) for source in dependence.carriers(value))
        case Evaluate() if (added := update(stmt)) is not None:
            yield from ((source, added.place.sym) for source in dependence.carriers(added.amount))
        case _:
            pass
    for call in calls(stmt):
        yield from _written(call, dependence)


def _written(call: Call, dependence: Dependence) -> Iterator[tuple[Sym, Sym]]:
    """Yield the flows into what a call writes through its arguments."""
    rule = dependence.table.of(call)
    if rule is not None:
        args = dict(zip(rule.parameters, call.args, strict=False))
        for output in rule.outputs:
            target = base(args[output])
            for name in rule.jacobian.get(output, {}):
                if target is not None:
                    yield from ((source, target) for source in dependence.carriers(args[name]))
    elif call.callee in dependence.program.functions:
        for position, sources in dependence.summary(call).items():
            target = None if position == RESULT else base(call.args[position])
            if target is None or not is_real(target.type):
                continue
            for k in sources:
                if k != position:
                    yield from ((source, target) for source in dependence.carriers(call.args[k]))
