"""One statement's contributions to the adjoints of its operands.

    s = s + w[k] * sinf(s)     ->     adj_w[k] += sinf(s) · g
                                      adj_s    += w[k] · cosf(s) · g      g: the adjoint of the new s
                                      adj_s    += g

`contributions` walks an expression from its root with an amount, multiplying by
one partial at each operator. An amount gets a name only if two operands need it.
What an amount reads must be available in the reverse sweep: this list *is* the
to-be-recorded requirement of the statement.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, assert_never

from ...analysis.activity import is_real
from ...ir import (
    BOOL,
    AddressOf,
    Binary,
    Call,
    Cast,
    Const,
    Expr,
    Place,
    Scalar,
    Select,
    Special,
    Sym,
    Unary,
    scalar_type,
    unconverted,
    wide,
)
from ...rules import Partial, Rule, Table, instantiate, said, singular
from ..common.adjoint_names import adjoint_name, by_operation
from ..common.algebra import Amount, factors_of, is_const, real, repeats
from .shuffles import Way
from .singular_points import Guard, divides_by_zero, zeros


@dataclass(frozen=True, eq=False)
class Bind:
    """Give an amount a name: `float g = 0.25f * adj_s;`."""

    sym: Sym
    amount: Amount
    guards: tuple[Guard, ...]


@dataclass(frozen=True, eq=False)
class Add:
    """Add an amount to the adjoint of a place that the primal reads.

    `rules` are the derivatives used, from the value in to the place: `d sin(u)/du = cos(u)`.
    `partial` is the number in the amount, in the primal's terms, where the amount reads it from a tape.
    `infinite`: where the place is zero, the amount is infinite or NaN, whatever the value's adjoint is.
    """

    place: Place
    amount: Amount
    guards: tuple[Guard, ...]
    rules: tuple[str, ...] = ()
    partial: Expr | None = None
    infinite: bool = False


@dataclass(frozen=True, eq=False)
class Invoke:
    """Call the adjoint of a device function; its active arguments' adjoints go to `outs`.

    Each of `outs` is a name whose value the following items propagate, or, where the
    argument is a plain variable, that variable's place.
    """

    call: Call
    active: tuple[int, ...]
    seed: Amount
    outs: tuple[Sym | Place, ...]
    guards: tuple[Guard, ...]


@dataclass(frozen=True, eq=False)
class Exchange:
    """The reverse of a shuffle: return adjoints to the source lanes; `out` is what this lane receives.

    Without a way it is a block sum: every thread gets the sum of all threads' adjoints.
    """

    call: Call
    seed: Amount
    out: Sym
    way: Way | None

    guards: ClassVar[tuple[Guard, ...]] = ()  # every lane takes part, even with a zero adjoint


Item = Bind | Add | Invoke | Exchange


ByResult = Callable[[Call, int], Callable[[Expr], Amount] | None]
"""A device function's partial with respect to an argument, if it depends on the result alone."""


@dataclass
class Context:
    """What the walk needs to know of the statement's context."""

    table: Table
    active: Callable[[Place], bool]  # is this operand active here?
    smooth: Callable[[Call], frozenset[int]]
    after: Sym | None = None  # stands for the value that the statement stores
    root: Expr | None = None  # the expression of that value
    kinks: list[str] = field(default_factory=list)
    parameter: Callable[[Call, int], str] = lambda call, k: f"argument{k + 1}"
    way: Callable[[Call], Way] | None = None  # of the shuffle that is the statement's value
    by_result: ByResult = lambda call, k: None
    holds: Callable[[Expr, Sequence[Guard]], bool | None] = lambda cond, given: None
    literal: Callable[[Expr], float | None] = lambda factor: None
    divided_by: bool = False  # where the statement's value is zero, its adjoint is infinite or NaN
    into: str = ""  # the variable that it stores to


