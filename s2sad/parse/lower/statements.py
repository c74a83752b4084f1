"""Lower statements in C++17's evaluation order, each with its span in the file.

A statement that is refused is recorded and left out, and lowering goes on with the
next, so that all problems of a kernel are reported at once.
"""

from __future__ import annotations

from collections.abc import Sequence

from pycparser import c_ast

from ... import ir
from ...diagnostics import Rejected
from ...ir import Body, Const, Declare, Evaluate, Return, Stmt
from ..sema import dispatch, evaluation, headers
from ..sema.dispatch import runs
from ..sema.scope import Context
from ..syntax.ast_utils import Rest
from . import accessor_methods, tensor_rows
from .memory import pointer_moves


def body(ctx: Context, node: c_ast.Node | None) -> Body:
    """Lower a brace block, or a single statement, in a scope of its own."""
    with ctx.scope(), ctx.collecting() as out:
        statements(ctx, items_of(node))
    return tuple(out)


def items_of(node: c_ast.Node | None) -> Sequence[c_ast.Node]:
    """Return the statements in a brace block, or the single statement."""
    if isinstance(node, c_ast.Compound):
        return node.block_items or ()
    return () if node is None else (node,)


def statements(ctx: Context, nodes: Sequence[c_ast.Node]) -> None:
    """Lower a sequence of statements; record refusals."""
    later = ctx.later
    for k, node in enumerate(nodes):
        ctx.later = Rest(nodes, k + 1)
        if (opened := tensor_rows.opened(ctx, node, nodes[k + 1 :])) is not None:
            statements(ctx, opened)
            break
        try:
            if ctx.aliases:
                pointer_moves.move(ctx, node)
            statement(ctx, node)
        except Rejected as rejected:
            ctx.note(rejected)
        if not isinstance(node, c_ast.Pragma):
            ctx.pragmas.clear()
    ctx.later = later


def statement(ctx: Context, node: c_ast.Node) -> None:
    """Lower one statement and append the result to `ctx.out`."""
    dispatch.statement(ctx, accessor_methods.opened(ctx, node))


@runs(c_ast.EmptyStatement, c_ast.StaticAssert, c_ast.AttributeDeclaration)
def _nothing(ctx: Context, node: c_ast.Node) -> None:
    pass


@runs(c_ast.Compound)
def _block(ctx: Context, node: c_ast.Compound) -> None:
    inner = body(ctx, node)
    if inner:
        ctx.out.append(ir.Block(inner, span=ctx.span(node)))


@runs(c_ast.Pragma)
def _pragma(ctx: Context, node: c_ast.Pragma) -> None:
    ctx.pragmas.append(ctx.substituted(f"#pragma {headers.pragma(node)}"))


@runs(c_ast.AttributedStatement)
def _attributed(ctx: Context, node: c_ast.AttributedStatement) -> None:
    statement(ctx, node.stmt)


@dispatch.statement.otherwise
def expression_statement(ctx: Context, node: c_ast.Node) -> None:
    """Lower `x = e;`, `++i;`, `f(&x);`: an expression evaluated for its side effects."""
    with ctx.full(node, delay=True):
        before = len(ctx.out)
        evaluation.discard(ctx, node)
        headers.widen(ctx, node, before)


def ends(stmts: Sequence[Stmt]) -> bool:
    """Whether control can't run past the end of these statements."""
    if not stmts:
        return False
    match stmts[-1]:
        case Return():
            return True
        case ir.If(then=then, other=other):
            return ends(then) and ends(other)
        case ir.Block(body=inner):
            return ends(inner)
        case ir.For(cond=None, body=inner) | ir.While(cond=Const(value=True), body=inner):
            return not breaks(inner)
        case ir.DoWhile(cond=Const(value=True), body=inner):
            return not breaks(inner)
        case ir.Switch(cases=cases):
            labels = [label for case in cases for label in case.labels]
            falls = [case for case in cases if breaks(case.body)]
            return None in labels and not falls and bool(cases) and ends(cases[-1].body)
        case Declare() | Evaluate() | _:
            return False


def breaks(stmts: Sequence[Stmt]) -> bool:
    """Whether a `break` in these statements leaves the loop or the switch around them."""
    for stmt in stmts:
        match stmt:
            case ir.Break():
                return True
            case ir.If(then=then, other=other):
                if breaks(then) or breaks(other):
                    return True
            case ir.Block(body=inner):
                if breaks(inner):
                    return True
            case _:
                pass
    return False
