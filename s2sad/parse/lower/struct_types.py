"""Determine the struct type of an expression without evaluating it."""

from __future__ import annotations

from pycparser import c_ast

from ...fields import VECTORS
from ...ir import Pointer, Struct, Type
from ..sema import dispatch
from ..sema.methods import Made
from ..sema.scope import Context
from ..syntax.qualified_types import Member
from ..syntax.templates import TemplateId
from . import callees, half_precision
from .memory import struct_values, struct_variables


@dispatch.static.otherwise
def static(ctx: Context, node: c_ast.Node) -> Struct | None:
    """Return the struct type of an expression, without evaluating it; None if it has another type."""
    match node:
        case c_ast.ID(name=name) if (position := struct_values.position_type(ctx, name)) is not None:
            type: Type | None = position
        case c_ast.ID() | c_ast.ArrayRef() | c_ast.UnaryOp(op="*") | c_ast.StructRef() if (
            struct_variables.named(ctx, node)
        ):
            type = struct_variables.static_access(ctx, node)
        case c_ast.StructRef(type="."):
            inner = dispatch.static(ctx, node.name)
            type = struct_variables.field_type(ctx, node, inner) if inner is not None else None
        case c_ast.FuncCall() if callees.is_functor(ctx, node) and (found := callees.method(ctx, node)):
            type = callees.chosen(ctx, node, *found).result
        case c_ast.FuncCall(name=c_ast.ID(name=name) | TemplateId(name=name)):
            type = made(ctx, name, node) or half_precision.static(ctx, node) or _result(ctx, node)
        case c_ast.FuncCall(name=Member()):
            type = _result(ctx, node)
        case c_ast.FuncCall(name=c_ast.StructRef()) if (found := callees.method(ctx, node)) is not None:
            type = callees.chosen(ctx, node, *found).result
        case Made(struct=struct):
            type = struct
        case c_ast.TernaryOp():
            type = dispatch.static(ctx, node.iftrue)
        case c_ast.Assignment():
            type = dispatch.static(ctx, node.lvalue)
        case c_ast.ExprList():
            type = dispatch.static(ctx, node.exprs[-1])
        case c_ast.BinaryOp() | c_ast.UnaryOp():
            device = callees.operator(ctx, node)
            type = device.result if device is not None else half_precision.operated(ctx, node)
        case c_ast.Cast():
            type = _cast_type(ctx, node)
        case _:
            type = None
    return type if isinstance(type, Struct) else None


def made(ctx: Context, name: str, node: c_ast.FuncCall) -> Struct | None:
    """Return the type that `make_float3` makes, unless the file's own overload takes as many arguments."""
    made = VECTORS.get(name.removeprefix("make_")) if name.startswith("make_") else None
    if made is None or name not in ctx.unit.functions:
        return made
    count = len(node.args.exprs) if node.args is not None else 0
    own = any(len(device.params) == count for device in ctx.unit.functions[name])
    return None if own or count != len(made.fields) else made


def _result(ctx: Context, node: c_ast.FuncCall) -> Type | None:
    name = getattr(node.name, "name", "")
    if name in ("__ldg", "__ldcs", "__ldca", "__ldcg", "__ldlu", "__ldcv") and node.args is not None:
        return _loaded(ctx, node.args.exprs[0])
    choices = callees.devices(ctx, node)
    if not any(isinstance(d.result, Struct) for d in choices):
        return None
    if len({d.result for d in choices}) == 1:
        return choices[0].result
    device = callees.chosen(ctx, node, list(node.args.exprs) if node.args is not None else [], choices)
    return device.result


def _loaded(ctx: Context, node: c_ast.Node) -> Type | None:
    """Return the type that `__ldg(p)` reads."""
    if isinstance(node, c_ast.UnaryOp) and node.op == "&":
        return dispatch.static(ctx, node.expr)
    if not struct_variables.named(ctx, node):
        return None
    type = struct_variables.static_access(ctx, node)
    return type.target if isinstance(type, Pointer) else None


def _cast_type(ctx: Context, node: c_ast.Cast) -> Type | None:
    names = getattr(getattr(node.to_type.type, "type", None), "names", None)
    if not isinstance(node.to_type.type, c_ast.TypeDecl) or names is None or len(names) != 1:
        return None
    known = ctx.typedef(names[0])
    return known[0] if known is not None else VECTORS.get(names[0])
