"""Lower declarators: types, qualifiers, extents."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from pycparser import c_ast

from ... import ir
from ...diagnostics import Code
from ...fields import VECTORS
from ...ir import Pointer, Scalar, Struct, Type
from ..syntax import ast_utils
from ..syntax.classes import Class, titled
from ..types import half_functions, types
from . import dispatch, evaluation, meanings
from .meanings import Device
from .scope import Context, nearest

_KNOWN = ("float", "double", "int", "unsigned", "bool", "char", "short", "long", "void", "size_t")


def type_of(ctx: Context, node: c_ast.Node) -> tuple[Type, bool]:
    """Return the type of a declarator, and whether the variable itself is const."""
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
        raise ctx.reject(Code.VOLATILE, node, name=name or ctx.unit.written.text(node))


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
                if VECTORS[name] in half_functions.FAMILIES:
                    ctx.unit.pairs.add(VECTORS[name])
                return VECTORS[name], False
            known = [*_KNOWN, *(n for scope in ctx.typedefs for n in scope)]
            raise ctx.reject(Code.UNKNOWN_TYPE, node, name=name, nearest=nearest(name, known))
        case c_ast.Enum():
            return enumerators(ctx, node), False
        case c_ast.Struct():
            return dispatch.structure(ctx, node), False
        case c_ast.Union():
            raise ctx.reject(Code.UNION, node)
        case c_ast.AttributedType():
            return type_of(ctx, node.type)
        case _:
            raise ctx.reject(
                Code.NOT_SUPPORTED,
                node,
                what=f"the type `{ctx.unit.written.text(node)}`",
                help="write an arithmetic type",
            )


def _named(ctx: Context, node: c_ast.Node, title: str) -> c_ast.Node:
    """Name an unnamed struct after its first variable; return other nodes unchanged."""
    if isinstance(node, Class) and node.name is None:
        assert ctx.unit.generic is not None
        node = titled(node, ctx.unit.generic.unnamed.setdefault(node.coord.index, title))
        node.unnamed = True
    return node


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
        name = ctx.unit.written.text(node)
        raise ctx.reject(
            Code.NOT_SUPPORTED, node, what=f"the array of pointers `{name}`", help="use one array"
        )
    return ir.Array(element, tuple(extents), tuple(spelled)), const


def extent(ctx: Context, node: c_ast.Node) -> tuple[int, str]:
    """Return the value of an extent and its spelling.

    An extent that names a local constant is spelled as a number: the emitted file may need
    the array where the constant isn't declared.
    """
    with ctx.full(node):
        expr = evaluation.value(ctx, node)
    count = evaluation.constant_integer(ctx, expr)
    if count is None:
        raise ctx.reject(
            Code.NOT_CONSTANT,
            node,
            what="the extent of an array",
            text=ctx.unit.written.text(node),
            help="use a macro, a `const int` with a value, or an upper bound",
        )
    if count == 0:
        what = "an empty array"
        raise ctx.reject(Code.NOT_SUPPORTED, node, what=what, help="leave it out")
    if count < 0:
        raise ctx.type_error(node, "an empty array", f"the extent is {count}")
    return count, portable(ctx, node, count)


def portable(ctx: Context, node: c_ast.Node, value: int) -> str:
    """Return a constant's spelling in the output: as written, or as a number if a name isn't declared there.

    Such a name is local, a function, or an enumerator that is spelled as a number everywhere.
    """
    names = ast_utils.names(node)
    local = any(name in scope for scope in ctx.scopes[1:] for name in names)
    found = (ctx.lookup(name) for name in names)
    numbered = any(isinstance(it, ir.Const) and it.spelling not in (None, *names) for it in found)
    calls = any(isinstance(part, c_ast.FuncCall) for part in ast_utils.walk(node))
    return str(value) if local or numbered or calls else ctx.unit.written.text(node)


def enumerators(ctx: Context, node: c_ast.Enum) -> Scalar:
    """Declare an enumeration and its constants; return the integer type that represents it."""
    if node.values is None:
        known = ctx.typedef(node.name)
        if known is not None and isinstance(known[0], Scalar) and "{" not in ctx.unit.written.text(node):
            return known[0]
    head = _ENUMERATION.match(ctx.unit.written.text(node))
    numbers: dict[str, int] = {}
    type = fixed = _underlying(ctx, node, head)
    number = 0
    for entry in node.values.enumerators if node.values is not None else ():
        if entry.value is not None:
            with ctx.full(entry.value):
                given = evaluation.constant_integer(ctx, evaluation.value(ctx, entry.value))
            if given is None:
                raise ctx.reject(
                    Code.NOT_CONSTANT,
                    entry.value,
                    what=f"the value of `{entry.name}`",
                    text=ctx.unit.written.text(entry.value),
                    help="write a number",
                )
            number = given
        # Other parts of the output can't use the names of a local enumeration, and the names of
        # a scoped one don't convert to the integer type that is emitted for it.
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
"""The promoted type of an enumeration is the first of these that holds all its values."""


def _holds(type: Scalar, number: int) -> bool:
    return types.wrap(number, type) == number


def _underlying(ctx: Context, node: c_ast.Enum, head: re.Match[str] | None) -> Scalar | None:
    """Return the declared underlying type of an enumeration; `int` for a scoped one without."""
    if head is None or head["type"] is None:
        return ir.INT if head is not None and head["scoped"] else None
    words = head["type"].replace("std::", "").replace("::", " ").split()
    known = ctx.typedef(words[-1]) if words else None
    found = known[0] if known is not None else types.scalar(words)
    if not isinstance(found, Scalar) or not found.is_integer:
        what = f"an enumeration with the unsupported underlying type `{' '.join(words)}`"
        raise ctx.reject(Code.NOT_SUPPORTED, node, what=what, help="write the type itself: `unsigned char`")
    return replace(found, alias="")


def parameters(node: c_ast.FuncDef) -> list[c_ast.Decl]:
    """Return the declarations of a function's parameters; none for `(void)`."""
    args = node.decl.type.args
    params = list(args.params) if args is not None else []
    if len(params) == 1 and isinstance(params[0], c_ast.Typename):
        only = params[0].type
        if isinstance(only, c_ast.TypeDecl) and getattr(only.type, "names", None) == ["void"]:
            return []
    return params


