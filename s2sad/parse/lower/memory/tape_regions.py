"""Read the regions of a tape in a file that s2sad wrote.

    float *tape_s = (float *)(tape + at) + thread;

Each is memory of its own for each thread: neither the author's arrays nor the other regions overlap it.
So its pointer is an array by itself, where a pointer of the author's stands for a place in another array.
"""

from __future__ import annotations

from pycparser import c_ast

from ....ir import Binary, Cast, Declare, Expr, Place, Pointer, Scalar, Sym
from ...sema import declarators, evaluation
from ...sema.scope import Context

TAPE = "tape"


def declare(ctx: Context, node: c_ast.Decl) -> bool:
    """Declare a region of the tape; return whether the declaration is one."""
    if not ctx.unit.adjoint or not isinstance(node.type, c_ast.PtrDecl) or node.init is None:
        return False
    offsets: list[c_ast.Node] = []
    init = node.init
    while isinstance(init, c_ast.BinaryOp) and init.op == "+":
        offsets.insert(0, init.right)
        init = init.left
    if not isinstance(init, c_ast.Cast):
        return False
    inner: list[c_ast.Node] = []
    base = init.expr
    while isinstance(base, c_ast.BinaryOp) and base.op == "+":
        inner.insert(0, base.right)
        base = base.left
    tape = ctx.lookup(TAPE)
    if not isinstance(base, c_ast.ID) or base.name != TAPE or not isinstance(tape, Sym):
        return False
    type, _ = declarators.type_of(ctx, node.type)
    bytes_ = tape.type
    if (
        not isinstance(type, Pointer)
        or not isinstance(bytes_, Pointer)
        or not isinstance(bytes_.target, Scalar)
    ):
        return False
    place: Expr = Place(tape, (), bytes_)
    for part in inner:
        place = Binary("+", place, evaluation.index(ctx, part), bytes_)
    place = Cast(place, type)
    for part in offsets:
        place = Binary("+", place, evaluation.index(ctx, part), type)
    sym = Sym(node.name, type, "tape", ctx.span(node), origin="author")
    ctx.declare(sym, node, node.name)
    ctx.out.append(Declare(sym, place, span=ctx.span(node)))
    return True
