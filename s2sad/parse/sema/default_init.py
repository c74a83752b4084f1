"""Default values of objects and fields without an initialiser.

    struct Step { float size = 0.5f; dim3 grid; };      Step s;   Step t{};   Step()

C++ uses the default member initialiser, calls the default constructor of a field that has
one, and zeroes the rest if there is an initialiser at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from pycparser import c_ast

from ... import ir
from ...diagnostics import Code
from ...fields import DIM3, Leaf
from ...ir import Const, Expr, Scalar, Struct
from ..types import types
from . import dispatch, evaluation, meanings
from .meanings import LeafKey, Value
from .scope import Context


def begins(ctx: Context, type: Struct) -> bool:
    """Whether an object without an initialiser is initialised all the same."""
    one = replace(type, extents=(), spelled=())
    if one.name == DIM3.name or _given(ctx, one):
        return True
    name = constructors(ctx, one)
    if name and takes_nothing(ctx, name):
        return True
    return any(isinstance(part.type, Struct) and begins(ctx, part.type) for part in one.fields)


@dataclass
class Absent:
    """The values of the leaves that an object's initialiser doesn't mention."""

    ctx: Context
    node: c_ast.Node
    type: Struct
    _made: dict[tuple[str, ...], Value] = field(default_factory=dict)

    def value(self, key: LeafKey, leaf: Leaf) -> Expr:
        """Return the value of one leaf."""
        return self._inside(self.type, (), key[0], leaf, constructed=bool(self.type.extents))

    def _inside(
        self, type: Struct, to: tuple[str, ...], path: Sequence[str], leaf: Leaf, *, constructed: bool
    ) -> Expr:
        ctx, one = self.ctx, replace(type, extents=(), spelled=())
        if one.name == DIM3.name:
            return Const(1, ir.UINT)
        if constructed and constructors(ctx, one):
            if to not in self._made:
                self._made[to] = dispatch.initialised(ctx, c_ast.InitList([], self.node.coord), one)
            found = {key: e for key, e in self._made[to].leaves.items() if key[0] == tuple(path)}
            if len(found) != 1:
                raise self._unknown(one)
            return next(iter(found.values()))
        given = _given(ctx, one).get(path[0])
        part = next(part for part in one.fields if part.name == path[0])
        if given is not None and not _is_empty(given):
            if not isinstance(part.type, Scalar):
                raise self._unknown(one)
            inner = ctx.at_file(_bound(ctx, one))
            with inner.full(given):
                value = evaluation.converted(inner, _only(given), part.type)
            if inner.out:
                raise self._unknown(one)
            return value
        if isinstance(part.type, Struct):
            return self._inside(part.type, (*to, path[0]), path[1:], leaf, constructed=True)
        return Const(types.wrap(0, leaf.type), leaf.type) if isinstance(leaf.type, Scalar) else _no_pointer()

    def _unknown(self, type: Struct) -> Exception:
        what = f"an initialiser that leaves out fields of `{type.name}`, which has default values for them"
        return self.ctx.reject(Code.NOT_SUPPORTED, self.node, what=what, help="write all values")


def _given(ctx: Context, type: Struct) -> dict[str, c_ast.Node]:
    """Return the default member initialisers of a class, by field."""
    node = ctx.unit.classes.get(type.name)
    decls = getattr(node, "decls", None) or ()
    return {decl.name: decl.init for decl in decls if getattr(decl, "init", None) is not None}


def _bound(ctx: Context, type: Struct) -> dict[str, ir.Type | Const]:
    """Return the meanings of names in a class: its template's parameters, its types and constants."""
    assert ctx.unit.generic is not None
    return {**ctx.unit.generic.bound.get(type.name, {}), **ctx.unit.generic.members.get(type.name, {})}


def _is_empty(node: c_ast.Node) -> bool:
    """Whether an initialiser is `{}`, which has the same effect as none."""
    return isinstance(node, c_ast.InitList) and not node.exprs


def _only(node: c_ast.Node) -> c_ast.Node:
    single = isinstance(node, c_ast.InitList) and len(node.exprs or ()) == 1
    return node.exprs[0] if single else node


def _no_pointer() -> Expr:
    raise AssertionError("pointers are left unset")


def constructors(ctx: Context, type: Struct) -> str:
    """Return the name of a class's constructors, "" if it has none."""
    name = f"{type.name}::{type.name}"
    return name if name in ctx.unit.functions and not type.extents else ""


def takes_nothing(ctx: Context, name: str) -> bool:
    """Whether one of these constructors can be called without arguments."""
    return any(meanings.takes(d, 0) for d in ctx.unit.functions[name])
