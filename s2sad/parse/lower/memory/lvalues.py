"""Lower lvalues: what an expression names in memory.

`x[i]`, `*x` and `*(x + i)` of a pointer are lowered to the same form, so that whether two
accesses overlap depends on their indices alone.
"""

from __future__ import annotations

from dataclasses import replace

from pycparser import c_ast

from .... import ir
from ....diagnostics import Code, Rejected
from ....ir import Const, Expr, Place, Scalar, Sym
from ...sema import dispatch, evaluation
from ...sema.dispatch import lowers
from ...sema.meanings import Alias
from ...sema.scope import Context
from ...types import types
from . import glvalues, names, pointer_offsets, pointers, struct_variables


@dispatch.place.otherwise
def place(ctx: Context, node: c_ast.Node, *, rows: bool = False) -> Place:
    """Lower an expression to the lvalue that it names, with `rows` also a row; refuse any other."""
    found = _place(ctx, node, rows)
    spelled = None if node in ctx.expression.survey else ctx.spelling(node)
    if spelled is None:
        return replace(found, span=ctx.span(node))
    return replace(found, span=ctx.span(node), spelling=spelled[0], macro=spelled[1])


def _place(ctx: Context, node: c_ast.Node, rows: bool = False) -> Place:
    match node:
        case c_ast.ArrayRef(name=c_ast.Cast(expr=c_ast.StructRef() as field)) if ctx.unit.emitted:
            return struct_variables.place(ctx, c_ast.ArrayRef(field, node.subscript, node.coord))
        case c_ast.ArrayRef() | c_ast.StructRef() | c_ast.UnaryOp(op="*") if struct_variables.named(
            ctx, node
        ):
            row = struct_variables.row(ctx, node) if rows and isinstance(node, c_ast.ArrayRef) else None
            return row if row is not None else struct_variables.place(ctx, node)
        case c_ast.ID():
            expr = names.name(ctx, node)
            if isinstance(expr, Place):
                return expr
            if isinstance(expr, Const):
                raise ctx.reject(Code.ASSIGNMENT_TO_CONST, node, name=node.name)
        case c_ast.ArrayRef():
            return _element(ctx, node, rows)
        case c_ast.UnaryOp(op="*"):
            return pointed(ctx, node.expr, rows=rows)
        case c_ast.Assignment():
            return dispatch.changed(ctx, node)
        case c_ast.UnaryOp(op="++" | "--"):
            return dispatch.changed(ctx, node)
        case c_ast.ExprList():
            for part in node.exprs[:-1]:
                evaluation.discard(ctx, part)
            return dispatch.place(ctx, node.exprs[-1])
        case c_ast.FuncCall() if not ctx.unit.emitted and (at := dispatch.referred(ctx, node)) is not None:
            return at
        case c_ast.TernaryOp() | c_ast.StructRef() if glvalues.is_choice(ctx, node):
            raise _of_several(ctx, node)
        case c_ast.StructRef(name=inner, type=".") if glvalues.named(inner) is not inner:
            field = c_ast.StructRef(glvalues.settled(ctx, inner), ".", node.field, node.coord)
            ctx.unit.written.stands_for(field, node)
            return dispatch.place(ctx, field)
        case c_ast.StructRef():
            evaluation.value(ctx, node)  # raises the diagnostic
    raise ctx.type_error(node, f"`{ctx.unit.written.text(node)}` is not an lvalue", "cannot be assigned to")


def _of_several(ctx: Context, node: c_ast.Node) -> Rejected:
    """Return the refusal of a reference to one of several objects."""
    what, help = "a reference to one of two lvalues", "write its uses in both branches of an `if`"
    if glvalues.chosen(node) is None:
        what, help = "a part of what a call returns a reference to", "write to the object itself"
    return ctx.reject(Code.NOT_SUPPORTED, node, what=f"`{ctx.unit.written.text(node)}`, {what}", help=help)


@lowers(c_ast.ArrayRef)
def _value(ctx: Context, node: c_ast.ArrayRef) -> Place:
    """Lower the value of an element."""
    return dispatch.place(ctx, node)


def _element(ctx: Context, node: c_ast.ArrayRef, rows: bool) -> Place:
    """Lower `x[i][j]`, its indices evaluated from left to right."""
    nodes: list[c_ast.Node] = []
    base: c_ast.Node = node
    while isinstance(base, c_ast.ArrayRef):
        nodes.insert(0, base.subscript)
        base = base.name
    at = _base(ctx, base)
    indices: list[Expr] = []
    for k, subscript in enumerate(nodes):
        expr = evaluation.index(ctx, subscript)
        for later in nodes[k + 1 :]:
            if later in ctx.expression.survey and evaluation.stale(expr, ctx.touched(later).writes):
                expr = ctx.keep(expr)
        indices.append(expr)
    return _indexed(ctx, node, at, tuple(indices), rows)


