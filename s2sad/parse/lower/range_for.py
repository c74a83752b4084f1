"""Lower a range-based `for` over the elements of an array to a counting loop.

    for (auto &r : q)                      for (int k = 0; k < 4; ++k) {
        r *= r;              ->                auto &r = q[k];
                                               r *= r;
                                           }

The array must have a known length: a variable, a field of a struct, or a row of either
that stays the same row throughout the loop.
"""

from __future__ import annotations

import copy
from typing import Any

from pycparser import c_ast

from ... import ir
from ...diagnostics import Code, Rejected
from ..desugar import side_effects
from ..sema.meanings import Alias
from ..sema.scope import Context
from ..syntax import ast_utils
from ..syntax.ast_utils import RangeFor
from .memory import struct_variables


def counted(ctx: Context, node: RangeFor) -> Any:
    """Return the counting loop."""
    range_, coord = node.range, node.coord
    if (
        isinstance(range_, c_ast.InitList)
        or side_effects.survey(range_, through=ctx.function.through) is not side_effects.PURE
    ):
        raise _refused(ctx, node, "a value")
    if node.stmt.block_items[0].name in ast_utils.names(range_):
        raise _refused(ctx, node, "an array with the same name as its element")
    extent = _extent(ctx, node, range_)
    if side_effects.inside(range_).reads & ctx.touched(node.stmt).writes:
        raise _refused(ctx, node, "a row whose index changes in the loop")
    index = ctx.fresh("k")
    kind = c_ast.TypeDecl(index, [], None, c_ast.IdentifierType(["int"], coord), coord)
    zero, end = c_ast.Constant("int", "0", coord), c_ast.Constant("int", str(extent), coord)
    start = c_ast.Decl(index, [], [], [], [], kind, zero, None, coord)
    test = c_ast.BinaryOp("<", c_ast.ID(index, coord), end, coord)
    step = c_ast.UnaryOp("++", c_ast.ID(index, coord), coord)
    first, stmt = node.stmt.block_items
    decl = copy.copy(first)
    decl.init = c_ast.ArrayRef(range_, c_ast.ID(index, coord), coord)
    body = c_ast.Compound([decl, stmt], coord)
    made = c_ast.For(c_ast.DeclList([start], coord), test, step, body, coord)
    for part, origin in ((decl.init, node.range), (decl, first), (body, node.stmt), (made, node)):
        ctx.unit.written.stands_for(part, origin)
    return made


def _extent(ctx: Context, node: RangeFor, range_: Any) -> int:
    """Return the number of elements of the array."""
    type: ir.Type | None = None
    named = ctx.lookup(range_.name) if isinstance(range_, c_ast.ID) else None
    if isinstance(named, Alias) and named.reference and named.at is not None:
        type = named.at.type
    elif struct_variables.named(ctx, range_):
        type = struct_variables.static_access(ctx, range_)
    elif isinstance(range_, c_ast.ID):
        type = named.type if isinstance(named, ir.Sym) else None
    elif isinstance(range_, c_ast.ArrayRef):
        type = _row(ctx, range_)
    match type:
        case ir.Array(extents=(extent, *_)) if extent and not type.single:
            return extent
        case ir.Struct(extents=(extent, *_)) if extent:
            return extent
        case _:
            raise _refused(ctx, node, "something other than an array of known length")


def _row(ctx: Context, node: Any) -> ir.Type | None:
    """Return the type of `m[a][b]` for an array of more indices."""
    count = 0
    while isinstance(node, c_ast.ArrayRef):
        node, count = node.name, count + 1
    named = ctx.lookup(node.name) if isinstance(node, c_ast.ID) else None
    match named.type if isinstance(named, ir.Sym) else None:
        case ir.Array(element=element, extents=extents) if len(extents) > count:
            return ir.Array(element, extents[count:])
        case ir.Pointer(target=ir.Array(element=element, extents=extents)) if len(extents) >= count:
            return ir.Array(element, extents[count - 1 :])
        case _:
            return None


def _refused(ctx: Context, node: RangeFor, over: str) -> Rejected:
    return ctx.reject(Code.NO_RANGE_FOR, node, over=over)
