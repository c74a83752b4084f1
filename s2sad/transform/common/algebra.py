"""Products of partials and seeds, kept in a form that a person would write.

An Amount is ±(factors · seed) / divisors. It becomes an expression only at the
end, so that no `* 1`, no `+ -` and no `(g / x) / x` is ever built.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal

from ...decimals import decimal
from ...ir import (
    DOUBLE,
    FLOAT,
    INT,
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
    Type,
    Unary,
    is_floating,
)


def real(value: float, type_: Type) -> Const:
    """A literal of a floating type."""
    assert isinstance(type_, Scalar)
    return Const(float(value), type_)


SHORT = 6
"""Digits of a number that float and double hold exactly as it is written."""


def written(literal: Const) -> Decimal:
    """The number as it is written: 0.1, not the nearest float."""
    spelled = (literal.spelling or "").rstrip("fF")
    if re.fullmatch(r"(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", spelled):
        return Decimal(spelled)
    rounded = literal.type.is_float and literal.origin != "tool"
    return Decimal(decimal(float(literal.value), literal.type.size if rounded else DOUBLE.size))


def digits(number: Decimal) -> int:
    """How many digits a number is written with, without zeros around them."""
    return len(number.normalize().as_tuple().digits)


def exact_product(one: Const, other: Const) -> float | None:
    """The product of two literals if it has at most six digits, so that float and double agree; else None."""
    product = written(one) * written(other)
    return float(product) if digits(product) <= SHORT else None


def is_const(expr: Expr, value: float) -> bool:
    match expr:
        case Const(v):
            return not isinstance(v, bool) and v == value
        case Cast(arg, Scalar(kind="float")) if value in (0.0, 1.0, -1.0):
            return is_const(arg, value)
        case Cast(arg, _, True):
            return is_const(arg, value)
        case Unary("-", arg):
            return is_const(arg, -value)
        case _:
            return False


@dataclass(frozen=True)
class Amount:
    """±(factors · seed) / divisors. Without a seed: a coefficient."""

    seed: Expr | None
    type: Scalar
    factors: tuple[Expr, ...] = ()
    divisors: tuple[Expr, ...] = ()
    negative: bool = False

    @property
    def plain(self) -> bool:
        """Whether it is the seed alone, not negated."""
        return not self.factors and not self.divisors and not self.negative

    @property
    def bare(self) -> bool:
        """Whether it is the seed, possibly negated."""
        return not self.factors and not self.divisors

    def negated(self) -> Amount:
        return replace(self, negative=not self.negative)

    def times(self, factor: Expr) -> Amount:
        """This amount times an expression; ones are dropped, signs and quotients are factored out."""
        if is_const(factor, 1.0):
            return self
        if is_const(factor, -1.0):
            return self.negated()
        match factor:
            case Unary("-", arg):
                return self.times(arg).negated()
            case Unary("+", arg):
                return self.times(arg)
            case Binary("/", top, bottom) if isinstance(factor.type, Scalar) and factor.type.is_float:
                if factor.spelling is None and factor.origin == "tool":
                    return self.times(top).over(bottom)
            case Binary("*", left, right) if factor.spelling is None and factor.origin == "tool":
                return self.times(left).times(right)
        if isinstance(factor, Const):
            folded = self._folded(factor)
            if folded is not None:
                return folded
        return replace(self, factors=(*self.factors, factor), type=wider(self.type, factor.type))

    def _folded(self, factor: Const) -> Amount | None:
        """Multiply into an existing literal factor, unless both are the author's or one has a name."""
        for k, other in enumerate(self.factors):
            if not isinstance(other, Const) or other.named or factor.named:
                continue
            if other.origin != "tool" and factor.origin != "tool":
                continue
            value = exact_product(other, factor)
            if value is None:
                continue
            rest = replace(self, factors=(*self.factors[:k], *self.factors[k + 1 :]))
            if value == 1.0:
                return rest
            const = real(value, wider(_scalar(other.type), factor.type))
            return replace(rest, factors=(*self.factors[:k], const, *self.factors[k + 1 :]))
        return None

    def over(self, divisor: Expr) -> Amount:
        return replace(self, divisors=(*self.divisors, divisor), type=wider(self.type, divisor.type))

    def magnitude(self) -> Expr:
        """The expression without its sign."""
        consts = [f for f in self.factors if isinstance(f, Const)]
        rest = [f for f in self.factors if not isinstance(f, Const)]
        parts: list[Expr] = [*consts, *rest]
        if self.seed is not None:
            parts.append(self.seed)
        if not parts:
            parts.append(real(1.0, self.type))
        value = parts[0]
        for part in parts[1:]:
            value = multiply(value, part)
        for divisor in self.divisors:
            value = divide(value, divisor)
        return value

    def expr(self) -> Expr:
        value = self.magnitude()
        return Unary("-", value, value.type) if self.negative else value


def _scalar(type_: Type) -> Scalar:
    assert isinstance(type_, Scalar)
    return type_


def wider(left: Type, right: Type) -> Scalar:
    """The type of an arithmetic operation on two floating operands (an integer operand is ignored)."""
    a, b = _scalar(left), _scalar(right)
    if not b.is_float:
        return a
    if not a.is_float:
        return b
    return DOUBLE if DOUBLE in (a, b) else FLOAT


