"""Lower operators, including those on structs, pointers and numbers of half precision."""

from __future__ import annotations

import copy

from pycparser import c_ast

from ... import ir
from ...diagnostics import Code
from ...fields import alignment
from ...ir import Binary, Cast, Const, Expr, Select, Unary
from ..sema import constant_conditions, declarators, dispatch, evaluation, null_checks
from ..sema.dispatch import lowers
from ..sema.meanings import Value
from ..sema.scope import Context, all_of
from ..syntax import ast_utils
from ..types import types
from . import arguments, assignments, expressions, half_precision, inline_calls, struct_operations
from .memory import glvalues, moving_pointers, pointer_forms, struct_variables, type_punning


def _of_structs(ctx: Context, node: c_ast.Node) -> bool:
    """Whether an operator has a struct among its operands."""
    if isinstance(node, c_ast.UnaryOp) and (node.op in ("*", "&", "sizeof") or "lignof" in node.op):
        return False
    return any(dispatch.static(ctx, part) is not None for part in ast_utils.operands(node))


def _unused(ctx: Context, node: c_ast.Node) -> Expr:
    """Refuse to use the value of an expression that moves a pointer."""
    if node is not ctx.expression.discarded:
        raise ctx.reject(Code.POINTER_VALUE, node, name=ctx.unit.written.text(node))
    return Const(0, ir.VOID)


def _by_function(ctx: Context, node: c_ast.Node) -> Expr | None:
    """Lower an operator on structs or pairs to the number it returns; None for other operands."""
    if half_precision.operated(ctx, node) is not None:
        raise struct_variables.not_a_number(ctx, node, dispatch.struct_value(ctx, node).type)
    if not ctx.overloaded or not _of_structs(ctx, node):
        return None
    result = inline_calls.operation(ctx, node)
    if isinstance(result, Value):
        raise struct_variables.not_a_number(ctx, node, result.type)
    return result


@lowers(c_ast.UnaryOp)
def _unary(ctx: Context, node: c_ast.UnaryOp) -> Expr:
    if node.op == "*" and (read := type_punning.value(ctx, node)) is not None:
        return read
    if (found := _by_function(ctx, node)) is not None:
        return found
    match node.op:
        case "++" | "--" | "p++" | "p--":
            if (choice := glvalues.chosen(node.expr)) is not None:
                return _of_chosen(ctx, node, choice, ())
            if pointer_forms.is_pointer(ctx, node.expr):
                moving_pointers.step(ctx, node)
                return _unused(ctx, node)
            return assignments.step(ctx, node)
        case "*":
            return dispatch.place(ctx, node)
        case "&":
            return arguments.stray_address(ctx, node)
        case "!":
            return Unary("!", evaluation.condition(ctx, node.expr), ir.BOOL)
        case "sizeof":
            return expressions.size_of(ctx, node)
        case "alignof" | "_Alignof" | "__alignof__" | "__alignof":
            return Const(alignment(declarators.type_of(ctx, node.expr.type)[0]), ir.SIZE_T)
        case "-" | "+" | "~":
            operand, type = evaluation.arithmetic(ctx, node.expr)
            if node.op == "~" and type.is_float:
                raise ctx.type_error(node, f"`~` of {type.name}", "needs an integer")
            if type.is_half:
                return Cast(Unary(node.op, types.widened(operand), ir.FLOAT), type, implicit=True)
            type = types.promote(type)
            return Unary(node.op, types.convert(operand, type), type)
        case _:
            raise ctx.reject(
                Code.NOT_SUPPORTED,
                node,
                what=f"the operator `{node.op}`",
                help="write it with other operators",
            )


@lowers(c_ast.BinaryOp)
def _binary(ctx: Context, node: c_ast.BinaryOp) -> Expr:
    if (found := _by_function(ctx, node)) is not None:
        return found
    if node.op in ("&&", "||"):
        return _logical(ctx, node)
    if (found := null_checks.tested(ctx, node)) is not None:
        return found
    if moving_pointers.compares(ctx, node):
        return moving_pointers.compared(ctx, node)
    return expressions.binary_operation(ctx, node)


@lowers(c_ast.Assignment)
def _assignment(ctx: Context, node: c_ast.Assignment) -> Expr:
    if (choice := glvalues.chosen(node.lvalue)) is not None:
        return _of_chosen(ctx, node, choice, (node.rvalue,))
    if glvalues.named(node.lvalue) is not node.lvalue and dispatch.static(ctx, node.lvalue) is not None:
        return _to_assigned(ctx, node)
    if pointer_forms.is_pointer(ctx, node.lvalue):
        moving_pointers.assign(ctx, node)
        return _unused(ctx, node)
    if dispatch.static(ctx, node.lvalue) is not None:
        struct_operations.assign(ctx, node)
        return Const(0, ir.VOID)
    if isinstance(node.rvalue, c_ast.FuncCall) and dispatch.static(ctx, node.rvalue) is not None:
        dispatch.place(ctx, node.lvalue)  # if that is refused, don't report the struct
    return assignments.assign(ctx, node)