def decayed(ctx: Context, node: c_ast.Node) -> Type:
    """Return the type of a parameter; an array decays to a pointer."""
    type, _ = parameter_type(ctx, node)
    return type


def parameter_type(ctx: Context, node: c_ast.Node) -> tuple[Type, bool]:
    """Return the type of a parameter as it is passed, and whether it is const."""
    if isinstance(node.type, c_ast.ArrayDecl):
        element, const = type_of(ctx, node.type.type)
        return Pointer(element, const=const), False
    type, const = type_of(ctx, node.type)
    if isinstance(type, Pointer) and type.reference and isinstance(type.target, ir.Array):
        rows = type.target.extents[1:]  # a reference to an array is lowered as a pointer to its elements
        target = replace(type.target, extents=rows, spelled=type.target.spelled[1:]) if rows else None
        return Pointer(target or type.target.element, const=type.const), False
    return type, const


def result_of(ctx: Context, node: c_ast.FuncDef) -> Type:
    """Return the return type of a function."""
    kind = node.decl.type.type
    if getattr(getattr(kind, "type", None), "names", None) == ["auto"]:
        what, help = "a function that returns `auto`", "write the type that it returns"
        raise ctx.reject(Code.NOT_SUPPORTED, node.decl, what=what, help=help)
    return type_of(ctx, kind)[0]


def with_structs(device: Device, node: c_ast.FuncDef, *, always: bool = False) -> Device:
    """Mark a function for inlining if it takes or returns structs; its references become aliases.

    A function of numbers is also inlined if it returns a reference, or with `always`.
    """
    params = [referred(p) for p in device.params]
    refers = isinstance(device.result, Pointer) and device.result.reference
    if not (always or refers) and not any(meanings.is_struct(t) for t in (*params, referred(device.result))):
        return device
    references = frozenset(k for k, p in enumerate(device.params) if isinstance(p, Pointer) and p.reference)
    fixed = frozenset(k for k in references if getattr(device.params[k], "const", False))
    return replace(
        device,
        params=tuple(params),
        result=referred(device.result),
        inline=node,
        references=references,
        fixed=fixed,
    )


def referred(type: Type) -> Type:
    """Return the referent type of a reference; any other type unchanged."""
    return type.target if isinstance(type, Pointer) and type.reference else type


def is_reference(node: c_ast.Node) -> bool:
    """Whether a declaration is of a reference."""
    return isinstance(node.type, c_ast.PtrDecl) and "&" in (node.type.quals or ())


def returns_reference(function: Any) -> bool:
    """Whether a function returns a reference."""
    return is_reference(function.decl.type)
