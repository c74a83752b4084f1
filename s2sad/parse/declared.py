"""What a declaration declares: types, qualifiers, extents."""

from __future__ import annotations

import copy
import re
from dataclasses import replace

from pycparser import c_ast

from .. import ir
from ..diagnostics import Code
from ..fields import VECTORS
from ..ir import Scalar, Struct, Type
from . import constants, effects, generic, halves, lower_expr, methods, overlaid, types
from .classes import Class, nested, titled
from .context import Bindings, Context, nearest

_KNOWN = ("float", "double", "int", "unsigned", "bool", "char", "short", "long", "void", "size_t")


def type_of(ctx: Context, node: c_ast.Node) -> tuple[Type, bool]:
    """The type of a declarator, and whether the variable itself is const."""
    match node:
        case c_ast.TypeDecl():
            _no_volatile(ctx, node, node.quals or [])
            type, const = _base(ctx, _named(ctx, node.type, f"{node.declname}_t"))
            return type, const or _is_const(node.quals)
        case c_ast.PtrDecl():
            _no_volatile(ctx, node, node.quals or [])
            if isinstance(node.type, c_ast.FuncDecl):
                raise ctx.reject(Code.FUNCTION_POINTERS, node)
            target, const = type_of(ctx, node.type)
            restrict = any(q in ("restrict", "__restrict__", "__restrict") for q in node.quals or [])
            reference = "&" in (node.quals or [])
            return ir.Pointer(target, const, restrict, reference), _is_const(node.quals)
        case c_ast.ArrayDecl():
            return _array(ctx, node)
        case c_ast.FuncDecl():
            raise ctx.reject(Code.FUNCTION_POINTERS, node)
        case c_ast.Typename():
            return type_of(ctx, node.type)
        case _:
            return _base(ctx, node)


def _is_const(quals: list[str] | None) -> bool:
    return any(q in ("const", "constexpr") for q in quals or [])


def _no_volatile(ctx: Context, node: c_ast.Node, quals: list[str]) -> None:
    if "volatile" in quals:
        name = getattr(node, "declname", None)
        raise ctx.reject(Code.VOLATILE, node, name=name or ctx.written.text(node))


def _base(ctx: Context, node: c_ast.Node) -> tuple[Type, bool]:
    match node:
        case c_ast.IdentifierType(names=names):
            found = types.scalar(names)
            local = ctx.typedef(names[0]) if len(names) == 1 else None
            if local is not None:
                return local
            if found is not None:
                return found, False
            name = " ".join(names)
            if name == "auto":
                raise ctx.reject(Code.NO_AUTO, node)
            if name in VECTORS:
                if VECTORS[name] in halves.FAMILIES:
                    ctx.pairs.add(VECTORS[name])
                return VECTORS[name], False
            known = [*_KNOWN, *(n for scope in ctx.typedefs for n in scope)]
            raise ctx.reject(Code.UNKNOWN_TYPE, node, name=name, nearest=nearest(name, known))
        case c_ast.Enum():
            return enumerators(ctx, node), False
        case c_ast.Struct():
            return structure(ctx, node), False
        case c_ast.Union():
            raise ctx.reject(Code.UNION, node)
        case c_ast.AttributedType():
            return type_of(ctx, node.type)
        case _:
            raise ctx.reject(
                Code.NOT_SUPPORTED,
                node,
                what=f"the type `{ctx.written.text(node)}`",
                help="write an arithmetic type",
            )


