"""Where a zero adjoint needs no test at a function's singular point, since the adjoint isn't zero there.

y = v / sqrtf(s);      at s = 0 the root receives infinity or NaN, since its adjoint is divided by it
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...analysis.float_ranges import repeatable
from ...ir import Binary, Call, Cast, Expr, Unary, unconverted
from ..common.algebra import is_const

Guard = tuple[Expr, bool]
"""A condition and its required value."""
_ZERO_AT_ZERO = ("sqrt", "fabs", "cbrt")


def zeros(divisor: Expr) -> Iterator[Expr]:
    """Yield the parts of a divisor that make it zero, or NaN, where they are zero."""
    yield divisor
    match divisor:
        case Binary("*", left, right):
            yield from zeros(left)
            yield from zeros(right)
        case Unary("-" | "+", arg) | Cast(arg):
            yield from zeros(arg)
        case Call(_, (arg,), rule=rule) if rule in _ZERO_AT_ZERO:
            yield from zeros(arg)
        case _:
            pass


def divides_by_zero(infinite: Expr, divisors: Sequence[Expr]) -> bool:
    """Whether one of `divisors` is zero where a partial is infinite."""
    match unconverted(infinite):
        case Binary("&&", left, right):
            return divides_by_zero(left, divisors) or divides_by_zero(right, divisors)
        case Binary("==", value, zero) if is_const(zero, 0.0):
            return repeatable(value) and (value in divisors or unconverted(value) in divisors)
        case _:
            return False
