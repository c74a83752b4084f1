"""Lower reductions of a tile or of a block to shuffles, shared memory and barriers.

    float t = cg::reduce(warp, s, cg::plus<float>());

is lowered as if the author had written

    float s_sum = s;
    for (int d = 16; d > 0; d /= 2)
        s_sum += __shfl_xor_sync(0xffffffffu, s_sum, d);
    float t = s_sum;

In a block reduction each warp does this; then the first thread combines the results of the
warps. So later passes need to know only shuffles, shared memory and barriers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pycparser import c_ast

from ... import ir
from ...diagnostics import Code
from ...ir import Assign, Barrier, Binary, Call, Cast, Const, Declare, Expr, For, If, Place, Scalar, Sym
from ...source import Span
from ..sema import evaluation
from ..sema.scope import Context
from ..source.reduction_operators import REDUCTION
from ..types import types
from ..types.builtins import BUILTINS

_WARP = 32
_MASK = Const(0xFFFFFFFF, ir.UINT, spelling="0xffffffffu")


def is_reduction(name: str) -> bool:
    """Whether a name denotes a reduction of a library."""
    return name.startswith(REDUCTION)


def reduced(ctx: Context, node: c_ast.FuncCall, name: str, args: Sequence[c_ast.Node]) -> Expr:
    """Lower a reduction of the threads' values; only the first thread of a block gets a block's result."""
    kind, operation = name.removeprefix(REDUCTION).split()
    threads = evaluation.constant_integer(ctx, evaluation.value(ctx, args[0]))
    whole = ctx.unit.written.text(node)
    if threads is None:
        why = "a constant, or --template"
        raise ctx.reject(Code.NOT_CONSTANT, node, what="a number of threads", text=whole, help=why)
    fits = threads in (2, 4, 8, 16, 32) if kind == "warp" else threads % _WARP == 0 and 0 < threads <= 1024
    if not fits:
        what = f"`{whole}` of {threads} threads"
        many = "2, 4, 8, 16 or 32" if kind == "warp" else "a multiple of 32, up to 1024"
        raise ctx.reject(Code.NOT_SUPPORTED, node, what=what, help=f"{many} threads")
    value = evaluation.value(ctx, args[1])
    if isinstance(value, Cast) and types.same(value.type, value.arg.type):
        value = value.arg
    if not isinstance(value.type, Scalar) or value.type == ir.VOID:
        raise ctx.type_error(node, f"`{whole}` of {types.spell(value.type)}", "needs numbers")
    if node is ctx.expression.discarded:
        return Const(0, ir.VOID)
    stem = next((e.sym.plain for e in ir.walk(value) if isinstance(e, Place)), "value")
    total = Sym(ctx.fresh(f"{stem}_{operation}"), value.type, span=ctx.span(node), origin="lowering")
    ctx.out.append(Declare(total, replace(value, spelling=None, macro=None), span=ctx.span(node)))
    mask = _MASK if threads >= _WARP else _of_tile(threads, evaluation.value(ctx, args[2]))
    _across(ctx, node, total, operation, min(threads, _WARP), mask)
    if kind == "block" and threads > _WARP:
        return _of_warps(ctx, node, total, operation, threads // _WARP, evaluation.value(ctx, args[2]))
    return Place(total, (), total.type)


def _of_tile(threads: int, rank: Expr) -> Expr:
    """The mask of a tile's lanes: 0xffu << (rank % 32 / 8 * 8)."""
    size, ones = Const(threads, ir.UINT), (1 << threads) - 1
    lane = Binary("%", rank, Const(_WARP, ir.UINT), ir.UINT)
    first = Binary("*", Binary("/", lane, size, ir.UINT), size, ir.UINT)
    return Binary("<<", Const(ones, ir.UINT, spelling=f"0x{ones:x}u"), first, ir.UINT)


def _across(ctx: Context, node: c_ast.Node, total: Sym, operation: str, width: int, mask: Expr) -> None:
    """Combine the values of a warp's lanes, so that every lane has the result."""
    span = ctx.span(node)
    type = total.type
    assert isinstance(type, Scalar)
    apart = Sym(_counter(ctx, "d"), ir.INT, span=span, origin="lowering")
    other = Sym(ctx.fresh(f"{total.name}_across"), type, span=span, origin="lowering")
    steps = Place(apart, (), ir.INT)
    segment: tuple[Expr, ...] = () if width == _WARP else (Const(width, ir.INT),)
    params = 3 + len(segment)
    known = next(b for b in BUILTINS["__shfl_xor_sync"] if b.params[1] == type and len(b.params) == params)
    given = tuple(
        types.convert(v, to)
        for v, to in zip((mask, Place(total, (), type), steps, *segment), known.params, strict=True)
    )
    exchange = Call("__shfl_xor_sync", given, type, rule=known.rule, span=span, origin="lowering")
    ctx.out.append(
        For(
            (Declare(apart, Const(width // 2, ir.INT), span=span),),
            Binary(">", steps, Const(0, ir.INT), ir.BOOL),
            (Assign(steps, Const(2, ir.INT), "/=", span=span),),
            (Declare(other, exchange, span=span), _combined(total, Place(other, (), type), operation, span)),
            span=span,
        )
    )


def _of_warps(ctx: Context, node: c_ast.Node, total: Sym, operation: str, warps: int, rank: Expr) -> Expr:
    """Combine the warps' results in the first thread; the others keep the result of their warp."""
    span = ctx.span(node)
    type = total.type
    assert isinstance(type, Scalar)
    shared = ir.Array(type, (warps,), (str(warps),))
    parts = Sym(ctx.fresh(f"{total.name}_of_warps"), shared, "shared", span=span, origin="lowering")
    warp = Sym(_counter(ctx, "warp"), ir.INT, span=span, origin="lowering")
    own = Place(parts, (Binary("/", rank, Const(_WARP, ir.UINT), ir.UINT),), type)
    first_lane = Binary("==", Binary("%", rank, Const(_WARP, ir.UINT), ir.UINT), Const(0, ir.UINT), ir.BOOL)
    ctx.out.append(Declare(parts, span=span))
    ctx.out.append(If(first_lane, (Assign(own, Place(total, (), type), span=span),), span=span))
    ctx.out.append(Barrier(span=span))
    at = Place(warp, (), ir.INT)
    loop = For(
        (Declare(warp, Const(1, ir.INT), span=span),),
        Binary("<", at, Const(warps, ir.INT), ir.BOOL),
        (Assign(at, Const(1, ir.INT), "+=", span=span, spelling=f"++{warp.name}"),),
        (_combined(total, Place(parts, (at,), type), operation, span),),
        span=span,
    )
    ctx.out.append(If(Binary("==", rank, Const(0, ir.UINT), ir.BOOL), (loop,), span=span))
    return Place(total, (), type)


def _counter(ctx: Context, wish: str) -> str:
    """Return the name of a reduction loop's counter, the same for all such loops."""
    if wish not in ctx.counters:
        ctx.counters[wish] = ctx.fresh(wish)
    return ctx.counters[wish]


def _combined(total: Sym, other: Place, operation: str, span: Span | None) -> Assign:
    target, type = Place(total, (), total.type), total.type
    if operation == "sum":
        return Assign(target, other, "+=", span=span)
    name = {ir.FLOAT: f"f{operation}f", ir.DOUBLE: f"f{operation}"}.get(type, operation)  # type: ignore[arg-type]
    known = next(b for b in BUILTINS[name] if b.params == (type, type))
    return Assign(target, Call(name, (target, other), type, rule=known.rule), span=span)
