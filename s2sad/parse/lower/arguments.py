"""Lower the arguments of calls, whose evaluation order is unspecified, and choose the overload."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pycparser import c_ast

from ... import ir
from ...diagnostics import Code, Rejected
from ...ir import Expr, Scalar, Type
from ..sema import dispatch, evaluation
from ..sema.scope import Context, all_of
from ..types import overload_resolution
from . import callees


def in_any_order(
    ctx: Context,
    node: c_ast.Node,
    args: Sequence[c_ast.Node],
    places: Collection[int] = (),
    *,
    object_first: bool = False,
) -> None:
    """Refuse arguments with conflicting side effects: C++ doesn't specify their evaluation order.

    An argument in `places` that is a bare variable is accessed only by the call: `s.push(s.pop())`.
    With `object_first`, the first argument is a method's object, which is evaluated before the others.
    """
    if any(arg in ctx.expression.survey for arg in args):
        bare = {k for k in places if isinstance(args[k], c_ast.ID)}
        touched = [ctx.touched(arg) for k, arg in enumerate(args) if k not in bare]
        for k, one in enumerate(touched):
            for two in touched[object_first:k]:
                clash = one.clashes(two)
                if clash:
                    raise ctx.reject(Code.UNSEQUENCED_EFFECTS, node, name=min(clash))


def values(ctx: Context, node: c_ast.Node, args: list[c_ast.Node]) -> list[Expr]:
    """Lower the arguments, whose evaluation order is unspecified."""
    in_any_order(ctx, node, args)
    devices = ctx.unit.functions.get(node.name.name, ()) if node.name.name not in ctx.function.through else ()
    if not ctx.unit.emitted and any(isinstance(p, ir.Pointer) for d in devices for p in d.params):
        what = f"`{node.name.name}`, which takes a pointer through a type alias"
        raise ctx.reject(
            Code.NOT_SUPPORTED, node, what=what, help="write the parameter with a `*`: `float *p`"
        )
    takes = callees.argument if node.name.name in ctx.function.through else _argument
    return all_of(lambda arg: takes(ctx, arg), args)


def numbers(ctx: Context, node: c_ast.Node, args: list[c_ast.Node]) -> list[Expr]:
    """Lower the arguments of a function that takes numbers only."""
    return all_of(lambda pair: _number(ctx, *pair), list(zip(args, values(ctx, node, args), strict=True)))


def _number(ctx: Context, node: c_ast.Node, expr: Expr) -> Expr:
    if expr.type == ir.VOID:
        raise ctx.type_error(node, "a void value is used", "this has no value")
    return expr


def _argument(ctx: Context, node: c_ast.Node) -> Expr:
    if isinstance(node, c_ast.UnaryOp) and node.op == "&":
        if not ctx.unit.emitted:
            raise ctx.reject(Code.ADDRESS_OF, node, name=ctx.unit.written.text(node.expr))
        return address(ctx, node.expr)
    expr = evaluation.value(ctx, node)
    if not isinstance(expr.type, Scalar) and not ctx.unit.emitted:
        raise ctx.reject(Code.POINTER_ARITHMETIC, node, name=ctx.unit.written.text(node))
    return expr


def choose(
    ctx: Context, node: c_ast.FuncCall, choices: Sequence[Sequence[Type]], values: Sequence[Expr]
) -> int:
    """Return the index of the overload that fits these values best. Refuse if none or several do."""
    best = overload_resolution.choose(choices, [v.type for v in values])
    if not best:
        raise wrong(ctx, node, values, choices)
    if len(best) > 1:
        picked = overload_resolution.mathematical(choices, [v.type for v in values])
        if picked is not None:
            return picked
        raise wrong(ctx, node, values, choices, ambiguous=True)
    return best[0]


def wrong(
    ctx: Context,
    node: c_ast.FuncCall,
    values: Sequence[Expr],
    choices: Sequence[Sequence[Type]],
    ambiguous: bool = False,
) -> Rejected:
    """Return the refusal of a call whose values fit none of the overloads, or several."""
    return callees.wrong(ctx, node, node.name.name, [v.type for v in values], choices, ambiguous=ambiguous)


def stray_address(ctx: Context, node: c_ast.UnaryOp) -> Expr:
    """Lower or refuse `&v` where it isn't an argument."""
    if ctx.unit.emitted:
        return address(ctx, node.expr)
    raise ctx.reject(Code.ADDRESS_OF, node, name=ctx.unit.written.text(node.expr))


def address(ctx: Context, node: c_ast.Node) -> ir.AddressOf:
    """Lower `&place`, where an address is allowed; in emitted code it may be that of a row or an array."""
    found = dispatch.place(ctx, node, rows=ctx.unit.emitted)
    target = found.type
    if not isinstance(target, Scalar) and not (ctx.unit.emitted and isinstance(target, ir.Array)):
        raise ctx.reject(Code.ADDRESS_OF, node, name=ctx.unit.written.text(node))
    type = found.sym.type
    const = type.const if isinstance(type, ir.Pointer) else found.sym.const
    return ir.AddressOf(found, ir.Pointer(target, const=const), span=ctx.span(node))
