"""Print half-precision operations as calls of CUDA's functions for them.

    __float2half(__half2float(a) * __half2float(b))   as   __hmul(a, b)

The tree is the same for both; an implicit conversion back means that the author wrote
none. The functions do the same as the operators, also where a build has no operators.
"""

from __future__ import annotations

from ..ir import Binary, Call, Cast, Const, Expr, Scalar, Type, Unary
from ..parse.types.half_functions import SPELLED
from ..parse.types.types import wrap


def spelled(cast: Cast) -> Call | None:
    """Return the equivalent call of an operation, if all its operands are half precision."""
    if not cast.implicit:
        return None
    operands: tuple[Expr, ...]
    match cast.arg:
        case Binary(op, left, right):
            name, operands = SPELLED.get(op), (left, right)
        case Unary("-", arg):
            name, operands = SPELLED["neg"], (arg,)
        case Call(name=called, args=args):
            name, operands = SPELLED.get(called), args
        case _:
            return None
    found = [half for e in operands if (half := _half(e, cast.type)) is not None]
    return Call(name, tuple(found), cast.type, rule="") if name and len(found) == len(operands) else None


def _half(expr: Expr, type: Type) -> Expr | None:
    """Return the half-precision value that a float was converted from, or equals."""
    match expr:
        case Cast(arg) if arg.type == type:
            return arg
        case Const(value) if isinstance(type, Scalar) and wrap(value, type) == value:
            return Cast(expr, type)
        case _:
            return None
