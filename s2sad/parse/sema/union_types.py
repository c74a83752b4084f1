"""Represent a union of a floating-point number and integers of its size by a struct."""

from __future__ import annotations

from pycparser import c_ast

from ... import ir
from ...diagnostics import Code
from ...ir import Scalar, Struct
from .scope import Context

BITS = {
    (ir.FLOAT, ir.INT): ("__float_as_int", "__int_as_float"),
    (ir.FLOAT, ir.UINT): ("__float_as_uint", "__uint_as_float"),
    (ir.DOUBLE, ir.LLONG): ("__double_as_longlong", "__longlong_as_double"),
}


def union(ctx: Context, node: c_ast.Struct, fields: list[ir.Field]) -> list[ir.Field]:
    """Return the fields of the struct that represents a union. Refused if none can."""
    number, *others = fields or [ir.Field("", ir.INT)]
    names = [(number.type, f.type) for f in others]
    methods = getattr(node, "methods", None)
    if not others or node.name is None or methods or any(n not in BITS for n in names):
        raise ctx.reject(Code.UNION, node)
    bits = {f.name: f.type for f in others if isinstance(f.type, Scalar)}
    if ctx.unit.overlaid.setdefault(Struct(node.name, (number,)), bits) != bits:  # another union of that name
        raise ctx.reject(Code.UNION, node)
    return [number]


def refuse_inside(ctx: Context, node: c_ast.Node, type: ir.Type) -> None:
    """Refuse such a union where its layout matters: in memory that others see, and in a struct."""
    while isinstance(type, ir.Pointer):
        type = type.target
    if isinstance(type, Struct) and Struct(type.name, type.fields) in ctx.unit.overlaid:
        raise ctx.reject(Code.UNION, node)
