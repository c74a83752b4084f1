"""Give a pointer that moves a variable for its offset, before the statement that first moves it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from pycparser import c_ast

from .... import ir
from ....diagnostics import Code, Rejected, diagnose
from ....ir import Const, Declare, Expr, Place, Sym
from ...sema import headers
from ...sema.meanings import Alias, Named, Referred
from ...sema.scope import Context
from ...syntax import ast_utils
from . import pointer_offsets


def move(ctx: Context, node: c_ast.Node) -> None:
    """Give offset variables to the pointers of this block that a statement moves somewhere inside it.

    For a `for`, this covers its init clause; `moved_by_loop` does the rest after that has been lowered.
    """
    if isinstance(node, c_ast.For):
        _move(ctx, ctx.scopes[-1], ast_utils.moved(node.init), ctx.later.after(node))
    else:
        _move(ctx, ctx.scopes[-1], ast_utils.moved(node) - {_given(node)}, ctx.later.after(node))


def moved_by_loop(ctx: Context, node: c_ast.For, out: int) -> None:
    """Do the same for pointers declared in the head, and in the block `out` levels outside it."""
    _move(ctx, ctx.scopes[-1 - out], ast_utils.moved(node), ctx.later.after(node))


def _move(ctx: Context, scope: dict[str, Named], names: Collection[str], rest: Iterable[c_ast.Node]) -> None:
    for name, named in list(scope.items()) if not scope.keys().isdisjoint(names) else ():
        if isinstance(named, Alias) and named.lazy and not named.reference and name in names:
            scope[name] = _moving(ctx, named, rest)
        elif isinstance(named, Referred) and named.lazy and name in names:
            scope[name] = _along_structs(ctx, name, named)


def _along_structs(ctx: Context, name: str, named: Referred) -> Referred:
    """Do this for a pointer to structs, which is only incremented."""
    span = headers.through_semicolon(named.span) if named.span is not None else None
    offset = Sym(ctx.fresh(f"{name}_at"), ir.LONG, span=span, origin="lowering")
    ctx.offsets.add(offset)
    ctx.out.append(Declare(offset, Const(0, ir.LONG), span=span))
    at = named.access
    last = pointer_offsets.sum_of("+", at.index[-1], Place(offset, (), ir.LONG))
    return replace(named, access=replace(at, index=(*at.index[:-1], last)), offset=offset, lazy=False)


def _moving(ctx: Context, alias: Alias, rest: Iterable[c_ast.Node]) -> Alias:
    """Make the offset of a pointer a variable, since it moves from here on.

    If it is only incremented, the variable is the distance moved, and the start is kept as it is.
    """
    at = alias.at
    if at is not None and not at.index:
        return replace(alias, lazy=False)
    if (
        at is not None and at.sym.path and not _in_array(at.sym)
    ):  # the next float of a struct is another field
        raise Rejected(diagnose(Code.POINTER_BEYOND, alias.span, name=at.sym.name))
    span = headers.through_semicolon(alias.span) if alias.span is not None else None
    offset = Sym(ctx.fresh(f"{alias.name}_at"), ir.LONG, span=span, origin="lowering")
    ctx.offsets.add(offset)
    place = Place(offset, (), ir.LONG)
    init: Expr | None = None
    if at is not None:
        last: Expr = place
        if any(alias.name in _sent(node) for node in rest):
            init = pointer_offsets.wide(at.index[-1])
        else:
            init, last = Const(0, ir.LONG), pointer_offsets.sum_of("+", at.index[-1], place)
        at = replace(at, index=(*at.index[:-1], last), spelling=None, macro=None)
    ctx.out.append(Declare(offset, init, span=span))
    return replace(alias, at=at, offset=offset, lazy=False)


def _in_array(leaf: Sym) -> bool:
    """Whether a field of a struct is an array, or points to one: a pointer may move along its elements."""
    kind: ir.Type | None = leaf.within.type if leaf.within is not None else None
    for name in leaf.path:
        while isinstance(kind, ir.Pointer | ir.Array):
            kind = kind.target if isinstance(kind, ir.Pointer) else kind.element
        fields = kind.fields if isinstance(kind, ir.Struct) else ()
        kind = next((f.type for f in fields if f.name == name), None)
    return isinstance(kind, ir.Array | ir.Pointer)


def _sent(root: c_ast.Node) -> set[str]:
    """Return the names that are assigned with `=`, not only incremented."""
    found = {root.lvalue.name} if _is_sent(root) else set()
    return found.union(*(_sent(child) for _, child in root.children()))


def _is_sent(node: c_ast.Node) -> bool:
    return isinstance(node, c_ast.Assignment) and node.op == "=" and isinstance(node.lvalue, c_ast.ID)


def _given(node: c_ast.Node) -> str | None:
    """Return the name that a statement only assigns to."""
    match node:
        case c_ast.Assignment(lvalue=c_ast.ID(name=name), rvalue=value) if name not in ast_utils.moved(value):
            return str(name)
        case c_ast.UnaryOp(op="++" | "--" | "p++" | "p--", expr=c_ast.ID(name=name)):
            return str(name)
        case _:
            return None
