"""The statements of a function with their tangents: a tangent before what it belongs to, or after it.

    y[i] = a * sinf(x[i]);     ->     tan_y[i] = a * cosf(x[i]) * tan_x[i];
                                      y[i] = a * sinf(x[i]);

A tangent reads what its statement reads, so it comes first; that of a new variable follows, and may then
use the variable's value. Control flow, barriers and shuffles stay where they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from operator import is_

from ...analysis.activity import is_real
from ...analysis.atomics import is_atomic, update
from ...diagnostics import Code, Rejected, diagnose
from ...fields import element
from ...ir import (
    AddressOf,
    Assign,
    Banner,
    Barrier,
    Binary,
    Block,
    Body,
    Break,
    Call,
    Comment,
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
    Return,
    Scalar,
    Stmt,
    Switch,
    Sym,
    While,
    Whole,
    calls,
    rebuilt,
    scalar_type,
    unconverted,
)
from ..common.algebra import converted, real
from ..common.jumps import any_has
from ..plan.pullbacks import assigned
from ..plan.singular_points import Guard
from .dependence import is_exchange, moved
from .expressions import Context, Walk
from .guards import held, parts, still
from .loads import shared_loads


class Statements:
    """Adds tangents to the statements of a function. `out` is the tangent of the returned value."""

    def __init__(self, context: Context, out: Place | None = None) -> None:
        self.c, self.tangents, self.out = context, context.tangents, out
        self.wholes: dict[Whole | Sym, Whole] = {}  # by the author's

    def body(self, body: Body, branches: tuple[Guard, ...] = ()) -> Body:
        """The statements of a body with their tangents."""
        made: list[Stmt] = []
        for group in _groups(body):
            new = self.stmt(group[0], branches) if len(group) == 1 else self.together(group, branches)
            made += [_of_statement(one, group[0]) for one in new]
            branches = still(branches, group)
        return body if len(made) == len(body) and all(map(is_, made, body)) else tuple(made)

    def together(self, group: Sequence[Stmt], branches: tuple[Guard, ...]) -> list[Stmt]:
        """The parts of one statement on a struct: all tangents, then all values, or the other way round."""
        parts = [self.split(stmt, branches) for stmt in group]
        before = [stmt for part in parts for stmt in part[0]]
        tangents = [stmt for part in parts for stmt in part[1]]
        values = [part[2] for part in parts]
        if isinstance(group[0], Declare):
            return [*before, *values, *tangents]
        return [*before, *tangents, *values]

    def split(self, stmt: Stmt, branches: tuple[Guard, ...]) -> tuple[list[Stmt], list[Stmt], Stmt]:
        """What goes before a simple statement, its tangents, and itself."""
        if isinstance(stmt, Declare):
            return self.declared(stmt, branches)
        assert isinstance(stmt, Assign)
        return self.assigned(stmt, branches)

    def stmt(self, stmt: Stmt, branches: tuple[Guard, ...]) -> list[Stmt]:
        match stmt:
            case Declare():
                before, tangents, value = self.declared(stmt, branches)
                called = isinstance(value, Declare) and self.is_called(value.init)
                return [*before, *tangents, value] if called else [*before, value, *tangents]
            case Assign():
                return self.store(stmt, branches)
            case Evaluate():
                return self.evaluated(stmt, branches)
            case Return():
                return self.returned(stmt, branches)
            case If(cond, then, other):
                wide = Walk(self.c).widened(cond)
                sides = [
                    self.body(body, (*branches, *parts(cond, taken)) if wide is cond else branches)
                    for body, taken in ((then, True), (other, False))
                ]
                new = sides[0], sides[1]
                if wide is cond and new == (then, other):
                    return [stmt]
                then = new[0] if wide is cond else held(new[0], cond, wide, self.c.linear)
                return [replace(stmt, cond=wide, then=then, other=new[1])]
            case For():
                return [self.loop(stmt)]
            case While() | DoWhile() | Block() | Switch():
                return [rebuilt(stmt, self.body)]
            case Break() | Continue() | Barrier() | Comment() | Banner():
                return [stmt]
            case _:
                raise AssertionError(stmt)

    def loop(self, stmt: For) -> Stmt:
        """A loop; if its counter has a tangent, that is set before the loop and changed in its step."""
        body, step = self.body(stmt.body), self.body(stmt.step)
        init = self.body(stmt.init)
        if len(step) != len(stmt.step) and any(isinstance(s, Declare | If) for s in step):
            if any_has(stmt.body, Continue):
                raise self.unsupported("a loop whose step needs more than assignments, and a continue", stmt)
            body, step = (*body, *step), ()
        new = stmt if body is stmt.body and step is stmt.step else replace(stmt, body=body, step=step)
        if init is stmt.init:
            return new
        return Block((*init, replace(new, init=())), stmt.span)

    # ---- simple statements -----------------------------------------------------

    def declared(self, stmt: Declare, branches: tuple[Guard, ...]) -> tuple[list[Stmt], list[Stmt], Stmt]:
        sym, init = stmt.sym, stmt.init
        tangent = self.tangents.get(sym)
        if isinstance(init, Initialiser):
            if tangent is None:
                return [], [], stmt
            walk = Walk(self.c, branches)
            duals = [walk.visit(value) for value in init.values]
            zero = real(0.0, _element(tangent))
            slopes = tuple(dual.signed or zero for dual in duals)
            value = replace(stmt, init=Initialiser(tuple(dual.value for dual in duals)))
            return walk.before, [Declare(tangent, Initialiser(slopes), stmt.span)], value
        if init is None:
            return [], [] if tangent is None else [Declare(tangent)], stmt
        if isinstance(sym.type, Pointer):
            return [], self.region(init, tangent), stmt
        if is_exchange(init):
            assert isinstance(init, Call)
            return [], self.exchanged(init, tangent), stmt
        if self.is_function(init):
            assert isinstance(init, Call)
            walk = Walk(self.c, branches)
            place = None if tangent is None else Place(tangent, (), tangent.type)
            if tangent is not None and not self.c.active(init):
                made = walk.invoked(init, None) if self.c.writes(init) else init
                return walk.before, [Declare(tangent, real(0.0, tangent.type))], replace(stmt, init=made)
            made = walk.invoked(init, place)
            return walk.before, [] if tangent is None else [Declare(tangent)], replace(stmt, init=made)
        outputs = self.outputs(init, branches)
        if tangent is None:
            return [], outputs, stmt
        after = sym if isinstance(sym.type, Scalar) and not sym.type.is_half else None
        walk = Walk(self.c, branches, init, after)
        dual = walk.visit(init)
        slope = dual.signed or real(0.0, tangent.type)
        return walk.before, [Declare(tangent, slope, stmt.span), *outputs], _with_init(stmt, dual.value)

    def store(self, stmt: Assign, branches: tuple[Guard, ...]) -> list[Stmt]:
        """An assignment with its tangent before it, or after it where that uses the stored value."""
        target, value = stmt.target, stmt.value
        if self.is_function(value) and stmt.op is None:
            assert isinstance(value, Call)
            walk = Walk(self.c, branches)
            if target.sym not in self.tangents:
                made = walk.invoked(value, None)
                return [*walk.before, replace(stmt, value=made)]
            if self.c.active(value) and target.sym not in value.symbols:
                made = walk.invoked(value, self.c.of(target))
                return [*walk.before, replace(stmt, value=made)]
            if not self.c.active(value):
                zero = Assign(self.c.of(target), real(0.0, _number(target)), None, stmt.span)
                made = walk.invoked(value, None)
                return [*walk.before, zero, replace(stmt, value=made)]
        if target.sym in self.tangents and not target.index and stmt.op is None:
            walk = Walk(self.c, branches, value, target.sym)
            dual = walk.visit(value)
            slope = dual.signed
            if walk.used and slope is not None and self.may_follow(stmt, slope):
                after = Assign(self.c.of(target), slope)
                return [*walk.before, _with_value(stmt, dual.value), after]
        before, tangents, new = self.assigned(stmt, branches)
        return [*before, *tangents, new, *self.outputs(value, branches)]

    def whole(self, stmt: Assign) -> Whole | None:
        """What the tangent of a part of an assignment to a struct is a part of."""
        return None if stmt.part_of is None else self.wholes.setdefault(stmt.part_of, Whole())

    def may_follow(self, stmt: Assign, slope: Expr) -> bool:
        """Whether a tangent may follow the assignment: it reads the target's new value, and no old one."""
        old = self.c.of(stmt.target).sym
        return stmt.target.sym not in stmt.value.symbols and old not in slope.symbols

    def assigned(self, stmt: Assign, branches: tuple[Guard, ...]) -> tuple[list[Stmt], list[Stmt], Stmt]:
        target = stmt.target
        if target.sym not in self.tangents or not is_real(target.type):
            return [], [], stmt
        into = self.c.of(target)
        walk = Walk(self.c, branches)
        if stmt.op in ("+=", "-="):
            dual = walk.visit(stmt.value)
            new = _with_value(stmt, dual.value)
            if dual.tangent is None:
                return walk.before, [], new
            op = "-=" if dual.tangent.negative != (stmt.op == "-=") else "+="
            made = Assign(into, dual.tangent.magnitude(), op, stmt.span)
            loads, made, new = shared_loads(made, new)
            return [*walk.before, *loads], [made], new
        if stmt.op is not None and not self.c.active(stmt.value):
            return [], [Assign(into, stmt.value, stmt.op, stmt.span)], stmt
        if stmt.op is not None:
            dual = walk.visit(assigned(stmt)[1])
            value = self.operand(stmt, dual.value)
        else:
            dual = walk.visit(stmt.value)
            value = _with_value(stmt, dual.value)
        slope = converted(dual.signed or real(0.0, _number(into)), into.type)
        made = Assign(into, slope, None, stmt.span, part_of=self.whole(stmt))
        loads, made, value = shared_loads(made, value)
        return [*walk.before, *loads], [made], value

    def operand(self, stmt: Assign, whole: Expr) -> Assign:
        """A compound assignment, given the whole value that it stores."""
        match unconverted(whole):
            case Binary(op, left, right) if f"{op}=" == stmt.op and right.type == stmt.value.type:
                return _with_value(stmt, right) if unconverted(left) == stmt.target else stmt
            case Place() as named if named.type == stmt.target.type and named.sym.const:
                return replace(stmt, value=named, op=None, spelling=None)
            case _:
                return stmt

    def evaluated(self, stmt: Evaluate, branches: tuple[Guard, ...]) -> list[Stmt]:
        call = stmt.call
        if is_atomic(call):
            return self.atomic(stmt, branches)
        if self.is_function(call):
            walk = Walk(self.c, branches)
            made = walk.invoked(call, None)
            return [*walk.before, replace(stmt, call=made)]
        return [stmt, *self.outputs(call, branches)]

    def region(self, init: Expr, tangent: Sym | None) -> list[Stmt]:
        """The same region in the tape of the tangents."""
        return [] if tangent is None else [Declare(tangent, moved(init, self.tangents))]

    def exchanged(self, call: Call, tangent: Sym | None) -> list[Stmt]:
        """The tangent of what an exchange takes: it is taken, and replaced, like the value."""
        address, given = call.args
        assert isinstance(address, AddressOf)
        if tangent is None:
            return []
        if address.place.sym not in self.tangents:
            return [Declare(tangent, real(0.0, tangent.type))]
        slope = Walk(self.c).visit(given).signed or real(0.0, given.type)
        place = AddressOf(self.c.of(address.place), address.type)
        return [Declare(tangent, replace(call, args=(place, slope), spelling=None, macro=None))]

    def atomic(self, stmt: Evaluate, branches: tuple[Guard, ...]) -> list[Stmt]:
        """An atomic addition adds the tangent to the tangent; other atomics are refused."""
        added = update(stmt)
        call = stmt.call
        address = call.args[0]
        if not isinstance(address, AddressOf) or address.place.sym not in self.tangents:
            return [stmt]
        if added is None or added.extreme:
            raise Rejected(diagnose(Code.ATOMIC, stmt.span, name=call.name))
        walk = Walk(self.c, branches)
        dual = walk.visit(added.amount)
        value = replace(stmt, call=replace(call, args=(address, dual.value), spelling=None))
        slope = dual.signed
        if slope is None:
            return [*walk.before, stmt]
        place = AddressOf(self.c.of(address.place), address.type)
        made = replace(call, args=(place, slope), spelling=None, macro=None)
        return [*walk.before, Evaluate(made, stmt.span), value]

    def returned(self, stmt: Return, branches: tuple[Guard, ...]) -> list[Stmt]:
        if stmt.value is None or self.out is None:
            return [stmt]
        walk = Walk(self.c, branches)
        if self.is_function(stmt.value):
            assert isinstance(stmt.value, Call)
            made = walk.invoked(stmt.value, self.out)
            return [*walk.before, replace(stmt, value=made)]
        dual = walk.visit(stmt.value)
        slope = dual.signed or real(0.0, self.out.type)
        return [
            *walk.before,
            Assign(self.out, converted(slope, self.out.type)),
            replace(stmt, value=dual.value),
        ]

    def outputs(self, expr: Expr, branches: tuple[Guard, ...]) -> list[Stmt]:
        """The tangents of what a function of the table writes through its arguments: `sincosf(x, &s, &c)`."""
        inner = unconverted(expr)
        if not isinstance(inner, Call) or is_atomic(inner):
            return []
        rule = self.c.table.of(inner)
        if rule is None or not rule.outputs:
            return []
        args = dict(zip(rule.parameters, inner.args, strict=False))
        values = {n: a.place if isinstance(a, AddressOf) else a for n, a in args.items()}
        made: list[Stmt] = []
        written = {arg.place.sym for arg in args.values() if isinstance(arg, AddressOf)}
        if any(not isinstance(a, AddressOf) and not written.isdisjoint(a.symbols) for a in args.values()):
            what = f"`{inner.name}` that overwrites its own argument"
            help = "use another variable for the result"
            raise Rejected(diagnose(Code.NOT_SUPPORTED, inner.span, what=what, help=help))
        for name in rule.outputs:
            place = values[name]
            assert isinstance(place, Place)
            if place.sym not in self.tangents:
                continue
            walk = Walk(self.c, branches)
            slope = walk.of_output(inner, rule, name, values)
            made += [*walk.before, Assign(self.c.of(place), slope or real(0.0, _number(place)))]
        return made

    # ---- questions ---------------------------------------------------------------

    def is_function(self, expr: Expr) -> bool:
        """Whether an expression is a call of a device function with a tangent function."""
        if not isinstance(expr, Call) or self.c.table.of(expr) is not None:
            return False
        return self.c.active(expr) or self.c.writes(expr)

    def is_called(self, init: object) -> bool:
        return isinstance(init, Call) and init.callee is not None and init.rule is None

    def unsupported(self, what: str, stmt: For) -> Rejected:
        help = "make the step a statement at the end of the body"
        return Rejected(diagnose(Code.NOT_SUPPORTED, stmt.span, what=what, help=help))


