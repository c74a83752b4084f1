"""Deduce the types of `auto` variables and results."""

from __future__ import annotations

from pycparser import c_ast

from ... import ir
from ...diagnostics import Code, Diagnostic, Rejected
from ...ir import Type
from ..types import types
from . import dispatch, evaluation
from .meanings import Bindings
from .scope import Context


def auto(ctx: Context, node: c_ast.Decl) -> tuple[Type, bool] | None:
    """Return the type of `auto v = e;` and whether v is const; None for other declarations.

    It is the type of e as a value: without `const`, and for an array a pointer to its
    elements. Finding it lowers e an extra time; the result is thrown away.
    """
    declarator = node.type.type if isinstance(node.type, c_ast.PtrDecl) else node.type
    if not isinstance(declarator, c_ast.TypeDecl) or getattr(declarator.type, "names", None) != ["auto"]:
        return None
    if node.init is None or isinstance(node.init, c_ast.InitList):
        raise ctx.reject(Code.NO_AUTO, node)
    type = value(ctx, node.init)
    if type == ir.VOID:
        raise ctx.type_error(node.init, "a void value is used", "this has no value")
    return type, "const" in (node.type.quals or ())


def value(ctx: Context, node: c_ast.Node) -> Type:
    """Return the type of an expression as a value."""
    taken = set(ctx.taken)
    with ctx.collecting(), ctx.full(node), ctx.arm():
        type = dispatch.static(ctx, node) or evaluation.value(ctx, node).type
    ctx.taken = taken
    return ir.Pointer(type.element) if isinstance(type, ir.Array) else type


def is_auto(function: c_ast.FuncDef) -> bool:
    """Whether the return type of a function is `auto`."""
    return getattr(getattr(function.decl.type.type, "type", None), "names", None) == ["auto"]


def result(ctx: Context, function: c_ast.FuncDef, bound: Bindings) -> Type:
    """Deduce the return type of a function declared `auto`: the common type of its returns."""
    found: list[Type] = []
    problems: list[Diagnostic] = []
    dispatch.function(ctx, function, problems, is_kernel=False, bound=bound, result=ir.VOID, returned=found)
    if problems:
        raise Rejected(*problems)
    if any(not types.same(found[0], other) for other in found):
        both = " and ".join(dict.fromkeys(types.spell(type) for type in found))
        raise ctx.type_error(function, f"`{function.decl.name}` returns {both}", "write the type: `-> float`")
    return found[0] if found else ir.VOID