def output_contributions(
    call: Call, rule: Rule, output: str, values: Mapping[str, Expr], seed: Expr, context: Context
) -> list[Item]:
    """The contributions of one output of `sincosf(x, &s, &c)` to the arguments."""
    walk = _Walk(context)
    type_ = seed.type
    assert isinstance(type_, Scalar)
    value = values.get("r")
    walk.partials(call, rule, rule.jacobian.get(output, {}), Amount(seed, type_), (), value, values)
    return walk.items


def contributions(expr: Expr, seed: Expr, context: Context) -> list[Item]:
    """The contributions of `expr`, whose value's adjoint is `seed`, to its operands, in order."""
    walk = _Walk(context, tuple(zeros(expr)) if context.divided_by else ())
    type_ = seed.type
    assert isinstance(type_, Scalar)
    walk.visit(expr, Amount(seed, type_), ())
    return walk.items


class _Walk:
    def __init__(self, context: Context, divisors: tuple[Expr, ...] = ()) -> None:
        self.c = context
        self.items: list[Item] = []
        self._counts: dict[int, int] = {}
        self._path: list[str] = []
        self._divisors = divisors  # where one of them is zero, the amount is infinite or NaN

    def count(self, expr: Expr) -> int:
        """The number of active operands below an expression."""
        key = id(expr)
        if key not in self._counts:
            self._counts[key] = self._count(expr)
        return self._counts[key]

    def _count(self, expr: Expr) -> int:
        if not is_real(expr.type):
            return 0
        match expr:
            case Const() | Special() | AddressOf():
                return 0
            case Place():
                return int(self.c.active(expr))
            case Unary(_, arg) | Cast(arg):
                return self.count(arg)
            case Binary(_, left, right):
                return self.count(left) + self.count(right)
            case Select(_, then, other):
                return self.count(then) + self.count(other)
            case Call():
                return sum(self.count(expr.args[k]) for k in self.c.smooth(expr))
            case _:
                assert_never(expr)

    def visit(self, expr: Expr, amount: Amount, guards: tuple[Guard, ...], rule: str = "") -> None:
        """Walk down from a value; `rule` is the derivative of the operation above."""
        if not self.count(expr):
            return
        if rule:
            self._path.append(rule)
        self._visit(expr, amount, guards)
        if rule:
            self._path.pop()

    def _visit(self, expr: Expr, amount: Amount, guards: tuple[Guard, ...]) -> None:
        match expr:
            case Place():
                self.items.append(
                    Add(expr, amount, guards, tuple(self._path), infinite=expr in self._divisors)
                )
            case Unary("-", arg):
                self.visit(arg, amount.negated(), guards, _NEG)
            case Unary(_, arg):
                self.visit(arg, amount, guards)
            case Cast(arg, type_):
                if isinstance(type_, Scalar) and isinstance(arg.type, Scalar):
                    amount = replace(amount, type=wide(arg.type)) if amount.plain else amount
                self.visit(arg, amount, guards)
            case Binary():
                self.binary(expr, amount, guards)
            case Select(cond, then, other):
                amount = self.named(expr, amount, guards, self.count(then) > 0 and self.count(other) > 0)
                self.visit(then, amount, (*guards, (cond, True)))
                self.visit(other, amount, (*guards, (cond, False)))
            case Call():
                rule_ = self.c.table.of(expr)
                outside = self._divisors
                if rule_ is None:
                    self._divisors = ()  # what the function makes of an infinite adjoint isn't known
                    self.invoke(expr, amount, guards)
                elif rule_.exchange:
                    self._divisors = ()
                    self.exchange(expr, amount, guards)
                else:
                    self.call(expr, rule_, amount, guards)
                self._divisors = outside
            case Const() | Special() | AddressOf():
                pass
            case _:
                assert_never(expr)

    def named(self, expr: Expr, amount: Amount, guards: tuple[Guard, ...], needed: bool) -> Amount:
        """The amount under a name, if it is needed more than once and isn't a name already."""
        if not needed or amount.bare:
            return amount
        sym = Sym(adjoint_name(expr), amount.type, span=expr.span, otherwise=(by_operation(expr),))
        self.items.append(Bind(sym, amount, guards))
        return Amount(Place(sym, (), sym.type), amount.type)

    def bound(self, expr: Expr, guards: tuple[Guard, ...]) -> Place:
        """A name for the value of a primal expression."""
        sym = Sym("r", _real_type(expr), span=expr.span, otherwise=(by_operation(expr, ""),))
        self.items.append(Bind(sym, Amount(None, scalar_type(sym), (expr,)), guards))
        return Place(sym, (), sym.type)

    def binary(self, expr: Binary, amount: Amount, guards: tuple[Guard, ...]) -> None:
        left, right = expr.left, expr.right
        both = self.count(left) > 0 and self.count(right) > 0
        match expr.op:
            case "+" | "-":
                amount = self.named(expr, amount, guards, both)
                self.visit(left, amount, guards, f"d(u {expr.op} v)/du = 1")
                other = amount if expr.op == "+" else amount.negated()
                self.visit(right, other, guards, f"d(u {expr.op} v)/dv = {'-' * (expr.op == '-')}1")
            case "*" if repeats(expr):
                self.powers(expr, amount, guards)
            case "*":
                amount = self.named(expr, amount, guards, both)
                self.factor(left, right, amount, guards, _PRODUCT[0])
                self.factor(right, left, amount, guards, _PRODUCT[1])
            case "/" if is_const(unconverted(left), 0.0):
                pass  # 0 / y, whatever y is
            case "/" if not self.count(left) and isinstance(unconverted(left), Const):
                # r = c / y: -r r / c needs no second division.
                value: Expr | None = self.result(expr)
                if value is None:
                    value = self.bound(expr, guards)
                if (exp := logistic(right)) is not None:
                    # r = c / (1 + e^u): its partial r r e^u / c is r (1 - r / c), which can't be 0 * inf.
                    share = value if is_const(left, 1.0) else Binary("/", value, left, value.type)
                    rest = Binary("-", real(1.0, value.type), share, value.type)
                    self.visit(exp.args[0], amount.times(value).times(rest).negated(), guards, _EXP)
                    return
                squared = amount.times(value).times(value)
                if not is_const(left, 1.0):
                    squared = squared.over(left)
                self.divisor(right, squared.negated(), guards)
            case "/":
                quotient = self.named(left, amount.over(right), guards, both)
                self.visit(left, quotient, guards, _QUOTIENT[0])
                value = self.result(expr)
                if value is None and not both:
                    quotient = amount.times(left).over(right).over(right)
                    self.divisor(right, quotient.negated(), guards)
                else:
                    self.divisor(right, quotient.times(value or expr).negated(), guards)
            case _:
                raise AssertionError(expr.op)

    def factor(self, expr: Expr, other: Expr, amount: Amount, guards: tuple[Guard, ...], rule: str) -> None:
        """Walk down from a factor; a variable that is 0 or 1 is as good as the literal."""
        if (known := self.c.literal(other)) != 0.0:
            self.visit(expr, amount if known == 1.0 else amount.times(other), guards, rule)

    def divisor(self, divisor: Expr, amount: Amount, guards: tuple[Guard, ...]) -> None:
        """Walk down from a divisor; the amount has been divided by it."""
        outside = self._divisors
        self._divisors = (*outside, *zeros(divisor))
        self.visit(divisor, amount, guards, _QUOTIENT[1])
        self._divisors = outside

    def powers(self, expr: Binary, amount: Amount, guards: tuple[Guard, ...]) -> None:
        """A product with a repeated factor: d(c x^m)/dx = m c x^(m-1)."""
        factors = factors_of(expr)
        distinct: list[Expr] = []
        for factor in factors:
            if factor not in distinct:
                distinct.append(factor)
        active = [f for f in distinct if self.count(f)]
        amount = self.named(expr, amount, guards, len(active) > 1)
        for factor in active:
            times = factors.count(factor)
            inner = amount if times == 1 else amount.times(real(float(times), factor.type))
            rest = list(factors)
            rest.remove(factor)
            for other in rest:
                inner = inner.times(other)
            self.visit(factor, inner, guards, _PRODUCT[0] if times == 1 else _POWER)

    def result(self, expr: Expr) -> Place | None:
        """The variable that holds the value of `expr` after the statement, if any."""
        if self.c.after is None or self.c.root is None:
            return None
        root = self.c.root
        while isinstance(root, Cast) and root.implicit and root.type == root.arg.type:
            root = root.arg
        return Place(self.c.after, (), self.c.after.type) if expr is root else None

    def call(self, expr: Call, rule: Rule, amount: Amount, guards: tuple[Guard, ...]) -> None:
        value = self.result(expr) or expr
        self.partials(expr, rule, rule.partials, amount, guards, value)

    def partials(
        self,
        expr: Call,
        rule: Rule,
        partials: Mapping[str, Partial],
        amount: Amount,
        guards: tuple[Guard, ...],
        value: Expr | None,
        values: Mapping[str, Expr] | None = None,
    ) -> None:
        """An amount times each argument's partial; `values` are the arguments, outputs included."""
        parameters = rule.parameters
        smooth = [k for k, name in enumerate(parameters) if name in partials and self.count(expr.args[k])]
        amount = self.named(expr, amount, guards, len(smooth) > 1)
        args = values or dict(zip(parameters, expr.args, strict=False))
        type_ = amount.type if values is not None else expr.type
        assert isinstance(type_, Scalar)
        if isinstance(value, Call) and any("r" in partials[parameters[k]].repeated for k in smooth):
            value = self.bound(value, guards)
        for k in smooth:
            partial = partials[parameters[k]]
            if partial.kink:
                self.note(f"{expr.name}: {partial.kink}")
            inner, inside = amount, guards
            infinite = singular(partial, args, None if value is None else expr, type_, call=expr)
            if infinite is not None and not self.clear(infinite, guards):
                inner = self.named(expr, amount, guards, True)
                assert inner.seed is not None
                nonzero = Binary("!=", inner.seed, real(0.0, inner.seed.type), BOOL)
                inside = (*guards, (nonzero, True))
                self.note(f"{expr.name}: where its partial is infinite, a zero adjoint contributes zero")
            factor = instantiate(partial, args, value, type_, call=expr)
            self.chosen(expr.args[k], inner, factor, inside, said(rule, parameters[k], partial))

    def clear(self, infinite: Expr, guards: tuple[Guard, ...]) -> bool:
        """Whether no zero adjoint meets an infinite partial."""
        return self.c.holds(infinite, guards) is False or divides_by_zero(infinite, self._divisors)

    def chosen(self, arg: Expr, amount: Amount, factor: Expr, guards: tuple[Guard, ...], rule: str) -> None:
        """A partial that is a choice with a zero branch becomes a guard."""
        match factor:
            case Select(cond, then, other) if is_const(then, 0.0) or is_const(other, 0.0):
                sign = is_const(other, 0.0)
                if (known := self.c.holds(cond, guards)) is not None:
                    self.chosen(arg, amount, then if known else other, guards, rule)
                    return
                self.chosen(arg, amount, then if sign else other, (*guards, (cond, sign)), rule)
            case _ if is_const(factor, 0.0):
                pass
            case _:
                self.visit(arg, amount.times(factor), guards, rule)

    def note(self, text: str) -> None:
        if text not in self.c.kinks:
            self.c.kinks.append(text)

    def exchange(self, expr: Call, amount: Amount, guards: tuple[Guard, ...]) -> None:
        """Send the results' adjoints back to the lanes that were read."""
        assert not guards, "what threads exchange is the whole value of a statement"
        if expr.rule == "sum":
            total = Sym(
                "total", _real_type(expr), span=expr.span, otherwise=(by_operation(expr.args[0], "total"),)
            )
            self.items.append(Exchange(expr, amount, total, None))
            self.visit(expr.args[0], Amount(Place(total, (), total.type), _real_type(expr)), ())
            return
        assert self.c.way is not None
        way = self.c.way(expr)
        out = Sym("back" if way.kind != "one" else "total", _real_type(expr), span=expr.span)
        self.items.append(Exchange(expr, amount, out, way))
        place = Place(out, (), out.type)
        inside: tuple[Guard, ...] = () if way.guard is None else ((way.guard, True),)
        self.visit(expr.args[1], Amount(place, _real_type(expr)), inside)

    def invoke(self, expr: Call, amount: Amount, guards: tuple[Guard, ...]) -> None:
        active = tuple(k for k in sorted(self.c.smooth(expr)) if self.count(expr.args[k]))
        if len(active) == 1:
            argument = expr.args[active[0]]
            if (partial := self.c.by_result(expr, active[0])) is not None:
                value: Expr | None = self.result(expr)
                if value is None:
                    value = self.bound(expr, guards)
                own = partial(value)
                for factor in own.factors:
                    amount = amount.times(factor)
                for divisor in own.divisors:
                    amount = amount.over(divisor)
                self.visit(argument, amount.negated() if own.negative else amount, guards)
                return
            others = (by_operation(argument),)
            sym = Sym(adjoint_name(argument), _real_type(argument), span=argument.span, otherwise=others)
            self.items.append(Invoke(expr, active, amount, (sym,), guards))
            self.visit(argument, Amount(Place(sym, (), sym.type), _real_type(expr)), guards)
            return
        outs: list[Sym | Place] = []
        later: list[tuple[Expr, Sym]] = []
        used: set[Sym] = set()
        for k in active:
            arg = expr.args[k]
            if isinstance(arg, Place) and not arg.index and arg.sym not in used:
                outs.append(arg)
                used.add(arg.sym)
            else:
                parameter = self.c.parameter(expr, k)
                longer = (f"adj_{self.c.into}_{parameter}",) if self.c.into else ()
                sym = Sym(f"adj_{parameter}", _real_type(arg), span=arg.span, otherwise=longer)
                outs.append(sym)
                later.append((arg, sym))
        self.items.append(Invoke(expr, active, amount, tuple(outs), guards))
        for arg, sym in later:
            self.visit(arg, Amount(Place(sym, (), sym.type), _real_type(arg)), guards)


