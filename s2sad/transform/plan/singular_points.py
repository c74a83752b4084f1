"""Arguments that stay clear of a function's singular point, where no test for it is needed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...analysis.constants import FLIPPED, OPPOSITE
from ...ir import Binary, Call, Cast, Const, Expr, Place, unconverted
from ..common.algebra import is_const

Guard = tuple[Expr, bool]
"""A condition and its required value."""


def clear_of(call: Call, position: int, guards: Sequence[Guard], branches: Sequence[Guard]) -> bool:
    """Whether an argument is proved to stay clear of the function's singular point.

    Only for sqrt: of a positive literal plus nonnegative terms (squares, fabs, exp, …), of a product or sum
    of such, or of what the conditions say to be positive or not zero: `guards` are those in the same
    statement, `branches` those around it, since which an element may have been stored to.
    """
    if call.rule != "sqrt":
        return False
    arg = unconverted(call.args[position])
    facts = [fact for guard in guards for fact in _facts(*guard)]
    facts += [fact for guard in branches for fact in _facts(*guard) if not fact[1].index]
    nonzero = any(op == "!=" and left == arg and is_const(right, 0.0) for op, left, right in facts)
    positive = [left for op, left, right in facts if _above_zero(op, right)]
    return nonzero or _positive(arg, positive)


def _facts(cond: Expr, true: bool) -> Iterator[tuple[str, Place, Expr]]:
    """Yield the comparisons of variables that a condition implies.

    Not those of expressions: computed again, they may round differently.
    """
    match unconverted(cond):
        case Binary("&&" | "||" as op, left, right) if (op == "&&") == true:
            yield from _facts(left, true)
            yield from _facts(right, true)
        case Binary(op, left, right) if op in OPPOSITE:
            op = op if true else OPPOSITE[op]  # (NaN has no derivative either way)
            for sign, one, other in ((op, left, right), (FLIPPED.get(op, op), right, left)):
                if isinstance(place := unconverted(one), Place):
                    yield sign, place, unconverted(other)
        case _:
            pass


def _above_zero(op: str, than: Expr) -> bool:
    """Whether a value is positive if it compares so."""
    return (op == ">" and _nonnegative(than)) or (op == ">=" and _positive(than, ()))


def _positive(expr: Expr, known: Sequence[Expr]) -> bool:
    if expr in known:
        return True
    match expr:
        case Const(value):
            return value > 0
        case Cast(arg, _, True):
            return _positive(arg, known)
        case Binary("+", left, right):
            return (_positive(left, known) and _nonnegative(right)) or (
                _nonnegative(left) and _positive(right, known)
            )
        case Binary("*", left, right):
            return _positive(left, ()) and _positive(right, ())  # of small numbers it may be zero
        case Call() if expr.rule == "exp":
            return False  # underflows to zero
        case _:
            return False


def _nonnegative(expr: Expr) -> bool:
    match expr:
        case Const(value):
            return value >= 0
        case Cast(arg, _, True):
            return _nonnegative(arg)
        case Binary("*", left, right):
            return left == right or (_nonnegative(left) and _nonnegative(right))
        case Binary("+", left, right):
            return _nonnegative(left) and _nonnegative(right)
        case Call():
            return expr.rule in ("fabs", "exp", "sqrt", "exp2")
        case _:
            return False
