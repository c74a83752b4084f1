"""Evaluate conditions that are known in lowering: `if (MODE == SUM)` in an instance of a template.

A condition on template arguments is known for the whole instance; one on a caller's null pointer
or literal is known where that call is inlined. Only the selected branch is lowered; the other may
not even be valid for these arguments. `MODE == MIN && v < *best` is simplified to `v < *best`.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence

from pycparser import c_ast

from ...diagnostics import Rejected
from ...ir import Const
from . import evaluation, null_checks
from .meanings import Bound
from .scope import Context


def decided(ctx: Context, node: c_ast.Node, *, numbers: bool = False) -> bool | None:
    """Return the value of a condition that the arguments of a template or of a call determine, else None.

    With `numbers`, only if these are numbers, which are constant throughout the function.
    """
    match node:
        case c_ast.UnaryOp(op="!", expr=inner):
            known = decided(ctx, inner, numbers=numbers)
            return None if known is None else not known
        case c_ast.BinaryOp(op="&&" | "||", left=left, right=right):
            ends = node.op == "||"  # the operand value that decides the result
            known, other = (decided(ctx, part, numbers=numbers) for part in (left, right))
            if known is ends or (other is ends and not ctx.surveyed(left).effectful):
                return ends
            return None if known is None else other
        case _ if _names_number(ctx, node):
            return _value(ctx, node)
        case _:
            return None if numbers else null_checks.absent(ctx, node)


def taken(ctx: Context, items: Sequence[c_ast.Node]) -> Sequence[c_ast.Node]:
    """Return the statements of a function, up to a return that its constant conditions select."""
    left: list[c_ast.Node] = []
    for item in items:
        chosen: c_ast.Node | None = item
        while isinstance(chosen, c_ast.If) and (
            (known := decided(ctx, chosen.cond, numbers=True)) is not None
        ):
            chosen = chosen.iftrue if known else chosen.iffalse
        match chosen:
            case None:
                pass
            case c_ast.Return():
                return [*left, chosen]
            case c_ast.Compound(block_items=[*_, c_ast.Return()]) if chosen is not item:
                return [*left, *taken(ctx, chosen.block_items)]
            case _:
                left.append(chosen)
    return left


def undecided(ctx: Context, node: c_ast.If) -> c_ast.If:
    """Drop the known operands of a condition that isn't known as a whole."""
    left = _rest(ctx, node.cond)
    if left is node.cond:
        return node
    made = copy.copy(node)
    made.cond = left
    return made


def _rest(ctx: Context, node: c_ast.Node) -> c_ast.Node:
    match node:
        case c_ast.BinaryOp(op="&&" | "||", left=left, right=right):
            if decided(ctx, left) is not None:
                return _rest(ctx, right)
            if decided(ctx, right) is not None:
                return _rest(ctx, left)
    return node


def _names_number(ctx: Context, node: c_ast.Node) -> bool:
    """Whether a condition names a number that an argument determines, and has no side effects."""
    match node:
        case c_ast.ID(name=name) if name not in ctx.scopes[0]:
            match ctx.lookup(name):
                case Const():
                    return True
                case Bound(values=values):
                    return all(isinstance(e, Const) and e.macro is None for e in values.values())
            return False
        case c_ast.FuncCall() | c_ast.Assignment() | c_ast.UnaryOp(op="++" | "--" | "p++" | "p--"):
            return False
        case _:
            return any(_names_number(ctx, child) for _, child in node.children())


def _value(ctx: Context, node: c_ast.Node) -> bool | None:
    """Return the value of a condition over numbers; None if it isn't a constant."""
    taken = set(ctx.taken)
    try:
        with ctx.collecting(), ctx.arm():
            found = evaluation.constant(ctx, evaluation.condition(ctx, node))
    except Rejected:
        found = None
    ctx.taken.intersection_update(taken)
    return None if found is None else bool(found)