def _of_statement(made: Stmt, stmt: Stmt) -> Stmt:
    """A named value stands under the author's comment on the statement that needs it."""
    if (
        isinstance(made, Declare)
        and made.span is None
        and isinstance(stmt, Declare | Assign | Evaluate | Return)
    ):
        return replace(made, span=stmt.span)
    return made


def _groups(body: Body) -> Iterator[list[Stmt]]:
    """Yield statements, those together that are the parts of one statement on a struct."""
    group: list[Stmt] = []
    for stmt in body:
        if (
            group
            and _whole(stmt) is not None
            and _whole(stmt) is _whole(group[-1])
            and not _reads(stmt, group)
        ):
            group.append(stmt)
        else:
            if group:
                yield group
            group = [stmt]
    if group:
        yield group


def _whole(stmt: Stmt) -> object | None:
    """The statement of the author's, or the variable, that a statement is a part of."""
    match stmt:
        case Assign(op=None) if stmt.part_of is not None:
            return stmt.part_of
        case Declare(sym) if sym.within is not None and not calls(stmt):
            return sym.within
        case _:
            return None


def _reads(stmt: Stmt, group: Sequence[Stmt]) -> bool:
    """Whether a part reads what another part of the group writes."""
    written = {
        s.target.sym if isinstance(s, Assign) else s.sym for s in group if isinstance(s, Assign | Declare)
    }
    match stmt:
        case Assign(_, value):
            return not written.isdisjoint(value.symbols)
        case Declare(_, init) if init is not None and not isinstance(init, Initialiser):
            return not written.isdisjoint(init.symbols)
        case _:
            return False


def _with_init(stmt: Declare, value: Expr) -> Declare:
    return stmt if value is stmt.init else replace(stmt, init=value)


def _with_value(stmt: Assign, value: Expr) -> Assign:
    return stmt if value is stmt.value else replace(stmt, value=value, spelling=None)


def _element(sym: Sym) -> Scalar:
    found = element(sym.type)
    assert isinstance(found, Scalar)
    return found


def _number(place: Place) -> Scalar:
    return scalar_type(place)
