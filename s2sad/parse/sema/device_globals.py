"""Turn file variables that are set from outside into parameters of the emitted functions.

    __constant__ float filter[8];      const float *filter, float *adj_filter

An emitted file can't define such a variable a second time: that would be another variable, full
of zeros. So its values are passed as an array, like the kernel's other arrays, and nothing after
the front end sees a difference. A scalar becomes an array of one element.
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
    """Declare the name as the array that is passed for it; `fixed` if nothing writes to it."""
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
        ctx.aliases.add(name)  # it has another name in the output, so a macro's spelling can't be kept
        reference = replace(sym.type, reference=True) if isinstance(sym.type, Pointer) else sym.type
        assert isinstance(reference, Pointer)
        ctx.scopes[0][name] = Alias(name, reference, Place(sym, (_FIRST,), type), reference=True, span=span)
        return
    ctx.scopes[0][name] = sym


def _pointee(ctx: Context, node: c_ast.Decl, type: Type) -> Type:
    """Return the element type of an array of this type, as for a pointer to it."""
    match type:
        case ir.Array(element, (_, *rows), spelled):
            return ir.Array(element, tuple(rows), spelled[1:]) if rows else element
        case Struct(extents=(_, *rows)):
            if rows:
                what = f"`{node.name}`, a global array of structs with several dimensions"
                raise ctx.reject(Code.NOT_SUPPORTED, node, what=what, help="give it one dimension")
            return replace(type, extents=(), spelled=())
        case _:
            return type
