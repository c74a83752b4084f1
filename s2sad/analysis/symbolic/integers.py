"""Integer expressions as polynomials over what the caller names: the arithmetic, and no more.

    (i + 1) * n - 1     ->     i * n + n - 1, where `named` says what i and n are

Whether the arithmetic wraps around is the caller's question, and so is which conversions keep a value.
`evaluation` is the reader that answers both by itself, of facts that it collects on the way.
"""

from __future__ import annotations

from collections.abc import Callable

from ...ir import INT, Binary, Cast, Const, Expr, Scalar, Unary, is_integer
from .polynomials import Poly, number


def holds_sizes(expr: Cast) -> bool:
    """Whether a conversion is one between integers, to four bytes or more."""
    kind = expr.type
    return is_integer(expr.arg) and isinstance(kind, Scalar) and kind.is_integer and kind.size >= INT.size


def polynomial(
    expr: Expr, named: Callable[[Expr], Poly | None], kept: Callable[[Cast], bool] = holds_sizes
) -> Poly | None:
    """The polynomial that an expression is, if `named` knows all that isn't a sum, a product or a literal.

    Of conversions those are looked through that are `kept`; the others are for `named`.
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
    """A sum, a difference, a product or a negation of what its operands are."""
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
