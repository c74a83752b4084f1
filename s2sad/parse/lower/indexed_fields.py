"""Lower methods that select a field by index: `v[1]` is `v.y`, `v[k]` a conditional over the fields.

    float &operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }

A constant index selects its field. With any other index, a read is a conditional expression,
and an assignment goes into the branches of an `if`:

    v[k] = e;      is for lowering      if (k == 0) v.x = e; else if (k == 1) v.y = e; else v.z = e;
"""

from __future__ import annotations

import operator
from typing import Any

from pycparser import c_ast

from ...ir import Const
from ..sema.scope import Context
from ..types.types import literal

_COMPARISONS = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
}


class Pick(c_ast.TernaryOp):  # type: ignore[misc]  # pycparser is untyped to us
    """A conditional between lvalues; an operation on it applies to each."""


def decided(ctx: Context, node: Any) -> Any:
    """Resolve a conditional between fields: where its condition is known, select the field."""
    if not isinstance(node, c_ast.TernaryOp):
        return node
    holds = _holds(ctx, node.cond)
    if holds is not None:
        return decided(ctx, node.iftrue if holds else node.iffalse)
    return Pick(node.cond, decided(ctx, node.iftrue), decided(ctx, node.iffalse), node.coord)


def field(node: Any) -> Any | None:
    """Rewrite `m[k].x` as a conditional between `m.c0.x` and the others."""
    match node:
        case c_ast.StructRef(name=Pick(cond=cond, iftrue=first, iffalse=second), type="."):
            parts = [c_ast.StructRef(each, ".", node.field, node.coord) for each in (first, second)]
            return Pick(cond, *parts, node.coord)
        case _:
            return None


def assigned(ctx: Context, node: Any) -> Any:
    """Rewrite an assignment to a conditional between lvalues as an `if` statement."""
    match node:
        case c_ast.Assignment(lvalue=Pick(cond=cond, iftrue=first, iffalse=second)):
            parts = [c_ast.Assignment(node.op, each, node.rvalue, node.coord) for each in (first, second)]
            for part in parts:
                ctx.unit.written.stands_for(part, node)
            made = c_ast.If(cond, *(assigned(ctx, part) for part in parts), node.coord)
            ctx.unit.written.stands_for(made, node)
            return made
        case _:
            return node


def _holds(ctx: Context, cond: Any) -> bool | None:
    """Whether a comparison of integers holds; None if an operand is unknown."""
    match cond:
        case c_ast.BinaryOp(op=op, left=left, right=right) if op in _COMPARISONS:
            one, two = _known(ctx, left), _known(ctx, right)
            return None if one is None or two is None else bool(_COMPARISONS[op](one, two))
        case _:
            return None


def _known(ctx: Context, node: Any) -> int | None:
    """Return the value of an integer that is a literal or a constant."""
    match node:
        case c_ast.Constant(value=text):
            read = literal(text)
            return read[0] if read is not None and isinstance(read[0], int) else None
        case c_ast.ID(name=name):
            known = ctx.lookup(name)
            return known.value if isinstance(known, Const) and isinstance(known.value, int) else None
        case c_ast.Cast(expr=inner):
            found = _known(ctx, inner)
            return found if found is not None and 0 <= found < 128 else None
        case _:
            return None
