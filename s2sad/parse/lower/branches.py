"""Lower branches and jumps: `if`, `switch`, `return`, and loops that a `return` may leave."""

from __future__ import annotations

from collections.abc import Sequence

from pycparser import c_ast

from ... import ir
from ...diagnostics import Code, Rejected, diagnose
from ...ir import Body, Const, Evaluate, Expr, Return
from ..sema import auto_types, constant_conditions, declarators, evaluation, headers
from ..sema.dispatch import runs
from ..sema.meanings import Alias, Jumped
from ..sema.scope import Context, all_of
from ..syntax.ast_utils import CaseRange, RangeFor
from ..syntax.templates import ConstantIf
from ..types import types
from . import loops, range_for, statements

_MOST_LABELS = 256
"""How many values one label may cover."""


@runs(ConstantIf)
def _constant_if(ctx: Context, node: ConstantIf) -> None:
    """Lower `if constexpr`: only the selected branch."""
    with ctx.full(node.cond):
        taken = evaluation.constant(ctx, evaluation.condition(ctx, node.cond))
    if taken is None:
        raise ctx.reject(
            Code.NOT_CONSTANT,
            node.cond,
            what="the condition of `if constexpr`",
            text=ctx.unit.written.text(node.cond),
            help="leave out `constexpr`",
        )
    branch = node.iftrue if taken else node.iffalse
    if branch is not None:
        statements.statement(ctx, branch)


@runs(c_ast.If)
def _if(ctx: Context, node: c_ast.If) -> None:
    known = constant_conditions.decided(ctx, node.cond)
    if known is not None:
        taken = node.iftrue if known else node.iffalse
        if taken is not None:
            statements.statement(ctx, taken)
        return
    node = constant_conditions.undecided(ctx, node)
    if node.iffalse is None and ctx.surveyed(node.cond).effectful:
        with ctx.full(node.cond):
            _guarded(ctx, node, _steps(ctx, node.cond))
        return
    cond: Expr = Const(False, ir.BOOL)
    try:
        with ctx.full(node.cond):
            cond = evaluation.condition(ctx, node.cond)
    except Rejected as rejected:
        ctx.note(rejected)
    then = statements.body(ctx, node.iftrue)
    other = statements.body(ctx, node.iffalse)
    ctx.out.append(ir.If(cond, then, other, span=ctx.unit.written.head(node)))


def _steps(ctx: Context, node: c_ast.Node) -> list[list[c_ast.Node]]:
    """Split a chain of `&&` into rows; an operand with side effects begins a new row."""
    operands: list[c_ast.Node] = []
    while isinstance(node, c_ast.BinaryOp) and node.op == "&&":
        operands.insert(0, node.right)
        node = node.left
    rows = [[node]]
    for operand in operands:
        if operand in ctx.expression.survey:
            rows.append([])
        rows[-1].append(operand)
    return rows


def _guarded(ctx: Context, node: c_ast.If, rows: list[list[c_ast.Node]]) -> None:
    """Lower `if (a && b) s` with side effects in b to `if (a) { b's effects; if (b) s }`."""
    test: Expr = Const(False, ir.BOOL)
    try:
        first, *others = all_of(lambda part: evaluation.condition(ctx, part), rows[0])
        test = first
        for other in others:
            test = ir.Binary("&&", test, other, ir.BOOL, span=ctx.span(node.cond), origin="author")
    except Rejected as rejected:
        ctx.note(rejected)
    if len(rows) > 1:
        with ctx.collecting() as then:
            _guarded(ctx, node, rows[1:])
        inner: Body = tuple(then)
    else:
        inner = statements.body(ctx, node.iftrue)
    ctx.out.append(ir.If(test, inner, span=ctx.unit.written.head(node)))


@runs(c_ast.Return)
def _return(ctx: Context, node: c_ast.Return) -> None:
    span = ctx.span(node)
    if ctx.returned is not None:
        ctx.returned.append(auto_types.value(ctx, node.expr) if node.expr is not None else ir.VOID)
        return
    if ctx.leaving is not None:
        ctx.leaving.count += 1
        ctx.leaving.store(node)
        true = Const(True, ir.BOOL, spelling="true")
        ctx.out += [ir.Assign(ctx.leaving.returned, true, span=span), ir.Break(span=span)]
        return
    if node.expr is None:
        if ctx.result != ir.VOID:
            raise ctx.type_error(node, "a return without a value", f"the result is {types.spell(ctx.result)}")
        ctx.out.append(Return(span=span))
        return
    with ctx.full(node.expr):
        if ctx.result == ir.VOID:
            expr = evaluation.value(ctx, node.expr)
            if expr.type != ir.VOID:
                raise ctx.type_error(node, "a value is returned from a void function", "this is not used")
            if isinstance(expr, ir.Call):
                ctx.out.append(Evaluate(expr, span=span))
            ctx.out.append(Return(span=span))
            return
        value = evaluation.converted(ctx, node.expr, ctx.result)
        ctx.out.append(Return(value, span=span))


