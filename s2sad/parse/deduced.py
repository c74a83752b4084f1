"""Types that the author leaves open: those of `auto` variables."""

from __future__ import annotations

from pycparser import c_ast

from .. import ir
from ..diagnostics import Code
from ..ir import Type
from . import lower_expr, structs
from .context import Context


def auto(ctx: Context, node: c_ast.Decl) -> tuple[Type, bool] | None:
    """The type of `auto v = e;` and whether v is const; None for other declarations.

    It is the type of e as a value: without `const`, and of an array a pointer to its
    elements. Finding it lowers e once more; nothing of that is kept.
    """
    declarator = node.type.type if isinstance(node.type, c_ast.PtrDecl) else node.type
    if not isinstance(declarator, c_ast.TypeDecl) or getattr(declarator.type, "names", None) != ["auto"]:
        return None
    if node.init is None or isinstance(node.init, c_ast.InitList):
        raise ctx.reject(Code.NO_AUTO, node)
    taken = set(ctx.taken)
    with ctx.collecting(), ctx.full(node.init), ctx.arm():
        type = structs.static(ctx, node.init) or lower_expr.value(ctx, node.init).type
    ctx.taken = taken
    if type == ir.VOID:
        raise ctx.type_error(node.init, "a void value is used", "this has no value")
    if isinstance(type, ir.Array):
        type = ir.Pointer(type.element)
    return type, "const" in (node.type.quals or ())
