"""Turn methods, constructors and operators of small classes into functions outside the class.

    struct V { float x; float len(V o) const { return x - o.x; } };

is lowered as `float V::len(V &this, V o) { return this.x - o.x; }`, and a constructor as a
function that returns the new object. They are inlined into their callers, as all functions
of structs are; a file that uses them only needs the fields of the class.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pycparser import c_ast

from ... import ir
from ...diagnostics import Code, Rejected
from ...ir import Struct
from ..desugar.implicit_this import THIS, Inside, declared
from ..syntax.classes import Class
from ..syntax.expressions import Nothing
from . import declarators
from .meanings import Bindings, Device
from .scope import Context


def register(ctx: Context, node: c_ast.Struct, struct: Struct, bound: Bindings | None = None) -> None:
    """Register the methods of a class as functions; `bound` are the types and constants in it."""
    if not isinstance(node, Class):
        return
    if bound:
        ctx = ctx.at_file(bound)
    fields = {f.name for f in struct.fields}
    names = {method.decl.name for method in node.methods}
    for method in (*node.methods, *node.friends):
        try:
            if id(method) in node.bodiless and method.decl.name in node.elsewhere:
                what = f"a constructor of `{node.name}`, which isn't defined in the class"
                help = "define it where it is declared"
                raise ctx.reject(Code.NOT_SUPPORTED, method, what=what, help=help)
            if id(method) in node.bodiless:
                raise ctx.reject(Code.NOT_DEFINED, method, name=node.name or "", option="")
            device = _device(ctx, node, struct, method, fields, names)
        except Rejected as rejected:  # reported where it is called
            device = _refused(node, struct, method, rejected)
        device = replace(device, bindings=bound or None)
        ctx.unit.add(device)


def _refused(node: Class, struct: Struct, method: c_ast.FuncDef, rejected: Rejected) -> Device:
    """Return a method with unknown types: it is chosen by the number of its arguments, and refused."""
    params = declarators.parameters(method)
    defaults = tuple(getattr(p, "init", None) for p in params)
    if method.decl.name != node.name:
        defaults = (None, *defaults)
    name = _name(struct, method)
    return Device(name, name, (ir.VOID,) * len(defaults), ir.VOID, defaults, refused=rejected.diagnostics)


def _name(struct: Struct, method: c_ast.FuncDef) -> str:
    """Return the name of a method as a function; an operator keeps its name."""
    name = str(method.decl.name)
    plain = name.startswith("operator") and name not in ("operator()", "operator[]")
    return name if plain else f"{struct.name}::{name}"


def _device(
    ctx: Context, node: Class, struct: Struct, method: c_ast.FuncDef, fields: set[str], names: set[str]
) -> Device:
    name = method.decl.name
    made = copy.copy(method)
    params = declarators.parameters(method)
    own = {p.name for p in params} | declared(method.body)
    inside = Inside(ctx.unit.written.stands_for, frozenset(fields - own), frozenset(names - own))
    body = inside.rewritten(method.body)
    constructs = name == node.name
    types = [declarators.decayed(ctx, p) for p in params]
    if method in node.friends:
        result = declarators.result_of(ctx, method)
        key = f"{name}_{len(ctx.unit.functions.get(name, ()))}"
        defaults = tuple(getattr(p, "init", None) for p in params)
        return declarators.with_structs(Device(key, name, tuple(types), result, defaults), made, always=True)
    if constructs:
        inits = {field.name: args for field, args in node.inits[id(method)]}
        inits = {f: [inside.rewritten(a) for a in args] for f, args in inits.items()}
        made.body = _constructed(node, struct, inits, body)
        device = Device(f"{struct.name}::{name}", f"{struct.name}::{name}", tuple(types), struct)
    elif id(method) in node.static:
        made.body = body
        own_name = f"{struct.name}::{name}"
        device = Device(own_name, own_name, tuple(types), declarators.result_of(ctx, method))
    else:
        made.decl = copy.copy(method.decl)
        made.decl.type = copy.copy(method.decl.type)
        coord = method.decl.coord
        this = c_ast.Decl(
            THIS, [], [], [], [], c_ast.TypeDecl(THIS, [], None, None, coord), None, None, coord
        )
        made.decl.type.args = c_ast.ParamList([this, *params], coord)
        made.body = body
        result = declarators.result_of(ctx, method)
        own_name = _name(struct, method)
        this_type = ir.Pointer(struct, const=id(method) in node.constant, reference=True)
        device = Device(own_name, own_name, (this_type, *types), result)
    defaults = tuple(getattr(p, "init", None) for p in params)
    objectless = constructs or id(method) in node.static
    device = replace(device, defaults=defaults if objectless else (None, *defaults))
    key = f"{device.key}_{len(ctx.unit.functions.get(device.name, ()))}"
    return declarators.with_structs(replace(device, key=key), made, always=True)


def _constructed(
    node: Class, struct: Struct, inits: dict[str, list[Any]], body: c_ast.Compound
) -> c_ast.Compound:
    """Rewrite a constructor's body as a function's: its object is declared, changed and returned."""
    coord = body.coord
    if node.name in inits:  # `V(float x) : V(x, x) {}` delegates to another constructor
        kind = c_ast.TypeDecl(None, [], None, c_ast.IdentifierType([struct.name], coord), coord)
        args: Any = c_ast.InitList(inits[node.name], coord)
        if len(inits[node.name]) == 1:
            args = inits[node.name][0]
        elif not inits[node.name]:
            args = Nothing("int", "0", coord)
        other = c_ast.Cast(c_ast.Typename(None, [], None, kind, coord), args, coord)
        return _with_statements(struct, other, body)
    defaults = {d.name: d.init for d in node.decls if isinstance(d, c_ast.Decl) and d.init is not None}
    values: list[Any] = []
    for field in struct.fields:
        args = inits.get(field.name)
        if args is not None and len(args) == 1:
            values.append(args[0])
        elif args:
            values.append(c_ast.InitList(args, coord))
        else:
            values.append(defaults.get(field.name, c_ast.InitList([], coord)))
    return _with_statements(struct, Made(struct, values, coord), body)


def _with_statements(struct: Struct, made: Any, body: c_ast.Compound) -> c_ast.Compound:
    """Build a body that declares the object, runs the statements and returns it."""
    coord = body.coord
    if not body.block_items:
        return c_ast.Compound([c_ast.Return(made, coord)], coord)
    this = _declaration(c_ast.IdentifierType([struct.name], coord), made, coord)
    last = c_ast.Return(c_ast.ID(THIS, coord), coord)
    return c_ast.Compound([this, *body.block_items, last], coord)


def _declaration(kind: Any, init: Any, coord: Any) -> Any:
    """Declare the object that a method works on."""
    return c_ast.Decl(THIS, [], [], [], [], c_ast.TypeDecl(THIS, [], None, kind, coord), init, None, coord)


class Made(c_ast.Node):  # type: ignore[misc]  # pycparser is untyped to us
    """A value of a class built from the values of its fields, whatever constructors there are."""

    __slots__ = ("coord", "struct", "values")

    def __init__(self, struct: Struct, values: Sequence[Any], coord: Any) -> None:
        self.struct = struct
        self.values = list(values)
        self.coord = coord

    def children(self) -> tuple[tuple[str, Any], ...]:
        """Return the values."""
        return tuple((f"values[{k}]", value) for k, value in enumerate(self.values))
