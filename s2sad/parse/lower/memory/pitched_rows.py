"""Lower pointers that are moved by bytes, as for rows of pitched memory.

    float *row = (float *)((char *)image + bytes);      row[c]  is  image[bytes / (long)sizeof(float) + c]

A number is aligned to its size, so every access through such a pointer is a whole number of
elements away, and the division is exact.
"""

from __future__ import annotations

from dataclasses import replace

from pycparser import c_ast

from .... import ir
from ....diagnostics import Rejected
from ....ir import Binary, Const, Expr, Place, Pointer, Scalar
from ...sema import declarators, dispatch, evaluation
from ...sema.scope import Context
from ...types import types
from . import pointer_forms, pointer_offsets, shared_bytes


def moved(ctx: Context, node: c_ast.Cast, to: Pointer) -> Place | None:
    """Return what `(T *)((char *)p ± bytes)` points to, p being a `T *`; None for any other cast."""
    match node.expr:
        case c_ast.BinaryOp(op="+" | "-" as op, left=c_ast.Cast() as cast, right=by):
            pass
        case c_ast.BinaryOp(op="+" as op, left=by, right=c_ast.Cast() as cast):
            pass
        case c_ast.UnaryOp(op="&", expr=c_ast.ArrayRef(name=c_ast.Cast() as cast, subscript=by)):
            op = "+"
        case _:
            return None
    if not isinstance(to.target, Scalar) or not _to_bytes(ctx, cast) or shared_bytes.counted(ctx, cast.expr):
        return None
    if (
        not pointer_forms.is_pointer(ctx, cast.expr)
        or cast.expr in ctx.expression.survey
        or by in ctx.expression.survey
    ):
        return None
    at = dispatch.pointer(ctx, cast.expr)
    if not types.same(at.type, to.target) or not at.index or at.sym.path:
        return None
    count = _elements(evaluation.index(ctx, by), to.target)
    at = replace(at, index=(*at.index[:-1], pointer_offsets.sum_of(op, at.index[-1], count, far=True)))
    return replace(at, spelling=None, macro=None)


def _to_bytes(ctx: Context, cast: c_ast.Cast) -> bool:
    """Whether a cast makes a pointer to bytes."""
    if not isinstance(cast.to_type.type, c_ast.PtrDecl):
        return False
    try:
        to, _ = declarators.type_of(ctx, cast.to_type.type)
    except Rejected:
        return False
    return isinstance(to, Pointer) and to.target in (ir.CHAR, ir.SCHAR, ir.UCHAR)


def _elements(bytes: Expr, number: Scalar) -> Expr:
    """Convert a number of bytes to a number of elements."""
    whole = shared_bytes.divided(bytes, number.size)
    if whole is not None:
        return whole
    size = Const(number.size, ir.LONG, spelling=f"(long)sizeof({number.name})")
    return Binary("/", pointer_offsets.wide(bytes), size, ir.LONG, exact=True)
