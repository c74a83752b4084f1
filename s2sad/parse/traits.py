"""What the standard library says of a type as a constant: its limits, and which type it is."""

from __future__ import annotations

import math
import sys

from pycparser import c_ast

from .. import ir
from ..diagnostics import Code
from ..ir import Const, Scalar, Type
from . import declared, types
from .angles import Trait
from .context import Context

_FLOAT = {
    "max": 3.4028234663852886e38,
    "lowest": -3.4028234663852886e38,
    "min": 1.1754943508222875e-38,
    "epsilon": 1.1920928955078125e-07,
    "infinity": math.inf,
    "quiet_NaN": math.nan,
}
_DOUBLE = {
    "max": sys.float_info.max,
    "lowest": -sys.float_info.max,
    "min": sys.float_info.min,
    "epsilon": sys.float_info.epsilon,
    "infinity": math.inf,
    "quiet_NaN": math.nan,
}


def value(ctx: Context, node: Trait) -> Const:
    """The value of `numeric_limits<T>::max()`, `is_same_v<T, float>` and kin."""
    found = []
    for arg in node.args:
        if not isinstance(arg, c_ast.Typename):
            raise ctx.type_error(arg, f"`{node.name}` is asked of a value", "a type is wanted")
        found.append(declared.type_of(ctx, arg.type)[0])
    constant = _limit(node.member, found) if node.name == "numeric_limits" else _answer(node, found)
    if constant is None:
        text = ctx.written.text(node)
        raise ctx.reject(Code.NOT_SUPPORTED, node, what=f"`{text}`", help="write its value")
    return constant


def _limit(member: str, found: list[Type]) -> Const | None:
    if len(found) != 1 or not isinstance(found[0], Scalar):
        return None
    type = found[0]
    if type.is_float:
        number = (_FLOAT if type.size == 4 else _DOUBLE).get(member)
        return None if number is None else Const(number, type)
    bits = 8 * type.size - (type.kind == "signed")
    largest = 1 if type.kind == "bool" else (1 << bits) - 1
    smallest = -(1 << bits) if type.kind == "signed" else 0
    number = {"max": largest, "min": smallest, "lowest": smallest}.get(member)
    return None if number is None else Const(types.wrap(number, type), type)


def _answer(node: Trait, found: list[Type]) -> Const | None:
    if node.member != "value":
        return None
    match node.name.removesuffix("_v"), found:
        case "is_same", [one, two]:
            answer = types.same(one, two)
        case "is_floating_point", [Scalar() as type]:
            answer = type.is_float
        case "is_integral", [Scalar() as type]:
            answer = type.is_integer
        case "is_signed", [Scalar() as type]:
            answer = type.kind in ("signed", "float")
        case _:
            return None
    return Const(answer, ir.BOOL)
