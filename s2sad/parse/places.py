"""Places: what an expression names in memory.

`x[i]`, `*x` and `*(x + i)` of a pointer are one kind of place, so that "the same
element?" is a question about indices alone.
"""

from __future__ import annotations

from dataclasses import replace

from pycparser import c_ast

from .. import ir
from ..diagnostics import Code, Rejected
from ..ir import Const, Expr, Place, Scalar, Sym
from . import effects, lower_effects, lower_expr, types
from .context import Context


def place(ctx: Context, node: c_ast.Node) -> Place:
    """The place that an expression names; refused if it names none."""
    found = _place(ctx, node)
    spelled = None if node in ctx.survey else ctx.written.spelling(node)
    if spelled is None:
        return replace(found, span=ctx.span(node))
    return replace(found, span=ctx.span(node), spelling=spelled[0], macro=spelled[1])


def _place(ctx: Context, node: c_ast.Node) -> Place:
    match node:
        case c_ast.ID():
            expr = lower_expr.name(ctx, node)
            if isinstance(expr, Place):
                return expr
            if isinstance(expr, Const):
                raise ctx.reject(Code.ASSIGNMENT_TO_CONST, node, name=node.name)
        case c_ast.ArrayRef():
            return _element(ctx, node)
        case c_ast.UnaryOp(op="*"):
            return _target(ctx, node)
        case c_ast.Assignment():
            return lower_effects.assign(ctx, node)
        case c_ast.UnaryOp(op="++" | "--"):
            stepped = lower_effects.step(ctx, node)
            assert isinstance(stepped, Place)
            return stepped
        case c_ast.ExprList():
            for part in node.exprs[:-1]:
                lower_effects.discard(ctx, part)
            return place(ctx, node.exprs[-1])
        case c_ast.StructRef():
            lower_expr.value(ctx, node)  # says what is wrong with it
    raise ctx.type_error(node, f"`{ctx.written.text(node)}` is a value, not a place", "cannot be assigned to")


def _element(ctx: Context, node: c_ast.ArrayRef) -> Place:
    """`x[i][j]`, its indices evaluated from left to right."""
    nodes: list[c_ast.Node] = []
    base: c_ast.Node = node
    while isinstance(base, c_ast.ArrayRef):
        nodes.insert(0, base.subscript)
        base = base.name
    sym = _array(ctx, base)
    indices: list[Expr] = []
    for k, subscript in enumerate(nodes):
        index = _index(ctx, subscript)
        for later in nodes[k + 1 :]:
            if later in ctx.survey and lower_expr.stale(index, effects.touched(later).writes):
                index = ctx.keep(index)
        indices.append(index)
    return element(ctx, node, sym, tuple(indices))


def element(ctx: Context, node: c_ast.Node, sym: Sym, indices: tuple[Expr, ...]) -> Place:
    """The element of an array at the indices."""
    match sym.type:
        case ir.Pointer(target=target) if len(indices) == 1:
            return Place(sym, indices, target)
        case ir.Array(element=inner, extents=extents) if len(indices) == len(extents):
            return Place(sym, indices, inner)
        case ir.Array(extents=extents) if len(indices) < len(extents):
            raise ctx.reject(Code.POINTER_ARITHMETIC, node, name=ctx.written.text(node))
    raise ctx.type_error(node, f"`{sym.name}` has fewer dimensions", f"{len(indices)} indices are too many")


def _index(ctx: Context, node: c_ast.Node) -> Expr:
    expr, type = lower_expr.arithmetic(ctx, node)
    if not type.is_integer:
        raise ctx.type_error(node, "an index must be an integer", f"this is {type.name}")
    return expr


def _array(ctx: Context, node: c_ast.Node) -> Sym:
    """The array or the pointer parameter that is indexed."""
    if not isinstance(node, c_ast.ID):
        raise ctx.reject(Code.POINTER_ARITHMETIC, node, name=ctx.written.text(node))
    expr = lower_expr.name(ctx, node)
    if isinstance(expr, Place) and isinstance(expr.type, ir.Pointer | ir.Array):
        return expr.sym
    raise ctx.type_error(
        node, f"`{node.name}` is indexed but is no array", f"this is {types.spell(expr.type)}"
    )


def _target(ctx: Context, node: c_ast.UnaryOp) -> Place:
    return pointed(ctx, node.expr)


def pointed(ctx: Context, node: c_ast.Node) -> Place:
    """What a pointer points to: `*x` is `x[0]`, `*(x + i)` is `x[i]`, `*&v` is `v`."""
    match node:
        case c_ast.ID():
            sym = _array(ctx, node)
            return element(ctx, node, sym, (Const(0, ir.INT),))
        case c_ast.BinaryOp(op="+", left=c_ast.ID() as base, right=index):
            return element(ctx, node, _array(ctx, base), (_index(ctx, index),))
        case c_ast.UnaryOp(op="&"):
            return place(ctx, node.expr)
        case c_ast.Cast():
            raise ctx.reject(Code.BIT_REINTERPRETATION, node, text=ctx.written.text(node))
        case _:
            raise _no_pointer(ctx, node)


def _no_pointer(ctx: Context, node: c_ast.Node) -> Rejected:
    return ctx.reject(Code.POINTER_ARITHMETIC, node, name=ctx.written.text(node))


def address(ctx: Context, node: c_ast.Node) -> ir.AddressOf:
    """`&place`, where an address is admitted."""
    found = place(ctx, node)
    scalar = found.type
    if not isinstance(scalar, Scalar):
        raise ctx.reject(Code.ADDRESS_OF, node, name=ctx.written.text(node))
    type = found.sym.type
    const = type.const if isinstance(type, ir.Pointer) else found.sym.const
    return ir.AddressOf(found, ir.Pointer(scalar, const=const), span=ctx.span(node))
