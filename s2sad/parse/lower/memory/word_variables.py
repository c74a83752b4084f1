"""Lower local vectors that only carry other numbers to arrays of these numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import prod

from pycparser import c_ast

from .... import ir
from ....diagnostics import Rejected
from ....fields import leaves, size
from ....ir import Array, Const, Declare, Initialiser, Place, Pointer, Scalar, Struct, Sym
from ...sema import declarators, dispatch, headers
from ...sema.meanings import Access, Referred
from ...sema.scope import Context
from ...syntax import ast_utils
from ...types import types
from . import carrier_words, pointer_offsets
from .carrier_words import _FIRST


def declare(ctx: Context, node: c_ast.Decl) -> bool:
    """Declare a local vector as the numbers that it carries, or as which pointers to it are read."""
    words = [*(node.storage or []), *(node.funcspec or []), *(node.quals or [])]
    if ctx.unit.emitted or set(words) - {"const", "register"}:
        return False
    many = 1
    if isinstance(node.type, c_ast.ArrayDecl) and node.init is None:
        whole, _ = declarators.type_of(ctx, node.type)
        if not isinstance(whole, Struct) or len(whole.extents) != 1 or not whole.extents[0]:
            return False
        type, many = _read_as(ctx, node, replace(whole, extents=(), spelled=())), whole.extents[0]
    elif isinstance(node.type, c_ast.TypeDecl):
        type = _type(ctx, node)
    else:
        return False
    number = next((leaf.type for leaf in leaves(type)), None) if type is not None else None
    if type is None or not isinstance(number, Scalar):
        return False
    span = ctx.span(node)
    span = headers.through_semicolon(span) if span is not None else None
    count = many * size(type) // number.size
    sym = Sym(
        node.name, Array(number, (count,), (str(count),)), "local", span=ctx.span(node), origin="author"
    )
    begin = Place(sym, (_FIRST,), number)
    init: Initialiser | None = None
    if node.init is not None:
        with ctx.full(node.init):
            given = dispatch.initialised(ctx, node.init, type)
        values: dict[int, ir.Expr] = {}
        for (path, index), value in given.leaves.items():
            place = pointer_offsets.in_struct(begin, type, path, (_FIRST, *(Const(k, ir.INT) for k in index)))
            at = place.index[-1]
            assert isinstance(at, Const)
            values[int(at.value)] = types.convert(value, number)
        init = Initialiser(tuple(values[k] for k in range(count)))
    ctx.declare(sym, node, node.name)
    ctx.out.append(Declare(sym, init, span=span))
    if isinstance(node.type, c_ast.ArrayDecl):
        meant = Access(sym, (), (_FIRST,), Pointer(type), "element", begin, type)
    else:
        meant = Access(sym, (), (_FIRST,), type, "", begin, type)
    const = "const" in (*words, *(getattr(node.type, "quals", None) or ()))
    ctx.rebind(node.name, Referred(meant, const))
    return True


def _type(ctx: Context, node: c_ast.Decl) -> Struct | None:
    """Return a variable's struct of words, or of numbers; None if it is an ordinary variable."""
    found = None
    if node.init is not None and not isinstance(node.init, c_ast.InitList):
        found = dispatch.static(ctx, node.init)
    auto = getattr(node.type.type, "names", None) == ["auto"]
    if auto:
        plain = found
    else:
        type, _ = declarators.type_of(ctx, node.type)
        plain = replace(type, spelled=()) if isinstance(type, Struct) and not type.extents else None
    if plain is None:
        return None
    if found is not None and carrier_words.held(found) is not None:
        return found if auto or carrier_words.carries(found, plain) else None
    return _read_as(ctx, node, plain)


def _read_as(ctx: Context, node: c_ast.Decl, plain: Struct) -> Struct | None:
    """Find the same type by the variable's uses in the function: casts of its address, or stores to it."""
    own = {leaf.type for leaf in leaves(plain)}
    seen = _seen(ctx, node.name)
    if not seen and own and node.init is None:
        return next((made for made in _given(ctx, node.name) if carrier_words.carries(made, plain)), None)
    if len(seen) != 1 or not own:
        return None
    (number,) = seen
    if all(isinstance(leaf, Scalar) and types.same(leaf, number) for leaf in own):
        return plain if size(plain) == number.size * _count(plain) else None
    return carrier_words.noted(ctx, carrier_words.carrying(plain, number)) if node.init is None else None


def _given(ctx: Context, name: str) -> Iterator[Struct]:
    """Yield the words stored to a variable or its elements, as far as known at its declaration."""
    waiting = [ctx.root] if ctx.root is not None else []
    while waiting:
        node = waiting.pop()
        waiting += [child for _, child in node.children()]
        if not isinstance(node, c_ast.Assignment) or node.op != "=":
            continue
        target = node.lvalue.name if isinstance(node.lvalue, c_ast.ArrayRef) else node.lvalue
        if isinstance(target, c_ast.ID) and target.name == name:
            cast = ast_utils.bottom(node.rvalue)
            view = dispatch.viewed(ctx, cast) if cast is not None else None
            if view is not None and carrier_words.held(view) is not None:
                yield view


def _count(struct: Struct) -> int:
    return sum(prod(leaf.extents) for leaf in leaves(struct))


def _seen(ctx: Context, name: str) -> list[Scalar]:
    """Return the types of numbers that pointers into a variable are cast to."""
    found: list[Scalar] = []

    def visit(node: c_ast.Node) -> None:
        for _, child in node.children():
            visit(child)
        match node:
            case c_ast.Cast(to_type=c_ast.Typename(type=c_ast.PtrDecl() as wanted), expr=of):
                named = ast_utils.root(of) if isinstance(of, c_ast.UnaryOp) and of.op == "&" else None
                if named is None or named.name != name:
                    return
                try:
                    to, _ = declarators.type_of(ctx, wanted)
                except Rejected:
                    return
                target = to.target if isinstance(to, Pointer) else None
                kinds = [leaf.type for leaf in leaves(target)] if isinstance(target, Struct) else [target]
                found.extend(k for k in dict.fromkeys(kinds) if isinstance(k, Scalar) and k not in found)

    if ctx.root is not None:
        visit(ctx.root)
    return found
