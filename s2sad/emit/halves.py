"""Operations in half precision as calls of CUDA's functions for them.

    __float2half(__half2float(a) * __half2float(b))   as   __hmul(a, b)

The tree has both the same way; that the conversion back is implicit says that the author
wrote no conversion. The functions do what operators do, also where a build has no operators.
"""

from __future__ import annotations

from ..ir import Binary, Call, Cast, Const, Expr, Scalar, Type, Unary
from ..parse.types.half_functions import SPELLED
from ..parse.types.types import wrap


def spelled(cast: Cast) -> Call | None:
    """The call that an operation is, if it is one of half precision alone."""
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
    """The number of half precision that a float was, or is."""
    match expr:
        case Cast(arg) if arg.type == type:
            return arg
        case Const(value) if isinstance(type, Scalar) and wrap(value, type) == value:
            return Cast(expr, type)
        case _:
            return None
