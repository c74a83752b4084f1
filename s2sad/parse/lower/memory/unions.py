"""Lower a union of a floating-point number and integers of its size: the number, and its bits.

    union Bits { float f; unsigned i; } u;

    u.f = x;   n = u.i;     ->   u.f = x;   n = __float_as_uint(u.f);
    u.i = n ^ 1u;           ->   u.f = __uint_as_float(n ^ 1u);

Such a union is a struct whose only field is the number, which is declared first: a brace list
initialises it. Its bits are an expression; a use that needs their lvalue is refused.
"""

from __future__ import annotations

from pycparser import c_ast

from ....diagnostics import Code
from ....ir import Scalar, Struct
from ...sema import dispatch, evaluation
from ...sema.scope import Context
from ...sema.union_types import BITS


def read(ctx: Context, node: c_ast.StructRef) -> c_ast.Node | None:
    """Return the call that reads the bits, if the node names them."""
    found = _named(ctx, node)
    if found is None:
        return None
    number, (read, _) = found
    return _call(ctx, node, read, number)


def stored(ctx: Context, node: c_ast.Assignment) -> c_ast.Assignment | None:
    """Rewrite an assignment to the bits as an assignment to the number."""
    found = _named(ctx, node.lvalue) if isinstance(node.lvalue, c_ast.StructRef) else None
    if found is None:
        return None
    number, (_, write) = found
    type = dispatch.type_of(ctx, node.rvalue)
    whole = isinstance(type, Scalar) and type.kind in ("signed", "unsigned", "bool")
    acts = node.rvalue in ctx.expression.survey or node.lvalue in ctx.expression.survey
    used = ctx.expression.discarded is not node
    if not whole or acts or used:
        raise ctx.reject(Code.UNION, node.lvalue)
    value = node.rvalue
    if node.op != "=":
        value = c_ast.BinaryOp(node.op[:-1], node.lvalue, node.rvalue, node.coord)
        ctx.unit.written.stands_for(value, node)
    made = c_ast.Assignment("=", number, _call(ctx, node, write, value), node.coord)
    ctx.unit.written.stands_for(made, node)
    ctx.expression.discarded = made
    return made


def _named(ctx: Context, node: c_ast.StructRef) -> tuple[c_ast.Node, tuple[str, str]] | None:
    if not ctx.unit.overlaid or node.type != ".":
        return None
    type = evaluation.static_or_none(ctx, node.name)
    bits = ctx.unit.overlaid.get(Struct(type.name, type.fields)) if type is not None else None
    if type is None or bits is None or type.extents or node.field.name not in bits:
        return None
    if ctx.spelling(node) is not None:  # a macro, whose text names a field that no longer exists
        raise ctx.reject(Code.UNION, node)
    (field,) = type.fields
    number = c_ast.StructRef(node.name, ".", c_ast.ID(field.name, node.coord), node.coord)
    assert isinstance(field.type, Scalar)
    ctx.unit.carried.add(field.type.name)  # its bits differ where it is compiled as another type
    return number, BITS[field.type, bits[node.field.name]]


def _call(ctx: Context, node: c_ast.Node, name: str, argument: c_ast.Node) -> c_ast.FuncCall:
    return c_ast.FuncCall(c_ast.ID(name, node.coord), c_ast.ExprList([argument], node.coord), node.coord)