def structure(ctx: Context, node: c_ast.Struct, within: tuple[str, Bindings] | None = None) -> Type:
    """The struct that is defined there, or the one of that name.

    `within` are the name and the parameters of the template that it is an instance of.
    """
    if node.decls is None:
        known = ctx.typedef(node.name)
        if known is None:
            raise ctx.reject(Code.UNKNOWN_TYPE, node, name=node.name, nearest="")
        return known[0]
    written = node.name
    if written is not None:
        ctx.typedefs[-1][written] = Struct(written), False  # for a pointer to it in itself
    members: Bindings = {}
    outer = ctx
    holds_more = isinstance(node, Class) and (node.types or node.statics or nested(node))
    if isinstance(node, Class) and (holds_more or within):
        if within is None:
            ctx = copy.copy(ctx)
            ctx.scopes, ctx.typedefs = [*ctx.scopes, {}], [*ctx.typedefs, {}]
        generic.inside(ctx, node, members)
    fields = _fields(ctx, node)
    if not fields and not ctx.emitted and not (isinstance(node, Class) and node.children()):
        what = f"the struct `{node.name or 'struct'}`, which has no fields"
        raise ctx.reject(Code.NOT_SUPPORTED, node, what=what, help="leave it out")
    asked = [_alignment(ctx, node, text) for text in getattr(node, "aligned", ())]
    beside = isinstance(node, Class) and within is None and (len(outer.typedefs) > 1 or node.unnamed)
    if beside:
        assert ctx.generic is not None
        node, found = ctx.generic.beside(node, Struct(written, tuple(fields)))
        if found is not None:
            outer.typedefs[-1][written] = found, False
            return found
    if getattr(node, "union", False):
        fields = overlaid.union(ctx, node, fields)
    made = Struct(node.name or "", tuple(fields), align=max([getattr(node, "align", 0), *asked]))
    if holds_more:
        assert ctx.generic is not None
        members |= {name: type for name, (type, _) in ctx.typedefs[-1].items()}
        ctx.generic.members[made.name] = dict(members)
    if within is not None:
        members = {**within[1], **members}
    if beside:
        assert ctx.generic is not None
        ctx.generic.define(node, made, written)
        members = {**_around(outer), **members, written: made}
    if node.name is not None:
        outer.typedefs[-1][written] = made, False
        outer.classes[node.name] = node
        if within is not None:
            assert outer.generic is not None
            outer.generic.complete(made)
            outer.typedefs[-1][within[0]] = made, False
            members[within[0]] = made
        methods.register(outer, node, made, members)
    return made


def _named(ctx: Context, node: c_ast.Node, title: str) -> c_ast.Node:
    """The definition of a struct without a name, under that of its first variable; others as they are."""
    if isinstance(node, Class) and node.name is None:
        assert ctx.generic is not None
        node = titled(node, ctx.generic.unnamed.setdefault(node.coord.index, title))
        node.unnamed = True
    return node


def _fields(ctx: Context, node: c_ast.Struct) -> list[ir.Field]:
    fields: list[ir.Field] = []
    for decl in node.decls:
        if not isinstance(decl, c_ast.Decl) or decl.name is None:
            continue
        type, _ = type_of(ctx, decl.type)
        if isinstance(type, Scalar) and type == ir.VOID:
            raise ctx.type_error(decl, f"`{decl.name}` is void", "a field needs a type with values")
        if isinstance(type, ir.Array | Struct) and 0 in type.extents:
            raise ctx.type_error(decl, f"`{decl.name}` has an unknown extent", "needs a number")
        overlaid.refuse_inside(ctx, decl, type)
        fields.append(ir.Field(decl.name, type))
    return fields


def _around(ctx: Context) -> Bindings:
    """The types and constants that the functions of a struct in a function can name."""
    types = {name: type for scope in ctx.typedefs[1:] for name, (type, _) in scope.items()}
    found: Bindings = {**types}
    for name, it in ((name, it) for scope in ctx.scopes[1:] for name, it in scope.items()):
        if isinstance(it, ir.Const):
            found[name] = it
        elif isinstance(it, ir.Sym) and isinstance(it.type, Scalar) and it in ctx.values:
            found[name] = ir.Const(ctx.values[it], it.type)
    return found


def _alignment(ctx: Context, node: c_ast.Struct, text: str) -> int:
    """What a product of numbers, constants and sizes comes to: `sizeof(T) * N`."""
    product = 1
    for factor in text.split("*"):
        size = re.fullmatch(r"\s*sizeof\s*\(\s*(\w+)\s*\)\s*", factor)
        known = ctx.typedef(size[1]) if size else None
        type = (known[0] if known else types.scalar([size[1]])) if size else None
        found = ctx.lookup(factor.strip())
        if isinstance(type, Scalar):
            product *= type.size
        elif factor.strip().isdigit():
            product *= int(factor)
        elif isinstance(found, ir.Const) and isinstance(found.value, int):
            product *= found.value
        else:
            what = f"the alignment `{' '.join(text.split())}`"
            raise ctx.reject(Code.NOT_SUPPORTED, node, what=what, help="write a number of bytes")
    return product


def _array(ctx: Context, node: c_ast.ArrayDecl) -> tuple[Type, bool]:
    extents: list[int] = []
    spelled: list[str] = []
    inner: c_ast.Node = node
    while isinstance(inner, c_ast.ArrayDecl):
        if inner.dim is None:
            extents.append(0)
            spelled.append("")
        else:
            count, text = extent(ctx, inner.dim)
            extents.append(count)
            spelled.append(text)
        inner = inner.type
    element, const = type_of(ctx, inner)
    if isinstance(element, Struct):
        inside = (tuple(extents) + element.extents, tuple(spelled) + element.spelled)
        return replace(element, extents=inside[0], spelled=inside[1]), const
    if not isinstance(element, Scalar) or element == ir.VOID:
        name = ctx.written.text(node)
        raise ctx.reject(
            Code.NOT_SUPPORTED, node, what=f"the array of pointers `{name}`", help="use one array"
        )
    return ir.Array(element, tuple(extents), tuple(spelled)), const


