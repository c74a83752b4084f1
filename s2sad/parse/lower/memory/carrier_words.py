"""Wide words: vectors and integers that only carry other numbers from one lvalue to another.

    float4 w = *reinterpret_cast<const float4 *>(x + i);            __half w[8] = {x[i], …, x[i + 7]};
    __half2 a = *reinterpret_cast<__half2 *>(&w.y);         ->      a is w[2] and w[3]

Everything after the front end sees only the numbers that are carried, one by one: a vector is
a struct of words, and a word is a struct of numbers whose field name can't occur in the source.
So a word can be copied, and read as the numbers that it holds. Reading it as anything else
is refused, since that needs its bits.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import prod
from typing import TypeGuard

from pycparser import c_ast

from .... import ir
from ....fields import leaves, size
from ....ir import Array, Const, Field, Pointer, Scalar, Struct, Type
from ...sema.scope import Context

_HELD = " "
_FIRST = Const(0, ir.INT)


def word(scalar: Scalar, number: Scalar) -> Struct | None:
    """Return the word that carries numbers in place of a scalar; None if they don't fill it."""
    if scalar.kind == "bool" or number.kind == "bool" or not number.size or scalar.size % number.size:
        return None
    return Struct(scalar.name, (Field(_HELD, Array(number, (scalar.size // number.size,))),))


def carrying(struct: Struct, number: Scalar) -> Struct | None:
    """Return the struct with each of its scalars replaced by a word that carries numbers."""
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
    """Return the type of the numbers that the words in a type carry; None if there are none."""
    if isinstance(type, Pointer):
        return held(type.target)
    if not isinstance(type, Struct):
        return None
    leaf = next((leaf for leaf in leaves(type) if leaf.path[-1] == _HELD), None)
    return leaf.type if leaf is not None and isinstance(leaf.type, Scalar) else None


def carries(type: Type, plain: Type) -> bool:
    """Whether a struct is `plain` with words in it."""
    number = held(type)
    if number is None or not isinstance(plain, Struct):
        return False
    return carrying(replace(plain, spelled=()), number) == type


def noted(ctx: Context, made: Struct | None) -> Struct | None:
    """Record that words are used: a compilation of the primal for other number types must know."""
    if made is not None:
        ctx.unit.carried.add(made.name)
    return made


# ---- words that are copied -----------------------------------------------------


def copied(ctx: Context, node: c_ast.Cast) -> bool:
    """Whether a cast is one side of `*(unsigned *)a = *(unsigned *)b`, which only copies."""
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
    """Return the cast in `*(unsigned *)p` and in `((unsigned *)p)[i]`."""
    match node:
        case c_ast.UnaryOp(op="*", expr=c_ast.Cast() as cast) | c_ast.ArrayRef(name=c_ast.Cast() as cast):
            return cast
        case _:
            return None
