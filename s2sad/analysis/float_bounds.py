"""Intervals of floating-point values, and what the operations of C make of them.

    [0.01, inf] * [0, 2]  ->  [0, inf]        1e-30f * 1e-30f  ->  [0, 1.2e-38f]: it may underflow

A value is in its interval, ends included, or it is not a number; an interval whose values certainly
are numbers says so. A compiler may contract a product and a sum, divide by a reciprocal and flush
subnormal results to zero. So an end is the exact result if the type holds that, and is otherwise
moved outwards by more than these can change; between zero and the least normal number it is zero.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

from ..ir import BFLOAT16, DOUBLE, Scalar

INFINITY = math.inf
_SLACK = 4
"""How many of a type's bits an approximate function or a rewritten expression may get wrong."""


@dataclass(frozen=True)
class Bounds:
    """An interval. `number`: the value isn't NaN; `nonzero`: nor is it zero, even if that is inside."""

    low: float = -INFINITY
    high: float = INFINITY
    number: bool = False
    nonzero: bool = False

    @property
    def has_zero(self) -> bool:
        return self.low <= 0.0 <= self.high and not self.nonzero

    @property
    def finite(self) -> bool:
        return self.low > -INFINITY and self.high < INFINITY


UNKNOWN = Bounds()
Operation = Callable[[Bounds, Bounds, Scalar], Bounds]


def joined(one: Bounds, other: Bounds) -> Bounds:
    """Return the interval of a value that is in one of two."""
    return Bounds(
        min(one.low, other.low),
        max(one.high, other.high),
        one.number and other.number,
        not one.has_zero and not other.has_zero,
    )


def met(one: Bounds, other: Bounds) -> Bounds:
    """Return the interval of a value that is in both of two; where there is none, that of the first."""
    low, high = max(one.low, other.low), min(one.high, other.high)
    if low > high:
        return one  # the place isn't reached
    return Bounds(low, high, one.number or other.number, one.nonzero or other.nonzero)


def exactly(value: float, kind: Scalar) -> Bounds:
    """Return the interval of a literal, which its type may not hold exactly."""
    if math.isnan(value):
        return UNKNOWN
    if math.isinf(value) or not kind.is_float:
        return Bounds(value, value, True)
    exact = Fraction(value)
    return Bounds(_down(exact, kind), _up(exact, kind), True)


def integers(low: int, high: int) -> Bounds:
    """Return the interval of an integer converted to a floating type."""
    return Bounds(_down(Fraction(low), DOUBLE), _up(Fraction(high), DOUBLE), True)


def negated(value: Bounds) -> Bounds:
    return replace(value, low=-value.high, high=-value.low)


def magnitude(value: Bounds) -> Bounds:
    """Return the interval of the absolute value."""
    if value.low >= 0.0:
        return value
    if value.high <= 0.0:
        return negated(value)
    return replace(value, low=0.0, high=max(-value.low, value.high))


def converted(value: Bounds, kind: Scalar) -> Bounds:
    """Return the interval of a value converted to a floating type."""
    low = value.low if math.isinf(value.low) else _down(Fraction(value.low), kind)
    high = value.high if math.isinf(value.high) else _up(Fraction(value.high), kind)
    return Bounds(low, high, value.number)


def added(one: Bounds, other: Bounds, kind: Scalar) -> Bounds:
    number = one.number and other.number
    if one.high == INFINITY and other.low == -INFINITY:
        number = False
    if one.low == -INFINITY and other.high == INFINITY:
        number = False
    low, high = -INFINITY, INFINITY
    if one.low > -INFINITY and other.low > -INFINITY:
        low = _of(one.low, other.low, _sum, kind, _down)
    if one.high < INFINITY and other.high < INFINITY:
        high = _of(one.high, other.high, _sum, kind, _up)
    return Bounds(low, high, number)


def subtracted(one: Bounds, other: Bounds, kind: Scalar) -> Bounds:
    return added(one, negated(other), kind)


def multiplied(one: Bounds, other: Bounds, kind: Scalar) -> Bounds:
    ends = [(a, b) for a in (one.low, one.high) for b in (other.low, other.high)]
    low = min(_of(a, b, _product, kind, _down) for a, b in ends)
    high = max(_of(a, b, _product, kind, _up) for a, b in ends)
    number = one.number and other.number
    if not (one.finite and other.finite) and (one.has_zero or other.has_zero):
        number = False  # zero times infinity
    return Bounds(low, high, number)


def squared(value: Bounds, kind: Scalar) -> Bounds:
    size = magnitude(value)
    return replace(multiplied(size, size, kind), number=value.number)


def divided(one: Bounds, other: Bounds, kind: Scalar) -> Bounds:
    """Return the interval of a quotient; a divisor that may be zero may have either sign."""
    if other.low <= 0.0 <= other.high:
        return UNKNOWN
    ends = [(a, b) for a in (one.low, one.high) for b in (other.low, other.high)]
    low = min(_of(a, b, _quotient, kind, _down) for a, b in ends)
    high = max(_of(a, b, _quotient, kind, _up) for a, b in ends)
    return Bounds(low, high, one.number and other.number and (one.finite or other.finite))