def extent(ctx: Context, node: c_ast.Node) -> tuple[int, str]:
    """The value of an extent and how the author spelled it.

    One that names a local constant is spelled as a number: what is emitted may need
    the array where the constant isn't declared.
    """
    with ctx.full(node):
        expr = lower_expr.value(ctx, node)
    count = constants.integer(expr, ctx.values)
    if count is None:
        raise ctx.reject(
            Code.NOT_CONSTANT,
            node,
            what="the extent of an array",
            text=ctx.written.text(node),
            help="use a macro, a `const int` with a value, or an upper bound",
        )
    if count <= 0:
        raise ctx.type_error(node, "an array without elements", f"the extent is {count}")
    return count, portable(ctx, node, count)


def portable(ctx: Context, node: c_ast.Node, value: int) -> str:
    """How a constant is spelled in output: as written, or as a number if a name has no meaning there.

    That is one of something local, or an enumerator that is spelled as a number everywhere.
    """
    names = effects.names(node)
    local = any(name in scope for scope in ctx.scopes[1:] for name in names)
    found = (ctx.lookup(name) for name in names)
    numbered = any(isinstance(it, ir.Const) and it.spelling not in (None, *names) for it in found)
    return str(value) if local or numbered else ctx.written.text(node)


def enumerators(ctx: Context, node: c_ast.Enum) -> Scalar:
    """Declare an enumeration and its constants; its type, to us, is the integers that hold its values."""
    if node.values is None:
        known = ctx.typedef(node.name)
        if known is not None and isinstance(known[0], Scalar) and "{" not in ctx.written.text(node):
            return known[0]
    head = _ENUMERATION.match(ctx.written.text(node))
    numbers: dict[str, int] = {}
    type = fixed = _underlying(ctx, node, head)
    number = 0
    for entry in node.values.enumerators if node.values is not None else ():
        if entry.value is not None:
            with ctx.full(entry.value):
                given = constants.integer(lower_expr.value(ctx, entry.value), ctx.values)
            if given is None:
                raise ctx.reject(
                    Code.NOT_CONSTANT,
                    entry.value,
                    what=f"the value of `{entry.name}`",
                    text=ctx.written.text(entry.value),
                    help="write a number",
                )
            number = given
        # Where the enumeration is local, what is emitted elsewhere can't use its names; and
        # the names of a scoped one don't convert to the integer that is emitted for its type.
        spelled = entry.name if len(ctx.scopes) == 1 and not (head and head["scoped"]) else str(number)
        numbers[entry.name] = number
        type = fixed or next((t for t in _HOLDING if all(_holds(t, n) for n in numbers.values())), ir.LONG)
        ctx.scopes[-1][entry.name] = ir.Const(number, type, spelling=spelled)
        number += 1
    for name in numbers:
        known_as = ctx.scopes[-1][name]
        assert isinstance(known_as, ir.Const)
        ctx.scopes[-1][name] = replace(known_as, type=type or ir.INT)
    if node.name is not None:
        ctx.typedefs[-1][node.name] = type or ir.INT, False
    return type or ir.INT


_ENUMERATION = re.compile(
    r"enum\s+(?P<scoped>(?:class|struct)\b)?\s*\w*\s*(?::(?!:)\s*(?P<type>[\w\s:]+))?", re.ASCII
)
_HOLDING = (ir.INT, ir.UINT, ir.LONG, ir.ULONG)
"""What the values of an enumeration are promoted to: the first of these that has all of them."""


def _holds(type: Scalar, number: int) -> bool:
    return types.wrap(number, type) == number


def _underlying(ctx: Context, node: c_ast.Enum, head: re.Match[str] | None) -> Scalar | None:
    """The type that an enumeration says itself that it has; that of a scoped one is `int`."""
    if head is None or head["type"] is None:
        return ir.INT if head is not None and head["scoped"] else None
    words = head["type"].replace("std::", "").replace("::", " ").split()
    known = ctx.typedef(words[-1]) if words else None
    found = known[0] if known is not None else types.scalar(words)
    if not isinstance(found, Scalar) or not found.is_integer:
        what = f"an enumeration of the type `{' '.join(words)}`, which is known by another name"
        raise ctx.reject(Code.NOT_SUPPORTED, node, what=what, help="write the type itself: `unsigned char`")
    return replace(found, alias="")
