"""Lower field accesses: `threadIdx.x`, `pos[i].x`, `cross(a, b).x`, and constants in classes."""

from __future__ import annotations

from pycparser import c_ast

from ...diagnostics import Rejected
from ...ir import Const, Expr, Special
from ..sema import dispatch, evaluation
from ..sema.dispatch import lowers
from ..sema.meanings import SPECIALS, Bound, Poisoned
from ..sema.scope import Context
from ..syntax.qualified_types import Member
from ..types import types
from .memory import struct_values, struct_variables, unions


@lowers(Member)
def _member(ctx: Context, node: Member) -> Const:
    """Lower `Config::width`, a constant in a class."""
    assert ctx.unit.generic is not None
    type, found = ctx.unit.generic.member(ctx, node)
    if isinstance(found, Const):
        return found
    title = f"`{types.spell(type)}` has no constant `{node.of.member}`"
    raise ctx.type_error(node, title, "not found, or its value isn't known here")


@lowers(c_ast.StructRef)
def _field(ctx: Context, node: c_ast.StructRef) -> Expr:
    """Lower `threadIdx.x`, `pos[i].x`, `cross(a, b).x`, and the bits of a number in a union."""
    if (bits := unions.read(ctx, node)) is not None:
        return evaluation.value(ctx, bits)
    if struct_variables.is_access(ctx, node):
        return dispatch.place(ctx, node)
    value = not isinstance(node.name, c_ast.ID) or isinstance(ctx.lookup(node.name.name), Bound)
    if value and dispatch.static(ctx, node.name) is not None:
        return struct_values.number(ctx, node)
    return _special(ctx, node)


def _special(ctx: Context, node: c_ast.StructRef) -> Expr:
    match node:
        case c_ast.StructRef(name=c_ast.ID(name=name), type=".") if (
            name in SPECIALS and node.field.name in ("x", "y", "z") and ctx.lookup(name) is None
        ):
            return Special(name, node.field.name)
        case c_ast.StructRef(name=c_ast.ID(name=name)) if isinstance(ctx.lookup(name), Poisoned):
            raise Rejected
        case _:
            if isinstance(node.name, c_ast.ID) and node.name.name in SPECIALS:
                title = f"`{node.name.name}` has no field `{node.field.name}`"
                raise ctx.type_error(node, title, "it has x, y, z")
            spelled = types.spell(evaluation.scalar(ctx, node.name).type)
            title = f"`{ctx.unit.written.text(node.name)}` is {spelled}"
            raise ctx.type_error(node, title, "it has no fields")