_NEG = "d(-u)/du = -1"
_PRODUCT = "d(u * v)/du = v", "d(u * v)/dv = u"
_QUOTIENT = "d(u / v)/du = 1 / v", "d(u / v)/dv = -(u / v) / v"
_POWER = "d(u^n)/du = n * u^(n - 1)"
_EXP = "d exp(u)/du = exp(u)"


def _real_type(expr: Expr) -> Scalar:
    return wide(scalar_type(expr))


def logistic(expr: Expr) -> Call | None:
    """The exponential in `1 + exp(u)`."""
    match unconverted(expr):
        case Binary("+", one, other) if is_const(one, 1.0):
            exp = unconverted(other)
        case Binary("+", other, one) if is_const(one, 1.0):
            exp = unconverted(other)
        case _:
            return None
    return exp if isinstance(exp, Call) and exp.rule == "exp" else None


def reads(items: Iterable[Item]) -> list[Expr]:
    """Every primal expression that the items evaluate, seeds excluded."""
    out: list[Expr] = []

    def amount(a: Amount) -> None:
        out.extend(a.factors)
        out.extend(a.divisors)

    for item in items:
        out.extend(cond for cond, _ in item.guards)
        match item:
            case Bind():
                amount(item.amount)
            case Add():
                amount(item.amount)
                out.extend(item.place.index)
            case Invoke():
                amount(item.seed)
                out.extend(item.call.args)
            case Exchange():
                amount(item.seed)
                out.extend([] if item.way is None else item.way.reads())
            case _:
                assert_never(item)
    return out
