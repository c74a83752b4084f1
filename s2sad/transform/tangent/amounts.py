"""Sums, products and choices of tangents, which keep their factors apart until they are written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from ...analysis.activity import is_real
from ...ir import Cast, Const, Expr, Select, Unary, scalar_type
from ..common.algebra import Amount, factors_of, is_const, real, signed_sum


def amount(tangent: Expr) -> Amount:
    """A tangent as an amount, which keeps its factors apart until it is written."""
    return Amount(tangent, scalar_type(tangent))


def negated(tangent: Amount | None) -> Amount | None:
    return tangent and tangent.negated()


def cast(like: Cast, tangent: Amount | None) -> Amount | None:
    if tangent is None:
        return None
    whole = replace(like, arg=tangent.magnitude(), spelling=None, macro=None, origin="tool")
    return replace(amount(whole), negative=tangent.negative)


def total(*terms: Amount | None) -> Amount | None:
    """The sum of the terms; two choices by one condition become one."""
    found = [term for term in terms if term is not None]
    if len(found) < 2:
        return found[0] if found else None
    if len(found) == 2 and found[0] == found[1]:
        return found[0].times(real(2.0, found[0].type))
    seeds = [term.seed for term in found if term.bare]
    if len(found) == len(seeds) == 2:
        match seeds:
            case [Select(cond, then, other), Select(again, then_2, other_2)] if cond == again:
                one, two = (term.negative for term in found)
                first = _either(_side(then, one), _side(then_2, two))
                second = _either(_side(other, one), _side(other_2, two))
                if first is not None and second is not None:
                    return choice(cond, first, second)
    if (scale := _shared_scale(found)) is not None:
        inner = total(*(_without(term, scale) for term in found))
        return inner and inner.times(scale)
    whole, negative = signed_sum([(term.magnitude(), term.negative) for term in found])
    return replace(amount(whole), negative=negative)


def product_rule(*terms: Amount | None) -> Amount | None:
    """The sum of the terms of one product's tangent: what the product rule repeats is written once.

    u * b * c * tan_a + u * a * c * tan_b     ->     u * c * (b * tan_a + a * tan_b)
    """
    found = [replace(term, factors=_flat(term.factors)) for term in terms if term is not None]
    if len(found) < 2:
        return total(*terms)
    shared: list[Expr] = []
    for factor in found[0].factors:
        if all(factor in term.factors for term in found):
            shared.append(factor)
            found = [_less(term, factor) for term in found]
    return times(total(*found), *shared) if shared else total(*terms)


def _flat(factors: Iterable[Expr]) -> tuple[Expr, ...]:
    """The factors, those of the author's products one by one."""
    return tuple(
        part for factor in factors for part in (factors_of(factor) if is_real(factor.type) else (factor,))
    )


def _less(term: Amount, factor: Expr) -> Amount:
    """A term without one of its factors."""
    at = term.factors.index(factor)
    return replace(term, factors=(*term.factors[:at], *term.factors[at + 1 :]))


def _scales(term: Amount) -> list[Const]:
    """The factors of a term that partials brought: the author's own numbers stay where they are."""
    return [f for f in term.factors if isinstance(f, Const) and not f.named and f.origin == "tool"]


def _shared_scale(terms: Sequence[Amount]) -> Const | None:
    """The number that each term is scaled by: the 2 of the tangents of a sum of squares."""
    first, *others = ({(f.value, f.type): f for f in _scales(term)} for term in terms)
    return next((f for key, f in first.items() if all(key in other for other in others)), None)


def _without(term: Amount, scale: Const) -> Amount:
    """A term without that factor, which it has."""
    at = next(k for k, f in enumerate(term.factors) if f == scale and f in _scales(term))
    return replace(term, factors=(*term.factors[:at], *term.factors[at + 1 :]))


def _side(expr: Expr, negative: bool) -> Amount | None:
    return None if is_const(expr, 0.0) else replace(amount(expr), negative=negative)


def _either(one: Amount | None, two: Amount | None) -> Amount | None:
    return two if one is None else one if two is None else None


def times(tangent: Amount | None, *factors: Expr) -> Amount | None:
    """A tangent times factors, which are written first."""
    for factor in factors:
        tangent = tangent and tangent.times(factor)
    return tangent


def scaled(factor: Expr, tangent: Amount) -> Amount | None:
    """A partial times a tangent; a partial that is a choice chooses between the products."""
    match factor:
        case Select(cond, then, other):
            return choice(cond, scaled(then, tangent), scaled(other, tangent))
        case _ if is_const(factor, 0.0):
            return None
        case _:
            return tangent.times(factor)


def choice(cond: Expr, then: Amount | None, other: Amount | None) -> Amount | None:
    known = then or other
    if known is None or then == other:
        return known
    sign = then is None or other is None or then.negative == other.negative
    negative = known.negative and sign and not _is_choice(then, other)
    zero = real(0.0, known.type)
    one, two = (zero if side is None else _signed(side, negative) for side in (then, other))
    return replace(amount(Select(cond, one, two, one.type)), negative=negative)


def _is_choice(*sides: Amount | None) -> bool:
    """Whether a side is zero or a choice: then signs stay inside."""
    return any(side is None or isinstance(side.seed, Select) for side in sides)


def _signed(side: Amount, negative: bool) -> Expr:
    """The side of a choice whose sign is taken out if `negative`; that of a choice goes to its sides."""
    whole = side.magnitude()
    if side.negative == negative:
        return whole
    if isinstance(whole, Select):
        sides = [e if is_const(e, 0.0) else Unary("-", e, e.type) for e in (whole.then, whole.other)]
        return replace(whole, then=sides[0], other=sides[1])
    return Unary("-", whole, whole.type)
