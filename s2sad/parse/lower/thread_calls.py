"""Lower collective operations of threads, and atomic additions to memory that other threads see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pycparser import c_ast

from ... import ir
from ...diagnostics import Code
from ...ir import AddressOf, Barrier, Call, Const, Evaluate, Expr, Place, Pointer
from ..sema.scope import Context
from ..types import types
from ..types.builtins import BUILTINS
from . import arguments

_KINDS = {
    "shfl_down": "down",
    "shfl_up": "up",
    "shfl_xor": "across",
    "shfl": "there",
    "any": "any",
    "all": "all",
    "uni": "alike",
    "ballot": "ballot",
    "count": "count",
    "_or": "any",
    "_and": "all",
    "reduce": "reduced",
    "match": "matching",
}


def together(ctx: Context, node: c_ast.FuncCall, call: Call) -> Expr:
    """Make a collective the whole value of a statement, so that it stays where it is.

    `__syncthreads_or(p)` and similar are also a barrier, right after the value is computed.
    """
    barrier = call.name.startswith("__syncthreads")
    direct = ctx.stores(node, call.type)
    if direct and not barrier:
        return replace(call, span=ctx.span(node), origin="author")
    if node is ctx.expression.discarded:
        result: Expr = Const(0, ir.VOID)
    else:
        result = ctx.keep(replace(call, span=ctx.span(node), origin="author"), _wish(call))
    if barrier:
        ctx.out.append(Barrier(span=ctx.span(node)))
    return result


def _wish(call: Call) -> str:
    """Return a name for the result of a collective."""
    end = next((end for part, end in _KINDS.items() if part in call.name), "result")
    if call.rule == "shuffle":
        read = next((e.sym.name for e in ir.walk(call.args[1]) if isinstance(e, Place)), "value")
        return f"{read}_{end}"
    return end


def added(ctx: Context, node: c_ast.FuncCall, target: Place, value: Expr) -> None:
    """Emit an atomic addition to one number."""
    if target.sym.storage not in ("parameter", "shared") or not target.index:
        what = f"`{node.name.name}` on a local variable"
        raise ctx.reject(Code.NOT_SUPPORTED, node, what=what, help="write `+=`")
    choices = BUILTINS[node.name.name]
    address = AddressOf(target, Pointer(target.type), span=ctx.span(node))
    best = choices[arguments.choose(ctx, node, [b.params for b in choices], [address, value])]
    made = Call(
        best.name, (address, value), best.result, rule=best.rule, span=ctx.span(node), origin="author"
    )
    ctx.out.append(Evaluate(made, span=ctx.span(node)))


def shuffled(ctx: Context, node: c_ast.FuncCall, values: Sequence[Expr]) -> Expr:
    """Lower a shuffle of a number of half precision, which is moved as a float."""
    choices = BUILTINS[node.name.name]
    moved = [types.widened(value) for value in values]
    best = choices[arguments.choose(ctx, node, [b.params for b in choices], moved)]
    given = tuple(types.convert(v, to) for v, to in zip(moved, best.params, strict=True))
    made = Call(best.name, given, best.result, rule=best.rule)
    return types.convert(together(ctx, node, made), values[1].type)