def greatest(one: Bounds, other: Bounds, _: Scalar) -> Bounds:
    """Return the interval of `fmax`: of a number and NaN it is the number."""
    numbers = [value.low for value in (one, other) if value.number]
    low = max(numbers) if numbers else min(one.low, other.low)
    return Bounds(low, max(one.high, other.high), bool(numbers))


def least(one: Bounds, other: Bounds, kind: Scalar) -> Bounds:
    """Return the interval of `fmin`."""
    return negated(greatest(negated(one), negated(other), kind))


def root(value: Bounds, kind: Scalar) -> Bounds:
    """Return the interval of a square root: NaN if the argument is negative."""
    return Bounds(
        inwards(math.sqrt(max(value.low, 0.0)), kind),
        outwards(math.sqrt(max(value.high, 0.0)), kind),
        value.number and value.low >= 0.0,
        value.nonzero or value.low > 0.0,
    )


def length(parts: list[Bounds], kind: Scalar) -> Bounds:
    """Return the interval of the root of a sum of squares, computed without underflow."""
    low = max(magnitude(part).low for part in parts)
    return Bounds(max(0.0, inwards(low, kind)), INFINITY, all(part.number for part in parts))


def inwards(value: float, kind: Scalar) -> float:
    """Return a positive number a little less than a given one, for a function that isn't exact."""
    return value if math.isinf(value) or not value else _widened(Fraction(value), kind)


def outwards(value: float, kind: Scalar) -> float:
    """Return a positive number a little more than a given one."""
    return value if math.isinf(value) or not value else -_widened(-Fraction(value), kind)


def beyond(value: float, kind: Scalar) -> float:
    """Return a bound of all greater numbers: the type's next number, if it holds the given one."""
    digits, least_, _, _ = _format(kind)
    if math.isinf(value) or not _holds(value, kind):
        return value
    if value == 0.0:
        return least_
    mantissa, exponent = math.frexp(value)
    step = max(math.ldexp(1.0, exponent - digits), least_)
    if mantissa == -0.5:
        step = max(step / 2, least_)  # numbers are closer together below a power of two
    return value + step


def least_positive(kind: Scalar) -> float:
    return _format(kind)[1]


# ---- rounding ------------------------------------------------------------------


def _format(kind: Scalar) -> tuple[int, float, float, float]:
    """Return a type's digits, its least number, its least normal one, and its greatest."""
    if kind == BFLOAT16:
        return 8, math.ldexp(1.0, -133), math.ldexp(1.0, -126), math.ldexp(255.0, 120)
    if kind.size == 2:
        return 11, math.ldexp(1.0, -24), math.ldexp(1.0, -14), 65504.0
    if kind.size == 4:
        return 24, math.ldexp(1.0, -149), math.ldexp(1.0, -126), math.ldexp(2.0**24 - 1, 104)
    return 53, math.ldexp(1.0, -1074), math.ldexp(1.0, -1022), math.ldexp(2.0**53 - 1, 971)


def _holds(value: float, kind: Scalar) -> bool:
    digits, least_, normal, most = _format(kind)
    if abs(value) < normal:
        return (value / least_).is_integer()
    return math.ldexp(math.frexp(value)[0], digits).is_integer() and abs(value) <= most


def _down(exact: Fraction, kind: Scalar) -> float:
    """Round an end down: exactly if the type holds it."""
    _, _, normal, most = _format(kind)
    if exact > Fraction(most):
        return most
    if exact < -Fraction(most):
        return -INFINITY
    near = float(exact)
    if Fraction(near) == exact and _holds(near, kind) and (not near or abs(near) >= normal):
        return near
    return _widened(exact, kind)


def _up(exact: Fraction, kind: Scalar) -> float:
    return -_down(-exact, kind)


def _widened(exact: Fraction, kind: Scalar) -> float:
    digits, _, normal, most = _format(kind)
    moved = exact - abs(exact) / 2 ** (digits - _SLACK)
    if moved < -Fraction(most):
        return -INFINITY
    if abs(moved) < Fraction(normal):
        return 0.0 if exact >= 0 else -normal
    return float(moved)


def _sum(a: Fraction, b: Fraction) -> Fraction:
    return a + b


def _product(a: Fraction, b: Fraction) -> Fraction:
    return a * b


def _quotient(a: Fraction, b: Fraction) -> Fraction:
    return a / b


def _of(
    a: float,
    b: float,
    exact: Callable[[Fraction, Fraction], Fraction],
    kind: Scalar,
    rounded: Callable[[Fraction, Scalar], float],
) -> float:
    """Compute an end from two; zero times infinity is no value, and as an end is zero."""
    if math.isfinite(a) and math.isfinite(b):
        subnormal = exact is _sum and 0.0 < abs(a + b) < _format(kind)[2] and _holds(a + b, kind)
        return a + b if subnormal else rounded(exact(Fraction(a), Fraction(b)), kind)
    if exact is _quotient:
        if math.isinf(b):
            return 0.0 if math.isfinite(a) else math.copysign(INFINITY, a) * math.copysign(1.0, b)
        return math.copysign(INFINITY, a) * math.copysign(1.0, b)
    if a == 0.0 or b == 0.0:
        return 0.0
    return a * b
