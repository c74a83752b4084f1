"""Lower calls, operators and assignments whose value is of a struct type."""

from __future__ import annotations

from collections.abc import Iterable

from pycparser import c_ast

from ...diagnostics import Code
from ...fields import leaves
from ...ir import Expr, Struct
from ..sema import dispatch, evaluation
from ..sema.meanings import Access, Value
from ..sema.scope import Context
from ..syntax.qualified_types import Member
from ..syntax.templates import TemplateId
from ..types import types
from . import arguments, assignments, callees, half_precision, inline_calls, parameter_binding, struct_types
from .memory import carrier_words, struct_values, struct_variables


@dispatch.struct_value.when(c_ast.FuncCall)
def _call(ctx: Context, node: c_ast.FuncCall) -> Value:
    match node.name:
        case _ if callees.is_functor(ctx, node):
            return _a_struct(ctx, node, inline_calls.called(ctx, node))
        case c_ast.ID(name=name) if made := struct_types.made(ctx, name, node):
            return _vector(ctx, node, made)
        case c_ast.ID() if half_precision.static(ctx, node) is not None:
            return half_precision.value(ctx, node)
        case c_ast.ID() | TemplateId() | Member() if callees.devices(ctx, node):
            return _a_struct(ctx, node, inline_calls.call(ctx, node))
        case c_ast.StructRef():
            return _a_struct(ctx, node, inline_calls.called(ctx, node))
        case _ if dispatch.static(ctx, node) is None:  # returns a number, or is unknown
            return _a_struct(ctx, node, evaluation.value(ctx, node))
        case _:
            return struct_values.loaded(ctx, node, _load(ctx, node.args.exprs[0]))


@dispatch.struct_value.when(c_ast.UnaryOp, c_ast.BinaryOp)
def _operator(ctx: Context, node: c_ast.Node) -> Value:
    if isinstance(node, c_ast.UnaryOp) and node.op == "*" and struct_variables.is_access(ctx, node):
        return struct_values.loaded(ctx, node, struct_variables.access(ctx, node))
    if callees.operator(ctx, node) is None and half_precision.operated(ctx, node) is not None:
        return half_precision.operation(ctx, node)
    result = inline_calls.operation(ctx, node)
    assert isinstance(result, Value)
    return result


@dispatch.struct_value.when(c_ast.Assignment)
def _assigned(ctx: Context, node: c_ast.Assignment) -> Value:
    return struct_values.loaded(ctx, node.lvalue, assign(ctx, node))


def assign(ctx: Context, node: c_ast.Assignment) -> Access:
    """Lower `a = b` of structs to an assignment for each leaf; return the lvalue assigned to."""
    type = dispatch.static(ctx, node.lvalue)
    assert type is not None
    if carrier_words.is_word(type) and dispatch.static(ctx, node.rvalue) is None:
        raise struct_variables.not_a_number(ctx, node.lvalue, type)
    if node.op != "=" and (
        callees.operator(ctx, node) is not None or half_precision.operated(ctx, node) is None
    ):
        return compound(ctx, node)
    given = (
        half_precision.operation(ctx, node)
        if node.op != "="
        else dispatch.initialised(ctx, node.rvalue, type)
    )
    if node.lvalue in ctx.expression.survey:  # the right side is evaluated first
        written = ctx.touched(node.lvalue).writes
        leaves = {k: ctx.keep(e) if evaluation.stale(e, written) else e for k, e in given.leaves.items()}
        given = Value(given.type, leaves)
    target = struct_variables.access(ctx, node.lvalue)
    paths = [(*target.path, *path) for path, _ in given.leaves]
    if target.base is not None and target.struct is not None and not _has(target.struct, paths):
        raise ctx.type_error(node, "a struct where another type is expected", f"this is {given.type.name}")
    for key in list(given.leaves)[:1]:
        assignments.writable(
            ctx, node.lvalue, struct_variables.part(ctx, target, key[0], struct_values.constants_of(key[1]))
        )
    return struct_values.store(ctx, target, given, ctx.span(node))


def _has(struct: Struct, paths: Iterable[tuple[str, ...]]) -> bool:
    return {leaf.path for leaf in leaves(struct)}.issuperset(paths)


def _vector(ctx: Context, node: c_ast.FuncCall, made: Struct) -> Value:
    args = list(node.args.exprs) if node.args is not None else []
    if len(args) != len(made.fields):
        params = ", ".join(types.spell(f.type) for f in made.fields)
        raise ctx.reject(
            Code.WRONG_ARGUMENTS,
            node,
            name=node.name.name,
            given=f"{len(args)} values",
            known=f"{node.name.name}({params})",
        )
    values = arguments.numbers(ctx, node, args)
    return Value(
        made,
        {
            ((field.name,), ()): evaluation.assignable(ctx, arg, expr, field.type)
            for field, arg, expr in zip(made.fields, args, values, strict=True)
        },
    )


def _load(ctx: Context, node: c_ast.Node) -> Access:
    return (
        struct_variables.access(ctx, node.expr)
        if isinstance(node, c_ast.UnaryOp)
        else struct_variables.pointed(ctx, node)
    )


def _a_struct(ctx: Context, node: c_ast.Node, result: Value | Expr) -> Value:
    if isinstance(result, Value):
        return result
    spelled = types.spell(result.type)
    raise ctx.type_error(node, f"{spelled} does not convert to a struct", f"this is {spelled}")


def compound(ctx: Context, node: c_ast.Assignment) -> Access:
    """Lower `a += b` of structs by its operator; return the lvalue assigned to."""
    target = node.lvalue
    if evaluation.static_or_none(ctx, target) is None or callees.operator(ctx, node) is None:
        raise callees.no_operator(ctx, node)
    if node is not ctx.expression.discarded:
        what = f"the value of `{ctx.unit.written.text(node)}`"
        raise ctx.reject(Code.NOT_SUPPORTED, node, what=what, help="write it as a separate statement")
    same = parameter_binding.handed_back(ctx, target)
    inline_calls.operation(ctx, node)
    return struct_variables.access(ctx, target if same is None else same)
