"""Lower expressions to what the context needs: a value, a condition, a number, a conversion, side effects.

The handler of a node's class (`dispatch.lowers`) makes the value; the span, the spelling and the
author as its origin, which every value needs, are added here.
"""

from __future__ import annotations

from dataclasses import replace

from pycparser import c_ast

from ... import ir
from ...diagnostics import Code, Rejected
from ...ir import Const, Evaluate, Expr, Place, Scalar, Struct, Type
from ..syntax import ast_utils
from ..types import constant_folding, types
from . import dispatch, null_checks
from .meanings import Bound
from .scope import Context


def value(ctx: Context, node: c_ast.Node) -> Expr:
    """Lower an expression to a pure value; its side effects are appended to `ctx.out`."""
    expr = dispatch.expression(ctx, node)
    own = expr.spelling if isinstance(expr, Const) else None
    span = ctx.span(node)
    if ctx.inside and expr.span is not None and isinstance(node, c_ast.ID | c_ast.StructRef):
        found = ast_utils.root(node)
        if found is not None and isinstance(ctx.lookup(found.name), Bound):
            return expr  # the argument, with the span in the caller
    if node in ctx.expression.survey:
        return expr if expr.span is not None else replace(expr, span=span, origin="author")
    spelled = ctx.spelling(node)
    if spelled is None:
        spelled = (own, None) if own is not None else None
    if spelled is None:
        return replace(expr, span=span, origin="author")
    return replace(expr, span=span, spelling=spelled[0], macro=spelled[1], origin="author")


def condition(ctx: Context, node: c_ast.Node) -> Expr:
    """Lower an expression to a `bool`."""
    if (found := null_checks.present(ctx, node)) is not None:
        return found
    expr, _ = arithmetic(ctx, node)
    return types.truth(expr)


def scalar(ctx: Context, node: c_ast.Node) -> Expr:
    """Lower an expression that must be arithmetic, unless in emitted code."""
    expr = value(ctx, node)
    match expr.type:
        case Scalar(kind="void"):
            raise ctx.type_error(node, "a void value is used", "this has no value")
        case Scalar():
            return expr
        case _:
            if ctx.unit.emitted:
                return expr
            raise pointer_value(ctx, node, expr)


def arithmetic(ctx: Context, node: c_ast.Node) -> tuple[Expr, Scalar]:
    """Lower an expression that must be arithmetic also in emitted code; return its type too."""
    expr = scalar(ctx, node)
    if not isinstance(expr.type, Scalar):
        raise pointer_value(ctx, node, expr)
    return expr, expr.type


def pointer_value(ctx: Context, node: c_ast.Node, expr: Expr) -> Rejected:
    """Return the refusal of a pointer where a number is expected."""
    if isinstance(expr, Place) and not expr.index:
        return ctx.reject(Code.POINTER_VALUE, node, name=expr.sym.name)
    return ctx.reject(Code.POINTER_ARITHMETIC, node, name=ctx.unit.written.text(node))


def converted(ctx: Context, node: c_ast.Node, to: Type) -> Expr:
    """Lower an expression and convert it as by assignment to the type."""
    expr = value(ctx, node)
    return assignable(ctx, node, expr, to)


def assignable(ctx: Context, node: c_ast.Node, expr: Expr, to: Type) -> Expr:
    """Convert an expression to a type, if C++ converts it implicitly."""
    match expr.type, to:
        case (_, Scalar(kind="void")) | (Scalar(kind="void"), _):
            raise ctx.type_error(node, "a void value is used", "this has no value")
        case Scalar(), Scalar():
            return types.convert(expr, to)
        case ir.Array(element, extents), ir.Pointer(target) if ctx.unit.emitted:
            const = isinstance(expr, Place) and expr.sym.const
            if len(extents) == 1 and types.same(element, target) and (to.const or not const):
                return expr
        case ir.Pointer(), ir.Pointer() if ctx.unit.emitted and types.same(expr.type, to):
            if to.const or not expr.type.const:
                return expr
    if not ctx.unit.emitted and not isinstance(expr.type, Scalar):
        raise pointer_value(ctx, node, expr)
    raise ctx.type_error(
        node,
        f"{types.spell(expr.type)} does not convert to {types.spell(to)}",
        f"this is {types.spell(expr.type)}",
    )


def stale(expr: Expr, written: frozenset[str]) -> bool:
    """Whether writing these variables changes the value of an expression that is evaluated later."""
    return any(isinstance(part, Place) and part.sym.variable in written for part in ir.walk(expr))


def constant(ctx: Context, expr: Expr) -> constant_folding.Number | None:
    """Return the value of a constant expression; None for any other."""
    return constant_folding.evaluate(expr, ctx.function.values, ctx.unit.bodies)


def constant_integer(ctx: Context, expr: Expr) -> int | None:
    """Return the value of a constant integer expression; None for any other."""
    return constant_folding.integer(expr, ctx.function.values, ctx.unit.bodies)


def index(ctx: Context, node: c_ast.Node) -> Expr:
    """Lower an index, or a number of elements that a pointer is moved by."""
    expr, type = arithmetic(ctx, node)
    if not type.is_integer:
        raise ctx.type_error(node, "an index must be an integer", f"this is {type.name}")
    return expr


def discard(ctx: Context, node: c_ast.Node) -> None:
    """Evaluate an expression for its side effects only."""
    outer, ctx.expression.discarded = ctx.expression.discarded, node
    if not isinstance(node, c_ast.Assignment) and dispatch.static(ctx, node) is not None:
        dispatch.struct_value(ctx, node)
        ctx.expression.discarded = outer
        return
    expr = value(ctx, node)
    ctx.expression.discarded = outer
    _evaluate(ctx, node, expr)


def _evaluate(ctx: Context, node: c_ast.Node, expr: Expr) -> None:
    """Emit an unused call as a statement; drop any other pure value."""
    if isinstance(expr, ir.Call):
        ctx.out.append(Evaluate(expr, span=ctx.span(node)))


def static_or_none(ctx: Context, node: c_ast.Node) -> Struct | None:
    """Return the struct type of an expression; None for a brace list, whose type depends on its target."""
    return None if isinstance(node, c_ast.InitList) else dispatch.static(ctx, node)
