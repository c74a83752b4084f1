"""Integer expressions as polynomials over atoms that the caller provides: the arithmetic only.

    (i + 1) * n - 1     ->     i * n + n - 1, where `named` says what i and n are

The caller decides whether the arithmetic wraps around, and which conversions preserve a value.
`evaluation` is the reader that decides both itself, from facts that it collects on the way.
"""

from __future__ import annotations

from collections.abc import Callable

from ...ir import INT, Binary, Cast, Const, Expr, Scalar, Unary, is_integer
from .polynomials import Poly, number


def holds_sizes(expr: Cast) -> bool:
    """Whether a conversion is between integers, to four bytes or more."""
    kind = expr.type
    return is_integer(expr.arg) and isinstance(kind, Scalar) and kind.is_integer and kind.size >= INT.size


def polynomial(
    expr: Expr, named: Callable[[Expr], Poly | None], kept: Callable[[Cast], bool] = holds_sizes
) -> Poly | None:
    """Return an expression as a polynomial, if `named` knows all parts but sums, products and literals.

    Conversions that are `kept` are looked through; the others are passed to `named`.
    """
    match expr:
        case Const(int() as value) if not isinstance(value, bool):
            return number(value)
        case Cast(arg) if kept(expr):
            return polynomial(arg, named, kept)
        case Unary("-") | Binary("+" | "-" | "*"):
            return arithmetic(expr, lambda part: polynomial(part, named, kept))
        case _:
            return named(expr)


def arithmetic(expr: Expr, of: Callable[[Expr], Poly | None]) -> Poly | None:
    """Return a sum, a difference, a product or a negation of its operands' polynomials."""
    parts = [of(part) for part in expr.operands]
    match expr, parts:
        case Unary("-"), [Poly() as inner]:
            return -inner
        case Binary("+"), [Poly() as one, Poly() as two]:
            return one + two
        case Binary("-"), [Poly() as one, Poly() as two]:
            return one - two
        case Binary("*"), [Poly() as one, Poly() as two]:
            return one * two
        case _:
            return None