def _of_chosen(
    ctx: Context, node: c_ast.Node, chosen: c_ast.TernaryOp, others: tuple[c_ast.Node, ...]
) -> Expr:
    """Lower `(c ? a : b) *= v` as `c ? a *= v : b *= v`; refused where evaluating `v` first may matter."""
    if chosen.cond in ctx.expression.survey or any(other in ctx.expression.survey for other in others):
        help = "assign the condition and the value to variables first: `bool c = …;`, `float v = …;`"
        raise ctx.reject(Code.NOT_SUPPORTED, node, what="a choice of lvalues with side effects", help=help)

    def of(side: c_ast.Node) -> c_ast.Node:
        made = copy.copy(node)
        setattr(made, "lvalue" if isinstance(node, c_ast.Assignment) else "expr", side)
        return made

    return assignments.in_both_branches(ctx, node, chosen, of)


def _to_assigned(ctx: Context, node: c_ast.Assignment) -> Expr:
    """Lower `(a = b) += v` as `a = b, a += v`; refused where evaluating `v` first may matter."""
    alone = node is ctx.expression.discarded
    if not alone or ctx.touched(node.lvalue).clashes(ctx.touched(node.rvalue)):
        what = f"`{ctx.unit.written.text(node)}`, which assigns twice"
        raise ctx.reject(Code.NOT_SUPPORTED, node, what=what, help="write two statements")
    target = glvalues.settled(ctx, node.lvalue)
    made = c_ast.Assignment(node.op, target, node.rvalue, node.coord)
    ctx.unit.written.stands_for(made, node)
    ctx.expression.discarded = made
    return _assignment(ctx, made)


def _logical(ctx: Context, node: c_ast.BinaryOp) -> Expr:
    if node.right not in ctx.expression.survey:
        taken = set(ctx.taken)
        with ctx.collecting() as extra:
            left, right = all_of(
                lambda part: evaluation.condition(ctx, part[1]) if part[0] else _second(ctx, part[1], extra),
                ((True, node.left), (False, node.right)),
            )
        if right is not None:
            ctx.out.extend(extra)
            assert left is not None
            return Binary(node.op, left, right, ir.BOOL)
        ctx.taken.intersection_update(taken)
    return assignments.logical(ctx, node)


def _second(ctx: Context, node: c_ast.Node, before: list[ir.Stmt]) -> Expr | None:
    """Lower the right operand of `&&`; None if it needs statements, which may not always run."""
    count = len(before)
    with ctx.arm():
        found = evaluation.condition(ctx, node)
    return found if len(before) == count else None


@lowers(c_ast.TernaryOp)
def _select(ctx: Context, node: c_ast.TernaryOp) -> Expr:
    if node.iftrue in ctx.expression.survey or node.iffalse in ctx.expression.survey:
        return assignments.branches(ctx, node)
    if (known := constant_conditions.decided(ctx, node.cond)) is not None:
        return _decided(ctx, node, known)
    parts = ((True, node.cond), (False, node.iftrue), (False, node.iffalse))  # some may be the same node
    taken = set(ctx.taken)
    with ctx.collecting() as extra:
        cond, then, other = all_of(
            lambda part: evaluation.condition(ctx, part[1]) if part[0] else _chosen(ctx, part[1], extra),
            parts,
        )
    if then is None or other is None:
        ctx.taken.intersection_update(taken)
        return assignments.branches(ctx, node)
    ctx.out.extend(extra)
    assert cond is not None
    type = expressions.selected(ctx, node, then.type, other.type)
    return Select(cond, types.convert(then, type), types.convert(other, type), type)


def _decided(ctx: Context, node: c_ast.TernaryOp, known: bool) -> Expr:
    """Lower the branch that a known condition selects, converted to the common type of both."""
    taken, other = (node.iftrue, node.iffalse) if known else (node.iffalse, node.iftrue)
    found = evaluation.value(ctx, taken)
    names = set(ctx.taken)
    with ctx.collecting(), ctx.arm():
        type = expressions.selected(ctx, node, found.type, evaluation.value(ctx, other).type)
    ctx.taken.intersection_update(names)
    return types.convert(found, type)


def _chosen(ctx: Context, node: c_ast.Node, before: list[ir.Stmt]) -> Expr | None:
    """Lower one branch of `?:`; None if it needs statements, which don't always run."""
    count = len(before)
    with ctx.arm():
        found = evaluation.value(ctx, node)
    return found if len(before) == count else None
