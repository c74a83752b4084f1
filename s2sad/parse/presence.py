"""Whether an array is there: `bias != nullptr`, `if (bias)`.

A pointer has no value here, but one thing of it is known to be the same in the whole
launch: whether the caller passes an array at all. What is at other places of an array
than its beginning is there if the array is; what a kernel declares is always there.
"""

from __future__ import annotations

from pycparser import c_ast

from .. import ir
from ..ir import Const, Expr, Place, Pointer, Special, Sym, Unary
from . import aliases
from .context import Alias, Context, Referred


def tested(ctx: Context, node: c_ast.BinaryOp) -> Expr | None:
    """The value of `p == nullptr` or `p != nullptr`, None of anything else."""
    if node.op not in ("==", "!="):
        return None
    for pointer, null in ((node.left, node.right), (node.right, node.left)):
        if aliases.is_null(null) and (found := present(ctx, pointer)) is not None:
            return found if node.op == "!=" else Unary("!", found, ir.BOOL)
    return None


def present(ctx: Context, node: c_ast.Node) -> Expr | None:
    """Whether what a name points to is there, None of what is no pointer or points to who knows what."""
    while isinstance(node, c_ast.Cast) and isinstance(node.to_type.type, c_ast.PtrDecl):
        node = node.expr
    named = ctx.lookup(node.name) if isinstance(node, c_ast.ID) else None
    match named:
        case Sym() as sym:
            return _of(sym, ())
        case Alias(at=Place(sym, index), reference=False, offset=None):
            return _of(sym, index)
        case Referred(access=meant) if isinstance(meant.type, Pointer) and meant.base is None:
            return _of(meant.whole, meant.index)
        case _:
            return None


def _of(sym: Sym, index: tuple[Expr, ...]) -> Expr | None:
    if isinstance(sym.type, ir.Array):
        return Const(True, ir.BOOL)
    known = isinstance(sym.type, Pointer) and sym.storage == "parameter" and sym.within is None
    beginning = all(isinstance(i, Const) and i.value == 0 for i in index)
    return Special("present", sym.name, ir.BOOL) if known and beginning else None
