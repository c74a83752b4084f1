"""The tangent of an expression, from its operands to its root.

    w * sinf(s)     ->     tan_w * sin_s + w * (cosf(s) * tan_s)          with sin_s = sinf(s)

Each operator multiplies the tangents of its operands by its partials, which are the rule table's. A
value that both the primal and its tangent need and that costs more than a load gets a name, and the
primal's expression then uses it: `Walk.before` has these declarations, to be made before the statement.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ...analysis.activity import is_real
from ...analysis.float_ranges import FloatRanges
from ...ir import (
    BOOL,
    AddressOf,
    Assign,
    Binary,
    Body,
    Call,
    Cast,
    Const,
    Declare,
    Expr,
    If,
    Place,
    Pointer,
    Select,
    Stmt,
    Sym,
    Unary,
    scalar_type,
    unconverted,
    walk,
)
from ...rules import Partial, Rule, Table, instantiate, singular
from ..common.adjoint_names import by_operation
from ..common.algebra import Amount, factors_of, is_const, real, repeats, rewrite
from ..plan.partials import logistic
from ..plan.singular_points import Guard
from . import amounts
from .amounts import amount, negated


@dataclass(frozen=True)
class Dual:
    """An expression and its tangent; None where it has none."""

    value: Expr
    tangent: Amount | None = None

    @property
    def signed(self) -> Expr | None:
        """The tangent as an expression."""
        return None if self.tangent is None else self.tangent.expr()


@dataclass
class Context:
    """What the tangents of a function's statements are made from.

    `tangents` are the variables of the tangents. `active` says whether an expression has one. `called`
    makes the call of a device function's tangent from the call and its arguments; it sets the place given
    to the value's tangent, or, without a place, the value has none. `writes`
    says whether a call may change something that has a tangent. `linear` are the variables of an adjoint that
    its seeds change, if the function is one.
    """

    table: Table
    tangents: Mapping[Sym, Sym]
    active: Callable[[Expr], bool]
    called: Callable[[Call, Sequence[Dual], Place | None], Call]
    writes: Callable[[Call], bool]
    kinks: list[str] = field(default_factory=list)
    linear: Container[Sym] = frozenset()

    def of(self, place: Place) -> Place:
        """The tangent of a variable or an element."""
        return replace(place, sym=self.tangents[place.sym], spelling=None, macro=None, origin="tool")


@dataclass
class Walk:
    """One walk over an expression. `after` stands for the value of `root` once its statement has run."""

    c: Context
    branches: Sequence[Guard] = ()
    root: Expr | None = None
    after: Sym | None = None
    before: list[Stmt] = field(default_factory=list)
    used: bool = False  # whether the tangent refers to `after`

    def visit(self, expr: Expr) -> Dual:
        if _not_a_number(expr):
            return Dual(expr, amount(expr))  # what marks a result as unusable marks its tangent, too
        if not self.c.active(expr):
            return Dual(expr)
        match expr:
            case Place():
                return Dual(expr, amount(self.c.of(expr)))
            case Unary(op, arg):
                inner = self.visit(arg)
                return Dual(_of(expr, inner), negated(inner.tangent) if op == "-" else inner.tangent)
            case Cast(arg):
                inner = self.visit(arg)
                return Dual(_of(expr, inner), amounts.cast(expr, inner.tangent))
            case Binary():
                return self.binary(expr)
            case Select():
                return self.select(expr)
            case Call():
                rule = self.c.table.of(expr)
                return self.function(expr) if rule is None else self.call(expr, rule)
            case _:
                raise AssertionError(expr)

    # ---- names ---------------------------------------------------------------

    def named(self, expr: Expr, stem: str = "") -> Place:
        """Declare a variable for a value that the primal and its tangent both need."""
        sym = Sym(stem or by_operation(expr, "") or "value", scalar_type(expr), const=True)
        self.before.append(Declare(sym, expr))
        return Place(sym, (), sym.type)

    def shared(self, dual: Dual) -> Dual:
        """Name a value that is about to be used twice, if it costs more than a load."""
        if isinstance(dual.value, Place | Const) or not expensive(dual.value):
            return dual
        return replace(dual, value=self.named(dual.value))

    def result(self, expr: Expr, value: Expr) -> Place:
        """The value of an operation as a variable: the statement's own if it is all that it stores."""
        if self.after is not None and expr is self.root:
            self.used = True
            return Place(self.after, (), self.after.type)
        return self.named(value)

    # ---- operators -----------------------------------------------------------

    def binary(self, expr: Binary) -> Dual:
        if expr.op == "*" and repeats(expr):
            return self.powers(expr)
        left, right = self.visit(expr.left), self.visit(expr.right)
        if expr.op == "*":
            left = self.shared(left) if right.tangent else left
            right = self.shared(right) if left.tangent else right
        if expr.op == "/" and left.tangent:
            right = self.shared(right)
        value: Expr = expr
        if left.value is not expr.left or right.value is not expr.right:
            value = replace(expr, left=left.value, right=right.value, spelling=None, macro=None)
        match expr.op:
            case "+":
                return Dual(value, amounts.total(left.tangent, right.tangent))
            case "-":
                return Dual(value, amounts.total(left.tangent, negated(right.tangent)))
            case "*":
                terms = (amounts.times(left.tangent, right.value), amounts.times(right.tangent, left.value))
                return Dual(value, amounts.product_rule(*terms))
            case "/":
                return self.quotient(expr, value, left, right)
            case _:
                raise AssertionError(expr.op)

    def quotient(self, expr: Binary, value: Expr, left: Dual, right: Dual) -> Dual:
        if right.tangent is None:
            return Dual(value, left.tangent and left.tangent.over(right.value))
        if left.tangent is None and is_const(unconverted(left.value), 0.0):
            return Dual(value)  # 0 / y, whatever y is
        ratio = self.result(expr, value)
        value = value if self.used and ratio.sym is self.after else ratio
        exponential = logistic(expr.right) if left.tangent is None else None
        if exponential is not None and isinstance(unconverted(expr.left), Const):
            # r = c / (1 + e^u): its partial r r e^u / c is r (1 - r / c), which can't be 0 * inf.
            share = ratio if is_const(expr.left, 1.0) else Binary("/", ratio, expr.left, ratio.type)
            rest = Binary("-", real(1.0, ratio.type), share, ratio.type)
            inner = self.visit(exponential.args[0])
            return Dual(value, negated(amounts.times(inner.tangent, ratio, rest)))
        if left.tangent is None and is_const(unconverted(expr.left), 1.0):
            return Dual(value, negated(amounts.times(right.tangent, ratio, ratio)))
        top = amounts.total(left.tangent, negated(amounts.times(right.tangent, ratio)))
        return Dual(value, top and top.over(right.value))

    def powers(self, expr: Binary) -> Dual:
        """A product with a repeated factor: the tangent of c x^m is m c x^(m-1) tan_x."""
        factors = factors_of(expr)
        duals = {factor: self.shared(self.visit(factor)) for factor in dict.fromkeys(factors)}
        terms: list[Amount | None] = []
        for factor, dual in duals.items():
            rest = list(factors)
            rest.remove(factor)
            times = factors.count(factor)
            many = () if times == 1 else (real(float(times), factor.type),)
            terms.append(amounts.times(dual.tangent, *many, *(duals[other].value for other in rest)))
        new = {factor: dual.value for factor, dual in duals.items() if dual.value is not factor}
        value = rewrite(expr, new.get) if new else expr
        return Dual(value, amounts.product_rule(*terms))

    def widened(self, cond: Expr) -> Expr:
        """A condition that skips what contributes nothing to an adjoint, and nothing to its tangent either.

        if (g != 0.0f)     ->     if (g != 0.0f || tan_g != 0.0f)
        """
        match cond:
            case Binary("&&" | "||", left, right):
                one, two = self.widened(left), self.widened(right)
                return cond if one is left and two is right else Binary(cond.op, one, two, cond.type)
            case Binary("!=" | "==" as op, left, right) if is_const(right, 0.0) and self.skips(left):
                slope = self.visit(left).signed
                assert slope is not None
                more = Binary(op, slope, right, cond.type)
                return Binary("||" if op == "!=" else "&&", cond, more, cond.type)
            case _:
                return cond

    def skips(self, expr: Expr) -> bool:
        """Whether an adjoint's value is compared with zero."""
        return isinstance(expr, Place) and expr.sym in self.c.linear and self.c.active(expr)

    def select(self, expr: Select) -> Dual:
        """A choice; where an operand needs a value by name, it becomes an `if`."""
        wide = self.widened(expr.cond)
        sides = []
        for operand, taken in ((expr.then, True), (expr.other, False)):
            inner = Walk(self.c, (*self.branches, (expr.cond, taken)))
            sides.append((inner, inner.visit(operand)))
        (one, then), (two, other) = sides
        if one.before or two.before:
            return self.branch(expr, wide, one, then, two, other)
        value = expr
        if then.value is not expr.then or other.value is not expr.other:
            value = replace(expr, then=then.value, other=other.value, spelling=None, macro=None)
        return Dual(value, amounts.choice(wide, then.tangent, other.tangent))

    def branch(self, expr: Select, wide: Expr, one: Walk, then: Dual, two: Walk, other: Dual) -> Dual:
        """A choice as an `if`; under a widened condition, the value is still chosen by its own."""
        stem = by_operation(expr, "") or "chosen"
        sym, tangent = Sym(stem, scalar_type(expr)), Sym(f"tan_{stem}", scalar_type(expr))
        self.before += [Declare(sym), Declare(tangent)]
        if wide is not expr.cond and not two.before:
            own = Select(expr.cond, then.value, other.value, expr.type)
            then = replace(then, value=own)
        bodies: list[Body] = []
        for inner, dual in ((one, then), (two, other)):
            slope = Assign(Place(tangent, (), tangent.type), dual.signed or real(0.0, tangent.type))
            bodies.append((*inner.before, slope, Assign(Place(sym, (), sym.type), dual.value)))
        self.before.append(If(wide, bodies[0], bodies[1]))
        return Dual(Place(sym, (), sym.type), amount(Place(tangent, (), tangent.type)))

    # ---- calls ---------------------------------------------------------------

    def call(self, expr: Call, rule: Rule) -> Dual:
        if rule.exchange:
            return self.exchange(expr, rule)
        return self.by_rule(expr, rule.parameters, rule.partials)

    def exchange(self, expr: Call, rule: Rule) -> Dual:
        """A shuffle moves the tangent as it moves the value."""
        k = rule.parameters.index("x")
        inner = self.visit(expr.args[k])
        moved = inner.signed
        assert moved is not None
        value = expr if inner.value is expr.args[k] else _with(expr, k, inner.value)
        return Dual(value, amount(_with(expr, k, moved)))

    def by_rule(self, expr: Call, parameters: tuple[str, ...], partials: Mapping[str, Partial]) -> Dual:
        args = [Dual(arg) if isinstance(arg, AddressOf) else self.visit(arg) for arg in expr.args]
        smooth = [k for k, name in enumerate(parameters) if name in partials and args[k].tangent is not None]
        for k, name in enumerate(parameters):
            used = [partials[parameters[j]] for j in smooth]
            if any(name in one.repeated for one in used) and not isinstance(args[k].value, Place | Const):
                args[k] = replace(args[k], value=self.named(args[k].value))
            elif any(name in one.needs for one in used):
                args[k] = self.shared(args[k])
        value: Expr = expr
        if any(dual.value is not arg for dual, arg in zip(args, expr.args, strict=True)):
            value = replace(expr, args=tuple(dual.value for dual in args), spelling=None, macro=None)
        values = {name: dual.value for name, dual in zip(parameters, args, strict=False)}
        result = value
        if any(self.needs_result(expr, partials[parameters[k]], values) for k in smooth):
            result = self.result(expr, value)
            value = value if self.used and result.sym is self.after else result
        terms = [
            self.scaled(expr, k, partials[parameters[k]], values, result, args[k].tangent) for k in smooth
        ]
        return Dual(value, amounts.total(*terms))

    def of_output(self, expr: Call, rule: Rule, output: str, values: Mapping[str, Expr]) -> Expr | None:
        """The tangent of what a call writes to one of its outputs; `values` are its arguments and outputs."""
        terms = []
        for name, partial in rule.jacobian.get(output, {}).items():
            k = rule.parameters.index(name)
            inner = self.visit(values[name])
            if inner.tangent is not None:
                result = values.get("r", expr)
                terms.append(self.scaled(expr, k, partial, values, result, inner.tangent))
        return Dual(expr, amounts.total(*terms)).signed

    def needs_result(self, expr: Call, partial: Partial, values: Mapping[str, Expr]) -> bool:
        stand_in = Sym("r", scalar_type(expr))
        place = Place(stand_in, (), stand_in.type)
        return stand_in in instantiate(partial, values, place, scalar_type(expr), call=expr).symbols

    def scaled(
        self,
        expr: Call,
        position: int,
        partial: Partial,
        values: Mapping[str, Expr],
        result: Expr,
        tangent: Amount | None,
    ) -> Amount | None:
        """The partial by one argument times the argument's tangent, in the precision of that."""
        assert tangent is not None
        kind = tangent.type
        if partial.kink:
            self.note(f"{expr.name}: {partial.kink}")
        factor = instantiate(partial, values, result, kind, call=expr)
        infinite = singular(partial, values, result, kind, call=expr)
        if infinite is None or self.clear(expr, partial, values):
            return amounts.scaled(factor, tangent)
        self.note(f"{expr.name}: where its partial is infinite, a zero tangent contributes zero")
        if not tangent.bare or not isinstance(tangent.seed, Place):
            stem = by_operation(expr.args[position], "tan")
            tangent = replace(amount(self.named(tangent.magnitude(), stem)), negative=tangent.negative)
        assert tangent.seed is not None
        still = Binary("==", tangent.seed, real(0.0, tangent.type), BOOL)
        return amounts.choice(still, None, amounts.scaled(factor, tangent))

    def clear(self, expr: Call, partial: Partial, values: Mapping[str, Expr]) -> bool:
        """Whether the author's arguments are proved to stay clear of the partial's singular point."""
        rule = self.c.table.of(expr)
        assert rule is not None
        own = {**values, **dict(zip(rule.parameters, expr.args, strict=False))}
        infinite = singular(partial, own, expr, scalar_type(expr), call=expr)
        return infinite is None or FloatRanges().holds(None, infinite, self.branches) is False

    def note(self, text: str) -> None:
        if text not in self.c.kinks:
            self.c.kinks.append(text)

    def function(self, expr: Call) -> Dual:
        """A call of a device function: its tangent function returns the value and sets the tangent."""
        stem = by_operation(expr, "")
        sym, tangent = Sym(stem, scalar_type(expr), const=True), Sym(f"tan_{stem}", scalar_type(expr))
        place = Place(tangent, (), tangent.type)
        made = self.invoked(expr, place)
        self.before += [Declare(tangent), Declare(sym, made)]
        return Dual(Place(sym, (), sym.type), amount(place))

    def invoked(self, expr: Call, result: Place | None) -> Call:
        """The call of a device function's tangent, which sets the tangent of its value."""
        args = [Dual(arg) if isinstance(arg.type, Pointer) else self.visit(arg) for arg in expr.args]
        return self.c.called(expr, args, result)


def expensive(expr: Expr) -> bool:
    """Whether a value costs more than a load and some arithmetic."""
    return any(
        isinstance(e, Call) or (isinstance(e, Binary) and e.op == "/" and is_real(e.type)) for e in walk(expr)
    )


def _not_a_number(expr: Expr) -> bool:
    """Whether it is a literal NaN, as an adjoint stores where its launch isn't what it requires."""
    match expr:
        case Call(rule="nan"):
            return True
        case Const(float() as value):
            return math.isnan(value)
        case _:
            return False


def _of(expr: Unary | Cast, inner: Dual) -> Expr:
    """The same operation on the value of its operand."""
    return expr if inner.value is expr.arg else replace(expr, arg=inner.value, spelling=None, macro=None)


def _with(call: Call, position: int, arg: Expr) -> Call:
    args = (*call.args[:position], arg, *call.args[position + 1 :])
    return replace(call, args=args, spelling=None, macro=None)