def _switch(ctx: Context, node: c_ast.Switch) -> None:
    selector: Expr = Const(0, ir.INT)
    try:
        with ctx.full(node.cond):
            found, type = evaluation.arithmetic(ctx, node.cond)
            if not type.is_integer:
                raise ctx.type_error(node.cond, "a switch needs an integer", f"this is {type.name}")
            selector = types.convert(found, types.promote(type))
    except Rejected as rejected:
        ctx.note(rejected)
    cases: list[ir.Case] = []
    seen: set[int | None] = set()
    with ctx.scope():
        pending: list[c_ast.Node] = []
        for item in statements.items_of(node.stmt):
            if not isinstance(item, c_ast.Case | c_ast.Default):
                if not isinstance(item, c_ast.EmptyStatement):
                    ctx.note(
                        ctx.reject(
                            Code.NOT_SUPPORTED,
                            item,
                            what="a statement before the first label",
                            help="move it before the switch",
                        )
                    )
                continue
            pending.append(item)
            if item.stmts:
                cases.append(_segment(ctx, pending, seen, selector))
                pending = []
        if pending:
            cases.append(_segment(ctx, pending, seen, selector))
    ctx.out.append(ir.Switch(selector, tuple(cases), span=ctx.unit.written.head(node)))


def _segment(ctx: Context, labels: list[c_ast.Node], seen: set[int | None], selector: Expr) -> ir.Case:
    """Lower the statements from one group of labels to the next."""
    values: list[int | None] = []
    spelled: list[str] = []
    for label in labels:
        try:
            for value in _labels(ctx, label, selector):
                if value in seen:
                    raise Rejected(
                        diagnose(
                            Code.TYPE_ERROR,
                            headers.label(ctx, [label]),
                            title="a label occurs twice in one switch",
                            label="second time",
                        )
                    )
                seen.add(value)
                values.append(value)
                spelled.append(_spelled(ctx, label, value))
        except Rejected as rejected:
            ctx.note(rejected)
    stmts = labels[-1].stmts or []
    braced = len(stmts) == 1 and isinstance(stmts[0], c_ast.Compound)
    if braced:
        stmts = statements.items_of(stmts[0])
    with ctx.scope() as scope, ctx.collecting() as out, ctx.within("switch"):
        statements.statements(ctx, stmts)
    for name, named in scope.items():
        if isinstance(named, ir.Sym | Alias) and not braced:
            ctx.scopes[-1][name] = Jumped(named)
    return ir.Case(tuple(values), tuple(out), tuple(spelled), span=headers.label(ctx, labels))


def _spelled(ctx: Context, label: c_ast.Node, value: int | None) -> str:
    if value is None:
        return "default"
    return str(value) if isinstance(label.expr, CaseRange) else declarators.portable(ctx, label.expr, value)


def _labels(ctx: Context, node: c_ast.Node, selector: Expr) -> Sequence[int | None]:
    """Return the values of a label; None stands for `default`."""
    if isinstance(node, c_ast.Default):
        return [None]
    if not isinstance(node.expr, CaseRange):
        return [_label(ctx, node.expr, selector)]
    first, last = (_label(ctx, end, selector) for end in (node.expr.first, node.expr.last))
    if last - first >= _MOST_LABELS:
        what = f"a case range of {last - first + 1} values"
        raise ctx.reject(Code.NOT_SUPPORTED, node.expr, what=what, help="write an `if` before the switch")
    return range(first, last + 1)


def _label(ctx: Context, node: c_ast.Node, selector: Expr) -> int:
    with ctx.full(node):
        expr = evaluation.value(ctx, node)
        value = evaluation.constant_integer(ctx, types.convert(expr, selector.type))
    if value is None:
        raise ctx.reject(
            Code.NOT_CONSTANT,
            node,
            what="a case label",
            text=ctx.unit.written.text(node),
            help="use a number, a macro or an enumerator",
        )
    return value


@runs(c_ast.For, c_ast.While, c_ast.DoWhile, c_ast.Switch)
def _left_by_a_return(ctx: Context, node: c_ast.Node) -> None:
    """Lower a loop or a switch; if a `return` may leave it, leave the enclosing one too."""
    leaving = ctx.leaving
    before = leaving.count if leaving is not None else 0
    match node:
        case c_ast.For():
            loops.for_loop(ctx, node)
        case c_ast.While():
            loops.while_loop(ctx, node)
        case c_ast.DoWhile():
            loops.do_loop(ctx, node)
        case _:
            _switch(ctx, node)
    if leaving is not None and leaving.count > before and ctx.around:
        span = ctx.span(node)
        ctx.out.append(ir.If(leaving.returned, (ir.Break(span=span),), span=span))


@runs(c_ast.Break)
def _break(ctx: Context, node: c_ast.Break) -> None:
    if not ctx.around:
        raise ctx.type_error(node, "a break outside a loop or switch", "no enclosing loop or switch")
    ctx.out.append(ir.Break(span=ctx.span(node)))


@runs(c_ast.Continue)
def _continue(ctx: Context, node: c_ast.Continue) -> None:
    if "loop" not in ctx.around:
        raise ctx.type_error(node, "a continue outside a loop", "no enclosing loop")
    ctx.out.append(ir.Continue(span=ctx.span(node)))


@runs(c_ast.Goto, c_ast.Label)
def _goto(ctx: Context, node: c_ast.Node) -> None:
    raise ctx.reject(Code.GOTO, node)


@runs(c_ast.Case, c_ast.Default)
def _stray_label(ctx: Context, node: c_ast.Node) -> None:
    raise Rejected(diagnose(Code.LABEL_IN_STATEMENT, headers.label(ctx, [node])))


@runs(RangeFor)
def _range_for(ctx: Context, node: RangeFor) -> None:
    taken = set(ctx.taken)
    statements.statement(ctx, loop := range_for.counted(ctx, node))
    ctx.taken -= {loop.init.decls[0].name} - taken  # the next loop may use the name
