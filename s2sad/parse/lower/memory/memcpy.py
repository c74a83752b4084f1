"""Lower `memcpy` and `memset` in a kernel to loops over the elements.

    memcpy(y, next, N * sizeof(float));       for (int k = 0; k < N; ++k) y[k] = next[k];

The number of bytes must be of the form count times element size, and both sides must have
that element type. `memset` is supported for zero only.
"""

from __future__ import annotations

from collections.abc import Sequence

from pycparser import c_ast

from .... import ir
from ....diagnostics import Code
from ....ir import Assign, Binary, Const, Declare, Expr, For, Place, Scalar, Sym
from ...sema import declarators, dispatch, evaluation
from ...sema.scope import Context
from ...types import types

NAMES = ("memcpy", "memset")


def moved(ctx: Context, node: c_ast.FuncCall, name: str, args: Sequence[c_ast.Node]) -> Expr:
    """Emit the loop; refuse a use of the function's return value."""
    if (
        node is not ctx.expression.discarded
        or len(args) != 3
        or any(arg in ctx.expression.survey for arg in args)
    ):
        raise _refused(ctx, node, name)
    found = _elements(ctx, args[2])
    if found is None:
        raise _refused(ctx, node, name)
    type, count = found
    value: Expr | None = None
    if name == "memset":
        if evaluation.constant(ctx, evaluation.value(ctx, args[1])) != 0:
            raise _refused(ctx, node, name)
        value = Const(types.wrap(0, type), type)
    count = ctx.keep(count, "count") if any(isinstance(part, Place) for part in ir.walk(count)) else count
    wide = count.type if isinstance(count.type, Scalar) and count.type.size > ir.INT.size else ir.INT
    span = ctx.span(node)
    counter = Sym(ctx.fresh("k"), wide, span=span, origin="lowering")
    at = Place(counter, (), wide)
    ctx.scopes.append({counter.name: counter})
    with ctx.collecting() as before:
        target = dispatch.place(ctx, _element(ctx, node, args[0], counter.name))
        value = value or evaluation.value(ctx, _element(ctx, node, args[1], counter.name))
    ctx.scopes.pop()
    if before or not types.same(target.type, type) or not types.same(value.type, type):
        raise _refused(ctx, node, name)
    ctx.out.append(
        For(
            (Declare(counter, Const(0, wide), span=span),),
            Binary("<", at, types.convert(count, wide), ir.BOOL),
            (Assign(at, Const(1, wide), "+=", span=span, spelling=f"++{counter.name}"),),
            (Assign(target, value, span=span),),
            span=span,
        )
    )
    return Const(0, ir.VOID)


def _elements(ctx: Context, size: c_ast.Node) -> tuple[Scalar, Expr] | None:
    """Return the element type and the count of `n * sizeof(float)`."""
    sizes, others = [], []
    todo = [size]
    while todo:
        part = todo.pop(0)
        if isinstance(part, c_ast.BinaryOp) and part.op == "*":
            todo = [part.left, part.right, *todo]
        elif isinstance(part, c_ast.UnaryOp) and part.op == "sizeof":
            sizes.append(part.expr)
        else:
            others.append(part)
    if len(sizes) != 1:
        return None
    of, count, spelled = sizes[0], 1, None
    if isinstance(of, c_ast.Typename):
        type, _ = declarators.type_of(ctx, of)
    else:
        named = ctx.lookup(of.name) if isinstance(of, c_ast.ID) else None
        if not isinstance(named, Sym) or not isinstance(named.type, ir.Array):
            return None
        type, count = named.type, 1
    if isinstance(type, ir.Array):
        if 0 in type.extents:
            return None
        for extent in type.extents:
            count *= extent
        spelled = type.spelled[0] if len(type.spelled) == 1 else None
        type = type.element
    if not isinstance(type, Scalar) or type == ir.VOID:
        return None
    many: Expr = Const(count, ir.INT, spelling=spelled or None)
    for k, other in enumerate(others):
        value = evaluation.value(ctx, other)
        if not isinstance(value.type, Scalar) or value.type.is_float:
            return None
        if k == 0 and count == 1:
            many = value
            continue
        assert isinstance(many.type, Scalar)
        both = types.common(many.type, value.type)
        many = Binary("*", types.convert(many, both), types.convert(value, both), both)
    return type, many


def _element(ctx: Context, node: c_ast.Node, pointer: c_ast.Node, counter: str) -> c_ast.Node:
    """Build `*(pointer + k)` with the span of the call; `&array` counts as its first element."""
    if isinstance(pointer, c_ast.UnaryOp) and pointer.op == "&" and isinstance(pointer.expr, c_ast.ID):
        named = ctx.lookup(pointer.expr.name)
        if isinstance(named, Sym) and isinstance(named.type, ir.Array) and len(named.type.extents) == 1:
            pointer = pointer.expr
    whole = ctx.lookup(pointer.name) if isinstance(pointer, c_ast.ID) else None
    if isinstance(whole, Sym) and isinstance(whole.type, ir.Array) and len(whole.type.extents) > 1:
        what = f"`memcpy` or `memset` of `{whole.name}`, an array of several dimensions"
        raise ctx.reject(Code.NOT_SUPPORTED, node, what=what, help="copy the elements in loops")
    at = c_ast.BinaryOp("+", pointer, c_ast.ID(counter, node.coord), node.coord)
    made = c_ast.UnaryOp("*", at, node.coord)
    for part in (at.right, at, made):
        ctx.unit.written.stands_for(part, node)
    return made


def _refused(ctx: Context, node: c_ast.Node, name: str) -> Exception:
    what = f"`{name}` of something other than a number of elements of one type"
    return ctx.reject(Code.NOT_SUPPORTED, node, what=what, help="copy the elements in a loop")
