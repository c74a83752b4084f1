"""Lower definitions of structs and classes: their fields, and the types and constants inside."""

from __future__ import annotations

import copy
import re

from pycparser import c_ast

from ... import ir
from ...diagnostics import Code
from ...ir import Const, Scalar, Struct, Type
from ..syntax.classes import Class, nested
from ..types import types
from . import declarators, dispatch, evaluation, methods, union_types
from .meanings import Bindings
from .scope import Context


@dispatch.structure.when(c_ast.Struct)
def structure(ctx: Context, node: c_ast.Struct, within: tuple[str, Bindings] | None = None) -> Type:
    """Return the struct that is defined here, or the known one of that name.

    `within` holds the name and the arguments of the template that it is an instance of.
    """
    if node.decls is None:
        known = ctx.typedef(node.name)
        if known is None:
            raise ctx.reject(Code.UNKNOWN_TYPE, node, name=node.name, nearest="")
        return known[0]
    written = node.name
    if written is not None:
        ctx.typedefs[-1][written] = Struct(written), False  # a field may point to the struct itself
    members: Bindings = {}
    outer = ctx
    holds_more = isinstance(node, Class) and (node.types or node.statics or nested(node))
    if isinstance(node, Class) and (holds_more or within):
        if within is None:
            ctx = copy.copy(ctx)
            ctx.scopes, ctx.typedefs = [*ctx.scopes, {}], [*ctx.typedefs, {}]
        inside(ctx, node, members)
    fields = _fields(ctx, node)
    if not fields and not ctx.unit.emitted and not (isinstance(node, Class) and node.children()):
        what = f"the struct `{node.name or 'struct'}`, which has no fields"
        raise ctx.reject(Code.NOT_SUPPORTED, node, what=what, help="leave it out")
    asked = [_alignment(ctx, node, text) for text in getattr(node, "aligned", ())]
    beside = isinstance(node, Class) and within is None and (len(outer.typedefs) > 1 or node.unnamed)
    if beside:
        assert ctx.unit.generic is not None
        node, found = ctx.unit.generic.beside(node, Struct(written, tuple(fields)))
        if found is not None:
            outer.typedefs[-1][written] = found, False
            return found
    if getattr(node, "union", False):
        fields = union_types.union(ctx, node, fields)
    made = Struct(node.name or "", tuple(fields), align=max([getattr(node, "align", 0), *asked]))
    if holds_more:
        assert ctx.unit.generic is not None
        members |= {name: type for name, (type, _) in ctx.typedefs[-1].items()}
        ctx.unit.generic.members[made.name] = dict(members)
    if within is not None:
        members = {**within[1], **members}
    if beside:
        assert ctx.unit.generic is not None
        ctx.unit.generic.define(node, made, written)
        members = {**_around(outer), **members, written: made}
    if node.name is not None:
        outer.typedefs[-1][written] = made, False
        outer.unit.classes[node.name] = node
        if within is not None:
            assert outer.unit.generic is not None
            outer.unit.generic.complete(made)
            outer.typedefs[-1][within[0]] = made, False
            members[within[0]] = made
        methods.register(outer, node, made, members)
    return made


def _fields(ctx: Context, node: c_ast.Struct) -> list[ir.Field]:
    fields: list[ir.Field] = []
    for decl in node.decls:
        if not isinstance(decl, c_ast.Decl) or decl.name is None:
            continue
        if any(field.name == decl.name for field in fields):
            raise ctx.reject(Code.DECLARED_TWICE, decl, name=decl.name)
        type, _ = declarators.type_of(ctx, decl.type)
        if isinstance(type, Scalar) and type == ir.VOID:
            raise ctx.type_error(decl, f"`{decl.name}` is void", "a field can't be void")
        if isinstance(type, ir.Pointer) and type.reference:
            what = f"`{decl.name}`, a reference in a struct"
            raise ctx.reject(Code.NOT_SUPPORTED, decl, what=what, help="pass its referent")
        if isinstance(type, ir.Array | Struct) and 0 in type.extents:
            raise ctx.type_error(decl, f"`{decl.name}` has an unknown extent", "needs an extent")
        union_types.refuse_inside(ctx, decl, type)
        fields.append(ir.Field(decl.name, type))
    return fields


def _around(ctx: Context) -> Bindings:
    """Return the types and constants that the methods of a local struct can name."""
    types = {name: type for scope in ctx.typedefs[1:] for name, (type, _) in scope.items()}
    found: Bindings = {**types}
    for name, it in ((name, it) for scope in ctx.scopes[1:] for name, it in scope.items()):
        if isinstance(it, ir.Const):
            found[name] = it
        elif isinstance(it, ir.Sym) and isinstance(it.type, Scalar) and it in ctx.function.values:
            found[name] = ir.Const(ctx.function.values[it], it.type)
    return found


def _alignment(ctx: Context, node: c_ast.Struct, text: str) -> int:
    """Evaluate a product of numbers, constants and sizes: `sizeof(T) * N`."""
    product = 1
    for factor in text.split("*"):
        size = re.fullmatch(r"\s*sizeof\s*\(\s*(\w+)\s*\)\s*", factor)
        known = ctx.typedef(size[1]) if size else None
        type = (known[0] if known else types.scalar([size[1]])) if size else None
        found = ctx.lookup(factor.strip())
        if isinstance(type, Scalar):
            product *= type.size
        elif factor.strip().isdigit():
            product *= int(factor)
        elif isinstance(found, ir.Const) and isinstance(found.value, int):
            product *= found.value
        else:
            what = f"the alignment `{' '.join(text.split())}`"
            raise ctx.reject(Code.NOT_SUPPORTED, node, what=what, help="write a number of bytes")
    return product


def inside(ctx: Context, node: Class, members: Bindings) -> None:
    """Declare the types and constants of a class in the innermost scope, and record them."""
    for typedef in node.types:
        if not isinstance(typedef, c_ast.Typedef):
            if isinstance(typedef.type, c_ast.Enum):
                _enumeration(ctx, typedef.type, members)
            else:
                declarators.type_of(ctx, typedef.type)
            continue
        type, const = declarators.type_of(ctx, typedef.type)
        ctx.typedefs[-1][typedef.name] = type, const
        members[typedef.name] = type
    for constant in node.statics:
        type, _ = declarators.type_of(ctx, constant.type)
        init = constant.init
        if isinstance(init, c_ast.InitList) and len(init.exprs or ()) == 1:
            init = init.exprs[0]
        if not isinstance(type, Scalar) or init is None or isinstance(init, c_ast.InitList):
            continue  # a use is refused, as there is no value
        with ctx.full(init):
            value = evaluation.constant(ctx, evaluation.converted(ctx, init, type))
        if value is not None:
            members[constant.name] = ctx.scopes[-1][constant.name] = Const(types.wrap(value, type), type)


def _enumeration(ctx: Context, node: c_ast.Enum, members: Bindings) -> None:
    """Declare an enumeration in a class; its names are spelled as numbers."""
    type = declarators.enumerators(ctx, node)
    if node.name is not None:
        members[node.name] = type
    for entry in node.values.enumerators if node.values is not None else ():
        found = ctx.scopes[-1][entry.name]
        assert isinstance(found, Const)
        members[entry.name] = ctx.scopes[-1][entry.name] = Const(found.value, found.type)
