"""Save the indices of an lvalue for as long as a name denotes it."""

from __future__ import annotations

from dataclasses import replace

from pycparser import c_ast

from .... import ir
from ....ir import Binary, Cast, Const, Declare, Expr, Place, Scalar, Select, Special, Sym, Unary
from ...sema import headers
from ...sema.scope import Context
from ...syntax import ast_utils
from . import pointer_offsets


def kept(
    ctx: Context, node: c_ast.Node, name: str, at: Place, changing: frozenset[str] | None = None
) -> Place:
    """Return the lvalue with indices that don't change as long as the name denotes it.

    `changing` are the variables that change meanwhile, by default in the rest of the block.
    """
    changing = _changing(ctx) if changing is None else changing
    span = ctx.span(node)
    span = headers.through_semicolon(span) if span is not None else None
    index: list[Expr] = []
    for expr in at.index:
        if _stays(ctx, expr, changing) and not pointer_offsets.awkward(expr):
            index.append(expr)
            continue
        value = pointer_offsets.wide(expr) if pointer_offsets.unsigned(expr) else expr
        assert isinstance(value.type, Scalar)
        sym = Sym(ctx.fresh(f"{name}_at"), value.type, span=span, const=True, origin="lowering")
        ctx.out.append(Declare(sym, replace(value, spelling=None, macro=None), span=span))
        if _stays(ctx, expr, changing):
            ctx.meant[sym] = value
        index.append(Place(sym, (), sym.type))
    return replace(at, index=tuple(index))


def _changing(ctx: Context) -> frozenset[str]:
    """Return the names of variables that the rest of the block may change."""
    found: set[str] = set()
    for node in ctx.later:
        found |= ctx.touched(node).writes | _exposed(node)
    return frozenset(found)


def _exposed(root: c_ast.Node) -> set[str]:
    """Return the variables that may change under another name: whose address or reference is taken."""
    found: set[str] = set()
    waiting = [root]
    while waiting:
        node = waiting.pop()
        match node:
            case c_ast.UnaryOp(op="&", expr=inner):
                found |= _owner(inner)
            case c_ast.Decl(type=c_ast.PtrDecl(quals=quals), init=init) if init and "&" in (quals or ()):
                found |= _owner(init)
        waiting.extend(child for _, child in node.children())
    return found


def _owner(place: c_ast.Node) -> set[str]:
    """Return the variable that an lvalue is part of."""
    while isinstance(place, c_ast.ArrayRef):
        place = place.name
    return ast_utils.names(place)


def _stays(ctx: Context, expr: Expr, changing: frozenset[str]) -> bool:
    """Whether an index consists of numbers that nothing changes while the pointer is in use."""
    for part in ir.walk(expr):
        match part:
            case Const() | Special() | Unary() | Binary() | Cast() | Select():
                pass
            case Place(sym, ()) if sym.variable not in changing and sym not in ctx.referenced:
                pass
            case _:
                return False
    return True