def converted(expr: Expr, type_: Type) -> Expr:
    """`expr`, implicitly converted to a type if its own type differs."""
    return expr if expr.type == type_ else Cast(expr, type_, implicit=True)


def _operation(op: str, left: Expr, right: Expr) -> Expr:
    type_ = wider(left.type, right.type)
    return Binary(op, converted(left, type_), converted(right, type_), type_)


def multiply(left: Expr, right: Expr) -> Expr:
    return _operation("*", left, right)


def divide(left: Expr, right: Expr) -> Expr:
    return _operation("/", left, right)


def add(left: Expr, right: Expr) -> Expr:
    return _operation("+", left, right)


def subtract(left: Expr, right: Expr) -> Expr:
    return _operation("-", left, right)


def signed_sum(terms: list[tuple[Expr, bool]]) -> tuple[Expr, bool]:
    """The sum of (term, is negative) pairs, and whether the whole sum is negative (all terms are)."""
    positive = [t for t, n in terms if not n]
    negative = [t for t, n in terms if n]
    if not positive:
        total = negative[0]
        for t in negative[1:]:
            total = add(total, t)
        return total, True
    total = positive[0]
    for t in positive[1:]:
        total = add(total, t)
    for t in negative:
        total = subtract(total, t)
    return total, False


def shifted(expr: Expr, by: int) -> Expr:
    """An integer expression plus a constant, folded into an existing constant term if that has no name."""
    kind = _scalar(expr.type)
    if by == 0:
        return expr
    match expr:
        case Const(value, _) if expr.macro is None and (expr.spelling or "0").isdigit():
            return Const(int(value) + by, kind)
        case Binary("+" | "-" as op, left, Const(value) as right) if (
            expr.macro is None and not right.named and left.type == kind
        ):
            total = (int(value) if op == "+" else -int(value)) + by
            if total == 0:
                return left
            return Binary("+" if total > 0 else "-", left, Const(abs(total), kind), kind)
        case Cast(arg, _, True) if isinstance(arg.type, Scalar) and arg.type.kind == kind.kind == "signed":
            if arg.type.size >= INT.size:
                return Cast(shifted(arg, by), kind, implicit=True)
    return Binary("+" if by > 0 else "-", expr, Const(abs(by), kind), kind)


def without_conversions(expr: Expr) -> Expr:
    """An expression without implicit conversions, as an author writes it."""
    return rewrite(expr, lambda e: without_conversions(e.arg) if isinstance(e, Cast) and e.implicit else None)


def rewrite(expr: Expr, change: Callable[[Expr], Expr | None]) -> Expr:
    """Rebuild an expression, replacing each node for which `change` returns one, outermost first.

    A node whose operands changed loses its spelling and macro name; literals keep theirs.
    """
    new = change(expr)
    if new is not None:
        return new
    match expr:
        case Const() | Special():
            return expr
        case Place():
            index = tuple(rewrite(e, change) for e in expr.index)
            return expr if _same(index, expr.index) else replace(expr, index=index, spelling=None)
        case Unary() | Cast():
            arg = rewrite(expr.arg, change)
            return expr if arg is expr.arg else replace(expr, arg=arg, spelling=None, macro=None)
        case Binary():
            left, right = rewrite(expr.left, change), rewrite(expr.right, change)
            if left is expr.left and right is expr.right:
                return expr
            return replace(expr, left=left, right=right, spelling=None, macro=None)
        case Select():
            cond, then = rewrite(expr.cond, change), rewrite(expr.then, change)
            other = rewrite(expr.other, change)
            if cond is expr.cond and then is expr.then and other is expr.other:
                return expr
            return replace(expr, cond=cond, then=then, other=other, spelling=None, macro=None)
        case Call():
            args = tuple(rewrite(e, change) for e in expr.args)
            return expr if _same(args, expr.args) else replace(expr, args=args, spelling=None, macro=None)
        case AddressOf():
            place = rewrite(expr.place, change)
            assert isinstance(place, Place)
            return expr if place is expr.place else replace(expr, place=place)


def _same(new: tuple[Expr, ...], old: tuple[Expr, ...]) -> bool:
    return all(a is b for a, b in zip(new, old, strict=True))


def factors_of(expr: Expr) -> list[Expr]:
    """The factors of a product, in order."""
    if isinstance(expr, Binary) and expr.op == "*" and expr.macro is None:
        return [*factors_of(expr.left), *factors_of(expr.right)]
    return [expr]


def signed_terms(expr: Expr, negative: bool = False) -> Iterator[tuple[Expr, bool]]:
    """Yield the terms of a sum as far as the tool made it, in order, and whether each is subtracted."""
    ours = expr.origin == "tool" and expr.spelling is None and expr.macro is None
    match expr:
        case Binary("+" | "-" as op, left, right) if (
            ours and is_floating(expr) and left.type == right.type == expr.type
        ):
            yield from signed_terms(left, negative)
            yield from signed_terms(right, negative != (op == "-"))
        case Unary("-", arg) if ours:
            yield from signed_terms(arg, not negative)
        case _:
            yield expr, negative


def repeats(expr: Expr) -> bool:
    """Whether a product has a repeated factor that isn't a literal."""
    factors = [f for f in factors_of(expr) if not isinstance(f, Const)]
    return any(f in factors[k + 1 :] for k, f in enumerate(factors))
