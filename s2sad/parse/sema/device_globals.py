"""Variables of the file that get their values from outside: parameters of what is emitted.

    __constant__ float filter[8];      const float *filter, float *adj_filter

An emitted file can't define such a variable a second time: it would be another one, full
of zeros. So its values come as an array, like the ones that the kernel already takes, and
nothing after the front end knows the difference. Of a number the array has one element.
"""

from __future__ import annotations

from dataclasses import replace

from pycparser import c_ast

from ... import ir
from ...diagnostics import Code
from ...ir import Const, Place, Pointer, Scalar, Struct, Sym, Type
from .meanings import Access, Alias, Referred
from .scope import Context

_FIRST = Const(0, ir.INT)


def declare(ctx: Context, node: c_ast.Decl, type: Type, fixed: bool) -> None:
    """Let the name mean the array that is passed for it; `fixed` says that nobody writes to it."""
    span = ctx.span(node)
    name = node.name
    if isinstance(type, Pointer):
        raise ctx.reject(Code.POINTER_VARIABLE, node, name=name)
    if isinstance(type, Scalar) or (isinstance(type, Struct) and not type.extents):
        ctx.lone.add(name)
    sym = Sym(name, Pointer(_pointee(ctx, node, type), const=fixed), "parameter", span=span, origin="author")
    if isinstance(type, Struct):
        ctx.variables += ctx.parts_of(sym).values()
        one = Access(sym, (), (_FIRST,), type)
        ctx.scopes[0][name] = sym if type.extents else Referred(one, fixed)
        return
    ctx.variables.append(sym)
    if isinstance(type, Scalar):
        ctx.aliases.add(name)  # what a macro makes of it has another name there
        reference = replace(sym.type, reference=True) if isinstance(sym.type, Pointer) else sym.type
        assert isinstance(reference, Pointer)
        ctx.scopes[0][name] = Alias(name, reference, Place(sym, (_FIRST,), type), reference=True, span=span)
        return
    ctx.scopes[0][name] = sym


def _pointee(ctx: Context, node: c_ast.Decl, type: Type) -> Type:
    """What an array of the type is an array of, as a pointer has it."""
    match type:
        case ir.Array(element, (_, *rows), spelled):
            return ir.Array(element, tuple(rows), spelled[1:]) if rows else element
        case Struct(extents=(_, *rows)):
            if rows:
                what = f"`{node.name}`, a variable of the file with several indices of structs"
                raise ctx.reject(Code.NOT_SUPPORTED, node, what=what, help="give it one index")
            return replace(type, extents=(), spelled=())
        case _:
            return type
