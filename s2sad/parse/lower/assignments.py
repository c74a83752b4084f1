"""Turn side effects inside expressions into statements, in C++17's evaluation order.

`x = y = z` becomes `y = z; x = y;`, and `a[i++] = b` becomes `a[i] = b; i += 1;`.
A value that is used after the variable changes is saved first: `x[i] = i++` becomes

    int i_was = i;
    i += 1;
    x[i] = i_was;

The right side of an assignment is evaluated before the left one; the operands of `&&`, `||`, `?:`,
the comma, shifts and subscripts from left to right. Other operands are unordered, so conflicting
side effects in them are refused (`expressions.pair`, `arguments.in_any_order`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import cast

from pycparser import c_ast

from ... import ir
from ...diagnostics import Code, Rejected, diagnose
from ...fields import field_of, leaves
from ...ir import Assign, Binary, Const, Declare, Expr, If, Place, Scalar, Sym, Unary
from ..desugar import side_effects
from ..sema import dispatch, evaluation
from ..sema.dispatch import lowers
from ..sema.meanings import Poisoned
from ..sema.scope import Context, all_of
from ..syntax import ast_utils
from ..types import types
from . import expressions
from .memory import pointer_forms, unions


@dispatch.changed.when(c_ast.Assignment)
def assign(ctx: Context, node: c_ast.Assignment) -> Place:
    """Emit an assignment and return the lvalue that it assigns to."""
    node = unions.stored(ctx, node) or node
    op = None if node.op == "=" else node.op
    if isinstance(node.rvalue, c_ast.InitList):
        owner = ast_utils.root(node.lvalue)
        if owner is not None and isinstance(ctx.lookup(owner.name), Poisoned):
            raise Rejected
        raise ctx.type_error(node.rvalue, "a brace list is assigned", "only a declaration can have one")
    if node.lvalue in ctx.expression.survey or node.rvalue in ctx.expression.survey:
        _one_order(ctx, node)
        result = evaluation.value(ctx, node.rvalue) if op else _stored(ctx, node)
        if node.lvalue in ctx.expression.survey and evaluation.stale(result, ctx.touched(node.lvalue).writes):
            result = ctx.keep(result)
        target = dispatch.place(ctx, node.lvalue)
    else:
        nodes = (node.rvalue, node.lvalue)
        results = all_of(
            lambda n: evaluation.value(ctx, n) if n is node.rvalue else dispatch.place(ctx, n), nodes
        )
        result, target = results[0], cast(Place, results[1])
    writable(ctx, node.lvalue, target)
    if op is None:
        result = evaluation.assignable(ctx, node.rvalue, result, target.type)
    else:
        result = _operand(ctx, node, op, target, result)
        if types.is_half(target.type):
            op = None
    if node is not ctx.expression.discarded:
        target = _steady(ctx, target)
    ctx.out.append(Assign(target, result, op, span=ctx.span(node)))
    return target


def _one_order(ctx: Context, node: c_ast.Assignment) -> None:
    """Refuse `m[i += n] += m[i]`: C++17 and nvcc evaluate the right side first, g++ 12 the left one."""
    if node.op != "=" and node.lvalue in ctx.expression.survey:
        clash = side_effects.inside(node.lvalue).clashes(side_effects.touched(node.rvalue))
        if clash:
            with ctx.collecting():
                right = evaluation.value(ctx, node.rvalue).type
            raise ctx.reject(Code.COMPILERS_DIFFER, node, name=min(clash), type=types.spell(right))


def _steady(ctx: Context, target: Place) -> Place:
    """Save the indices that a write to the lvalue itself would change: in `m[m[i]] = j` the index is kept."""
    written = frozenset({target.sym.variable})
    if not any(evaluation.stale(index, written) for index in target.index):
        return target
    return replace(
        target,
        index=tuple(
            ctx.keep(index, f"{target.sym.plain}_at") if evaluation.stale(index, written) else index
            for index in target.index
        ),
        spelling=None,
        macro=None,
    )


def _stored(ctx: Context, node: c_ast.Assignment) -> Expr:
    """Lower the right side of a plain assignment; a call with outputs may be stored directly."""
    if node.lvalue not in ctx.expression.survey and isinstance(node.rvalue, c_ast.FuncCall):
        target = dispatch.place(ctx, node.lvalue)
        written = ctx.touched(node.rvalue).writes
        if not any(evaluation.stale(index, written) for index in target.index):
            ctx.expression.direct = (node.rvalue, target.type)
    result = evaluation.value(ctx, node.rvalue)
    ctx.expression.direct = None
    return result


def _operand(ctx: Context, node: c_ast.Assignment, op: str, target: Place, result: Expr) -> Expr:
    """Return the right operand of `op=`, converted to the type of the operation."""
    if result.type == ir.VOID:
        raise ctx.type_error(node.rvalue, "a void value is used", "this has no value")
    if isinstance(target.type, ir.Pointer) and ctx.unit.emitted and op in ("+=", "-="):
        return result
    if types.is_half(target.type):  # the operator takes two operands of its type
        return expressions.binary(ctx, node, op[:-1], target, types.convert(result, target.type))
    if op in ("+=", "-=", "*=") and isinstance(target.type, Scalar) and target.type.is_integer:
        result = types.narrowed(result, target.type)
    done = expressions.binary(ctx, node, op[:-1], target, result)
    assert isinstance(done, Binary)
    return types.convert(result, done.type)


def swap(ctx: Context, node: c_ast.FuncCall, args: list[c_ast.Node]) -> Const:
    """Lower `std::swap(a, b)`: `a_was = a; a = b; b = a_was;`."""
    for arg in args:
        if arg in ctx.expression.survey:
            raise ctx.reject(Code.UNSEQUENCED_EFFECTS, node, name=ctx.unit.written.text(arg))
    one, two = (dispatch.place(ctx, arg) for arg in args)
    for arg, target in zip(args, (one, two), strict=True):
        writable(ctx, arg, target)
    if not types.same(one.type, two.type):
        raise ctx.type_error(
            node, f"a swap of {types.spell(one.type)} and {types.spell(two.type)}", "must be of one type"
        )
    if not isinstance(one.type, Scalar):
        raise ctx.reject(Code.POINTER_VALUE, node, name=one.sym.name)
    written = frozenset({one.sym.name, two.sym.name})
    if any(evaluation.stale(index, written) for index in two.index):  # `swap(i, m[i])` uses the old i
        kept = tuple(ctx.keep(index, f"{two.sym.name}_at") for index in two.index)
        two = replace(two, index=kept, spelling=None, macro=None)
    was = ctx.keep(one)
    ctx.out.append(Assign(one, two, span=ctx.span(node)))
    ctx.out.append(Assign(two, was, span=ctx.span(node)))
    return Const(0, ir.VOID)


def step(ctx: Context, node: c_ast.UnaryOp) -> Expr:
    """Lower `++v` and similar: emit the change and return the value of the expression."""
    target = dispatch.place(ctx, node.expr)
    writable(ctx, node.expr, target)
    type = target.type
    if not isinstance(type, Scalar) or type == ir.BOOL:
        raise ctx.type_error(node, f"`{node.op.strip('p')}` of {types.spell(type)}", "needs a number")
    if type.is_half:
        what = f"`{node.op.strip('p')}` of half precision"
        raise ctx.reject(Code.NOT_SUPPORTED, node, what=what, help="write the sum")
    meet = types.common(type, ir.INT)
    one = Const(1.0 if meet.is_float else 1, meet)
    op = "+=" if "+" in node.op else "-="
    if not node.op.startswith("p") and node is not ctx.expression.discarded:
        target = _steady(ctx, target)
    written = ctx.unit.written.text(node)
    if target.sym.name not in written and not target.index:  # a counter that the source doesn't name
        written = f"{node.op}{target.sym.name}"
    change = Assign(target, one, op, span=ctx.span(node), spelling=written)
    if not node.op.startswith("p") or node is ctx.expression.discarded:
        ctx.out.append(change)
        return target
    if ctx.expression.after is not None and not target.index and _alone(ctx, target.sym):
        ctx.expression.after.append(change)
        return target
    was = ctx.keep(target)
    ctx.out.append(change)
    return was


@dispatch.changed.when(c_ast.UnaryOp)
def _stepped(ctx: Context, node: c_ast.UnaryOp) -> Place:
    target = step(ctx, node)
    assert isinstance(target, Place)
    return target


def _alone(ctx: Context, sym: Sym) -> bool:
    """Whether the expression mentions the variable only once, and it has no alias."""
    return ctx.expression.survey.mentions[sym.variable] == 1 and sym not in ctx.referenced


def writable(ctx: Context, node: c_ast.Node, target: Place) -> None:
    """Refuse a write to a const lvalue."""
    type = target.sym.type
    whole = target.sym.within
    if whole is not None and whole.storage == "parameter" and not whole.const and not ctx.unit.emitted:
        own = leaves(whole.type) if isinstance(whole.type, ir.Struct) else ()
        if any(leaf.extents and leaf.path == target.sym.path for leaf in own):
            what = f"a store to the array `{target.sym.name}` of the kernel's parameter `{whole.name}`"
            help = f"copy it first: `{types.spell(whole.type)} own = {whole.name};`"
            raise ctx.reject(Code.NOT_SUPPORTED, node, what=what, help=help)
    const = type.const if isinstance(type, ir.Pointer) and target.index else target.sym.const
    if _is_mutable(ctx, target.sym):
        return
    if const or (not ctx.unit.emitted and pointer_forms.is_const(ctx, node)):
        declaration = ((target.sym.span, "declared here"),) if target.sym.span else ()
        problem = diagnose(Code.ASSIGNMENT_TO_CONST, ctx.span(node), name=target.sym.name)
        raise Rejected(replace(problem, related=declaration))
    if isinstance(target.type, ir.Array):
        raise ctx.type_error(node, f"the array `{target.sym.name}` is assigned to", "assign its elements")
    if isinstance(target.type, ir.Pointer) and not ctx.unit.emitted:
        raise ctx.reject(Code.POINTER_ARITHMETIC, node, name=target.sym.name)


def _is_mutable(ctx: Context, leaf: Sym) -> bool:
    """Whether a variable is a `mutable` field, which may be changed in a const object."""
    type: ir.Type | None = leaf.within.type if leaf.within is not None else None
    for name in leaf.path:
        while isinstance(type, ir.Pointer):
            type = type.target
        if not isinstance(type, ir.Struct):
            return False
        if name in getattr(ctx.unit.classes.get(type.name), "mutable", ()):
            return True
        type = field_of(replace(type, extents=()), name)
    return False


def logical(ctx: Context, node: c_ast.BinaryOp) -> Expr:
    """Lower `a && b` or `a || b` with side effects in `b`, which run only if `b` is evaluated."""
    kept = ctx.keep(evaluation.condition(ctx, node.left), "both" if node.op == "&&" else "either")
    with ctx.collecting() as inner, ctx.arm():
        result = evaluation.condition(ctx, node.right)
        ctx.out.append(Assign(kept, result, span=ctx.span(node)))
    test: Expr = kept if node.op == "&&" else Unary("!", kept, ir.BOOL)
    ctx.out.append(If(test, tuple(inner), span=ctx.span(node)))
    return kept


def in_both_branches(
    ctx: Context, node: c_ast.Node, choice: c_ast.TernaryOp, of: Callable[[c_ast.Node], c_ast.Node]
) -> Expr:
    """Lower an expression on a choice as a choice of that expression `of` each of the two."""
    sides = [of(side) for side in (choice.iftrue, choice.iffalse)]
    both = c_ast.TernaryOp(choice.cond, *sides, node.coord)
    for made in (*sides, both):
        ctx.unit.written.stands_for(made, node)
    if node is ctx.expression.discarded:
        ctx.expression.discarded = both
    return branches(ctx, both)


def branches(ctx: Context, node: c_ast.TernaryOp) -> Expr:
    """Lower `c ? a : b` with side effects in its branches to an `if`."""
    unused = node is ctx.expression.discarded
    cond = evaluation.condition(ctx, node.cond)
    with ctx.arm():
        with ctx.collecting() as then:
            first = _arm(ctx, node.iftrue, unused)
        with ctx.collecting() as other:
            second = _arm(ctx, node.iffalse, unused)
    span = ctx.span(node)
    if first is None or second is None:
        ctx.out.append(If(cond, tuple(then), tuple(other), span=span))
        return Const(0, ir.VOID, span=span)
    type = expressions.selected(ctx, node, first.type, second.type)
    if not isinstance(type, Scalar):
        raise ctx.reject(Code.POINTER_VALUE, node, name=ctx.unit.written.text(node))
    sym = Sym(ctx.fresh("chosen"), type, span=span, origin="lowering")
    target = Place(sym, (), type, span=span)
    then.append(Assign(target, types.convert(first, type), span=ctx.span(node.iftrue)))
    other.append(Assign(target, types.convert(second, type), span=ctx.span(node.iffalse)))
    ctx.out.append(Declare(sym, span=span))
    ctx.out.append(If(cond, tuple(then), tuple(other), span=span))
    return target


def _arm(ctx: Context, node: c_ast.Node, unused: bool) -> Expr | None:
    if not unused:
        expr = evaluation.value(ctx, node)
        if expr.type != ir.VOID:
            return expr
        evaluation._evaluate(ctx, node, expr)
    else:
        evaluation.discard(ctx, node)
    return None


@lowers(c_ast.ExprList)
def comma(ctx: Context, node: c_ast.ExprList) -> Expr:
    """Lower `a, b`: evaluate all but the last operand for their side effects."""
    for part in node.exprs[:-1]:
        evaluation.discard(ctx, part)
    last = node.exprs[-1]
    if node is ctx.expression.discarded:
        evaluation.discard(ctx, last)
        return Const(0, ir.VOID)
    return evaluation.value(ctx, last)
