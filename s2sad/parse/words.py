"""Wide words: vectors and integers that only carry other numbers from place to place.

    float4 w = *reinterpret_cast<const float4 *>(x + i);            __half w[8] = {x[i], …, x[i + 7]};
    __half2 a = *reinterpret_cast<__half2 *>(&w.y);         ->      a is w[2] and w[3]

To everything behind the front end there are the numbers that are carried, one by one: a
vector is a struct of words, and a word is a struct of numbers whose field no author can name.
So a word can be copied, and read as the numbers that it is made of; read as anything else
it is refused, since then its bits are meant.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import prod
from typing import TypeGuard

from pycparser import c_ast

from .. import ir
from ..diagnostics import Rejected
from ..fields import leaves, size
from ..ir import Array, Const, Declare, Field, Initialiser, Place, Pointer, Scalar, Struct, Sym, Type
from . import declared, headers, structs, types, views, wholes
from .context import Context, Referred

_HELD = " "
_FIRST = Const(0, ir.INT)


def word(scalar: Scalar, number: Scalar) -> Struct | None:
    """The word that carries numbers in a scalar's place; None if they don't fill it."""
    if scalar.kind == "bool" or number.kind == "bool" or not number.size or scalar.size % number.size:
        return None
    return Struct(scalar.name, (Field(_HELD, Array(number, (scalar.size // number.size,))),))


def carrying(struct: Struct, number: Scalar) -> Struct | None:
    """The struct with words that carry numbers in the place of its own."""
    fields: list[Field] = []
    for field in struct.fields:
        match field.type:
            case Scalar() as scalar:
                made: Type | None = word(scalar, number)
            case Struct() as inner if not inner.extents and not is_word(inner):
                made = carrying(inner, number)
            case _:
                made = None
        if made is None:
            return None
        fields.append(Field(field.name, made))
    whole = sum(size(leaf.type) * prod(leaf.extents) for leaf in leaves(struct))
    if not fields or whole != size(struct):
        return None
    return replace(struct, fields=tuple(fields))


def is_word(type: Type | None) -> TypeGuard[Struct]:
    return isinstance(type, Struct) and any(field.name == _HELD for field in type.fields)


def held(type: Type | None) -> Scalar | None:
    """What the words in a type carry; None if there are none."""
    if isinstance(type, Pointer):
        return held(type.target)
    if not isinstance(type, Struct):
        return None
    leaf = next((leaf for leaf in leaves(type) if leaf.path[-1] == _HELD), None)
    return leaf.type if leaf is not None and isinstance(leaf.type, Scalar) else None


def carries(type: Type, plain: Type) -> bool:
    """Whether a struct is another one with words in it."""
    number = held(type)
    if number is None or not isinstance(plain, Struct):
        return False
    return carrying(replace(plain, spelled=()), number) == type


def noted(ctx: Context, made: Struct | None) -> Struct | None:
    """The words, noted: whoever compiles the primal for other numbers has to know of them."""
    if made is not None:
        ctx.carried.add(made.name)
    return made


# ---- words that are copied -----------------------------------------------------


def copied(ctx: Context, node: c_ast.Cast) -> bool:
    """Whether a cast is one side of `*(unsigned *)a = *(unsigned *)b`, which only carries what is there."""
    if ctx.root is None:
        return False
    if ctx.copies is None:
        ctx.copies = frozenset(id(cast) for pair in _pairs(ctx.root) for cast in pair)
    return id(node) in ctx.copies


def _pairs(root: c_ast.Node) -> Iterator[tuple[c_ast.Cast, c_ast.Cast]]:
    match root:
        case c_ast.Assignment(op="=", lvalue=target, rvalue=value):
            to, source = _behind(target), _behind(value)
            if to is not None and source is not None:
                yield to, source
    for _, child in root.children():
        yield from _pairs(child)


def _behind(node: c_ast.Node) -> c_ast.Cast | None:
    """The cast in `*(unsigned *)p` and in `((unsigned *)p)[i]`."""
    match node:
        case c_ast.UnaryOp(op="*", expr=c_ast.Cast() as cast) | c_ast.ArrayRef(name=c_ast.Cast() as cast):
            return cast
        case _:
            return None


# ---- variables -------------------------------------------------------------------


def declare(ctx: Context, node: c_ast.Decl) -> bool:
    """Declare a local vector as the numbers that it carries, or that pointers to it are cast to."""
    words = [*(node.storage or []), *(node.funcspec or []), *(node.quals or [])]
    if ctx.emitted or set(words) - {"const", "register"}:
        return False
    many = 1
    if isinstance(node.type, c_ast.ArrayDecl) and node.init is None:
        whole, _ = declared.type_of(ctx, node.type)
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
    sym = Sym(node.name, Array(number, (count,), (str(count),)), "local", span=ctx.span(node))
    begin = Place(sym, (_FIRST,), number)
    init: Initialiser | None = None
    if node.init is not None:
        with ctx.full(node.init):
            given = structs.initialised(ctx, node.init, type)
        values: dict[int, ir.Expr] = {}
        for (path, index), value in given.leaves.items():
            place = views.number(begin, type, path, (_FIRST, *(Const(k, ir.INT) for k in index)))
            at = place.index[-1]
            assert isinstance(at, Const)
            values[int(at.value)] = types.convert(value, number)
        init = Initialiser(tuple(values[k] for k in range(count)))
    ctx.declare(sym, node, node.name)
    ctx.out.append(Declare(sym, init, span=span))
    if isinstance(node.type, c_ast.ArrayDecl):
        meant = wholes.Access(sym, (), (_FIRST,), Pointer(type), "element", begin, type)
    else:
        meant = wholes.Access(sym, (), (_FIRST,), type, "", begin, type)
    const = "const" in (*words, *(getattr(node.type, "quals", None) or ()))
    ctx.rebind(node.name, Referred(meant, const))
    return True


def _type(ctx: Context, node: c_ast.Decl) -> Struct | None:
    """The struct of words, or of numbers, that a variable is; None if it is one like any other."""
    found = None
    if node.init is not None and not isinstance(node.init, c_ast.InitList):
        found = structs.static(ctx, node.init)
    auto = getattr(node.type.type, "names", None) == ["auto"]
    if auto:
        plain = found
    else:
        type, _ = declared.type_of(ctx, node.type)
        plain = replace(type, spelled=()) if isinstance(type, Struct) and not type.extents else None
    if plain is None:
        return None
    if found is not None and held(found) is not None:
        return found if auto or carries(found, plain) else None
    return _read_as(ctx, node, plain)


def _read_as(ctx: Context, node: c_ast.Decl, plain: Struct) -> Struct | None:
    """The same by what the rest of the function makes of it: what it is cast to, or what is put into it."""
    own = {leaf.type for leaf in leaves(plain)}
    seen = _seen(ctx, node.name)
    if not seen and own and node.init is None:
        return next((made for made in _given(ctx, node.name) if carries(made, plain)), None)
    if len(seen) != 1 or not own:
        return None
    (number,) = seen
    if all(isinstance(leaf, Scalar) and types.same(leaf, number) for leaf in own):
        return plain if size(plain) == number.size * _count(plain) else None
    return noted(ctx, carrying(plain, number)) if node.init is None else None


def _given(ctx: Context, name: str) -> Iterator[Struct]:
    """The words that are put into a variable or its elements, as far as that can be said where it begins."""
    waiting = [ctx.root] if ctx.root is not None else []
    while waiting:
        node = waiting.pop()
        waiting += [child for _, child in node.children()]
        if not isinstance(node, c_ast.Assignment) or node.op != "=":
            continue
        target = node.lvalue.name if isinstance(node.lvalue, c_ast.ArrayRef) else node.lvalue
        if isinstance(target, c_ast.ID) and target.name == name:
            cast = views.bottom(node.rvalue)
            view = views.viewed(ctx, cast) if cast is not None else None
            if view is not None and held(view) is not None:
                yield view


def _count(struct: Struct) -> int:
    return sum(prod(leaf.extents) for leaf in leaves(struct))


def _seen(ctx: Context, name: str) -> list[Scalar]:
    """The numbers that pointers into a variable are cast to."""
    found: list[Scalar] = []

    def visit(node: c_ast.Node) -> None:
        for _, child in node.children():
            visit(child)
        match node:
            case c_ast.Cast(to_type=c_ast.Typename(type=c_ast.PtrDecl() as wanted), expr=of):
                named = wholes.root(of) if isinstance(of, c_ast.UnaryOp) and of.op == "&" else None
                if named is None or named.name != name:
                    return
                try:
                    to, _ = declared.type_of(ctx, wanted)
                except Rejected:
                    return
                target = to.target if isinstance(to, Pointer) else None
                kinds = [leaf.type for leaf in leaves(target)] if isinstance(target, Struct) else [target]
                found.extend(k for k in dict.fromkeys(kinds) if isinstance(k, Scalar) and k not in found)

    if ctx.root is not None:
        visit(ctx.root)
    return found
