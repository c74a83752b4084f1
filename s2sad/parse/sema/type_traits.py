"""Evaluate the standard library's type traits: numeric limits, predicates on types, derived types."""

from __future__ import annotations

import math
import sys

from pycparser import c_ast

from ... import ir
from ...diagnostics import Code
from ...ir import Const, Place, Scalar, Struct, Sym, Type
from ..syntax.qualified_types import DECLTYPE, TYPEOF, ClassName
from ..syntax.templates import Trait
from ..types import types
from . import auto_types, declarators, dispatch, evaluation
from .dispatch import lowers
from .meanings import Alias
from .scope import Context

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


@lowers(Trait)
def value(ctx: Context, node: Trait) -> Const:
    """Return the value of `numeric_limits<T>::max()`, `is_same_v<T, float>` and similar."""
    found = []
    for arg in node.args:
        if not isinstance(arg, c_ast.Typename):
            raise ctx.type_error(arg, f"`{node.name}` needs a type, not a value", "a type is expected")
        found.append(declarators.type_of(ctx, arg.type)[0])
    constant = _limit(node.member, found) if node.name == "numeric_limits" else _answer(node, found)
    if constant is None:
        text = ctx.unit.written.text(node)
        raise ctx.reject(Code.NOT_SUPPORTED, node, what=f"`{text}`", help="write its value")
    return constant


def type_of(ctx: Context, name: ClassName, at: c_ast.Node) -> tuple[Type, bool]:
    """Return the type `remove_cv_t<T>`, `conditional<C, A, B>::type` or `decltype(n)`, and if it's const."""
    args = name.args or []
    kind = name.of.removesuffix("_t")
    if (name.member == "type") == (name.of != kind) and name.of not in (DECLTYPE, TYPEOF):
        raise ctx.reject(Code.UNKNOWN_TYPE, at, name=str(name), nearest="")
    if kind == DECLTYPE:
        return _declared(ctx, args[0], at)
    if kind == TYPEOF:
        type = declarators.type_of(ctx, args[0].type)[0] if isinstance(args[0], c_ast.Typename) else None
        return type or auto_types.value(ctx, args[0]), False
    if kind == "conditional" and len(args) == 3:
        with ctx.full(args[0]):
            holds = evaluation.constant(ctx, evaluation.condition(ctx, args[0]))
        if holds is None:
            help = "write a number or a constant"
            text = ctx.unit.written.text(args[0])
            raise ctx.reject(Code.NOT_CONSTANT, args[0], what="a condition for a type", text=text, help=help)
        args = [args[1] if holds else args[2]]
    if len(args) != 1 or not isinstance(args[0], c_ast.Typename):
        raise ctx.type_error(at, f"`{name.of}` needs a type", "a type is expected")
    type, const = declarators.type_of(ctx, args[0].type)
    if kind in ("make_signed", "make_unsigned"):
        other = types.of_sign(type, kind == "make_signed") if isinstance(type, Scalar) else None
        if other is None:
            raise ctx.type_error(at, f"`{name.of}` of {types.spell(type)}", "an integer is expected")
        return other, const
    if kind in ("remove_reference", "remove_cvref", "decay") and isinstance(type, ir.Pointer):
        type, const = (type.target, type.const) if type.reference else (type, const)
    if kind == "decay" and isinstance(type, ir.Array):
        type = ir.Pointer(type.element)
    return type, const and kind in ("remove_reference", "conditional")


def _declared(ctx: Context, node: c_ast.Node, at: c_ast.Node) -> tuple[Type, bool]:
    """Return a variable's declared type, or the type of a value; refuse lvalues, which give references."""
    if not isinstance(node, c_ast.ID):
        place = isinstance(node, c_ast.ArrayRef | c_ast.Assignment) or dispatch.refers(ctx, node)
        place = place or (isinstance(node, c_ast.UnaryOp) and node.op in ("*", "++", "--"))
        if place or isinstance(node, c_ast.TernaryOp):
            what = f"`{ctx.unit.written.text(at)}`, which is a reference because its operand is an lvalue"
            raise ctx.reject(Code.NOT_SUPPORTED, at, what=what, help="write the type")
        return auto_types.value(ctx, node), False
    match ctx.lookup(node.name):
        case Const(type=Scalar() as type):
            return type, True
        case Sym(type=Struct() as type, const=const) if not type.extents:
            return type, const
        case Sym(type=Scalar() as type, const=const):
            return type, const
        case Alias(reference=True, at=Place(type=Scalar() as type), type=pointer):
            return ir.Pointer(type, pointer.const, reference=True), False
        case _:
            what = f"`decltype({node.name})`"
            raise ctx.reject(Code.NO_CLASSES, at, what=what, help="write the type")


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