def _base(ctx: Context, node: c_ast.Node) -> Sym | Place:
    """Return what is indexed: an array, or the lvalue that a pointer points to."""
    named = ctx.lookup(node.name) if isinstance(node, c_ast.ID) else None
    if isinstance(named, Alias):
        if named.reference and named.at is not None and isinstance(named.at.type, ir.Array):
            return named.at.sym if not named.at.index else dispatch.pointer(ctx, node)
    elif isinstance(node, c_ast.ID):
        return _array(ctx, node)
    if ctx.unit.emitted:
        raise ctx.reject(Code.POINTER_ARITHMETIC, node, name=ctx.unit.written.text(node))
    return dispatch.pointer(ctx, node)


def _indexed(ctx: Context, node: c_ast.Node, at: Sym | Place, indices: tuple[Expr, ...], rows: bool) -> Place:
    """Return the element at these indices of an array, or counted from where a pointer points."""
    if isinstance(at, Sym):
        return element(ctx, node, at, indices, rows)
    first, *others = indices
    at = pointers.shifted(ctx, node, at, "+", first)
    if not at.index and others:
        return element(ctx, node, at.sym, tuple(others), rows)
    if at.sym.within is not None and not others and isinstance(at.type, ir.Scalar):
        return at  # a row of an array in a struct
    if at.sym.within is not None and at.index and isinstance(at.type, ir.Array):
        return _in_rows(ctx, node, at, at.type, tuple(others), rows)
    return element(ctx, node, at.sym, (*at.index, *others), rows) if at.index else at


def _in_rows(
    ctx: Context, node: c_ast.Node, at: Place, row: ir.Array, others: tuple[Expr, ...], rows: bool
) -> Place:
    """Return the element of a row of an array in a struct, whose own type tells nothing of the row's."""
    index = (*at.index, *others)
    if len(others) == len(row.extents):
        return Place(at.sym, index, row.element)
    if rows and len(others) < len(row.extents):
        k = len(others)
        return Place(at.sym, index, ir.Array(row.element, row.extents[k:], row.spelled[k:]))
    raise ctx.reject(Code.POINTER_ARITHMETIC, node, name=ctx.unit.written.text(node))


def element(ctx: Context, node: c_ast.Node, sym: Sym, indices: tuple[Expr, ...], rows: bool = False) -> Place:
    """Return the element of an array at these indices."""
    match sym.type:
        case ir.Pointer(target=ir.Array(element=inner, extents=extents)):
            if len(indices) == len(extents) + 1:
                return Place(sym, indices, inner)
            if len(indices) <= len(extents):
                if rows:
                    return pointer_offsets.element(sym, indices)
                raise ctx.reject(Code.POINTER_ARITHMETIC, node, name=ctx.unit.written.text(node))
        case ir.Pointer(target=target) if len(indices) == 1:
            return Place(sym, indices, target)
        case ir.Array(element=inner, extents=extents) if len(indices) == len(extents):
            return Place(sym, indices, inner)
        case ir.Array(extents=extents) if len(indices) < len(extents):
            if rows:
                return pointer_offsets.element(sym, indices)
            raise ctx.reject(Code.POINTER_ARITHMETIC, node, name=ctx.unit.written.text(node))
    raise ctx.type_error(node, f"`{sym.name}` has fewer dimensions", f"{len(indices)} indices are too many")


def _array(ctx: Context, node: c_ast.Node) -> Sym:
    """Return the array or the pointer parameter that is indexed."""
    if not isinstance(node, c_ast.ID):
        raise ctx.reject(Code.POINTER_ARITHMETIC, node, name=ctx.unit.written.text(node))
    expr = names.name(ctx, node)
    if isinstance(expr, Place) and isinstance(expr.type, ir.Pointer | ir.Array):
        return expr.sym
    raise ctx.type_error(
        node, f"`{node.name}` is indexed but isn't an array", f"this is {types.spell(expr.type)}"
    )


def pointed(ctx: Context, node: c_ast.Node, *, rows: bool = False) -> Place:
    """Return what a pointer points to: `*x` is `x[0]`, `*(x + i)` is `x[i]`, `*&v` is `v`."""
    match node:
        case c_ast.BinaryOp(op="+", left=base, right=by) if isinstance(base, c_ast.ID):
            clash = ctx.touched(base).clashes(ctx.touched(by))
            if clash:
                raise ctx.reject(Code.UNSEQUENCED_EFFECTS, node, name=min(clash))
            return _indexed(ctx, node, _base(ctx, base), (evaluation.index(ctx, by),), rows)
        case c_ast.ID():
            at = _base(ctx, node)
            return element(ctx, node, at, (Const(0, ir.INT),), rows) if isinstance(at, Sym) else at
        case _ if not ctx.unit.emitted:
            found = dispatch.pointer(ctx, node)
            if not isinstance(found.type, Scalar) and not rows:
                raise ctx.reject(Code.POINTER_ARITHMETIC, node, name=ctx.unit.written.text(node))
            return found
        case c_ast.UnaryOp(op="&"):
            return dispatch.place(ctx, node.expr)
        case c_ast.Cast():
            raise ctx.reject(Code.BIT_REINTERPRETATION, node, text=ctx.unit.written.text(node))
        case _:
            raise ctx.reject(Code.POINTER_ARITHMETIC, node, name=ctx.unit.written.text(node))
