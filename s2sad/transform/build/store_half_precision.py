"""Store adjoint arrays in half precision; all computation is in float.

    adj_x[i] += w * g;     ->     adj_x[i] = __float2half(__half2float(adj_x[i]) + w * g);

Before this pass, the adjoint of a half-precision number is a float everywhere. In global
memory it has the primal's type (semantics.md, section 4), so each access converts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from ...ir import (
    FLOAT,
    Array,
    Assign,
    Binary,
    Body,
    Cast,
    Expr,
    Place,
    Pointer,
    Scalar,
    Stmt,
    Sym,
    Type,
    scalar_type,
    substituted,
)
from ..common.adjoint_types import summed
from ..common.symbol_uses import mapped


def in_memory(adjoints: Iterable[Sym]) -> dict[Sym, Sym]:
    """The parameters that point to half-precision adjoints, with the types of the signature."""
    found: dict[Sym, Sym] = {}
    for adj in adjoints:
        if adj.of is None or not isinstance(adj.type, Pointer):
            continue
        held = adj.of.type.target if isinstance(adj.of.type, Pointer) else adj.of.type
        if summed(held) != held and adj.type.target == summed(held):
            found[adj] = replace(adj, type=replace(adj.type, target=held))
    return found


def narrowed(body: Body, memory: Mapping[Sym, Sym]) -> Body:
    """The body with these adjoints in half precision, converted at each load and store."""

    def change(e: Expr) -> Expr | None:
        if not isinstance(e, Place) or e.sym not in memory:
            return None
        sym = memory[e.sym]
        assert isinstance(sym.type, Pointer)
        held = sym.type.target.element if isinstance(sym.type.target, Array) else sym.type.target
        assert isinstance(held, Scalar)
        return Cast(replace(e, sym=sym, type=held), FLOAT)

    return substituted(tuple(mapped(stmt, change) for stmt in body), _stored) if memory else body


def _stored(stmt: Stmt) -> Body | None:
    """A store to half precision, with its value converted."""
    match stmt:
        case Assign(target, value, op) if _is_half(target.type) and not _is_half(value.type):
            if op is not None:
                value = Binary(op[:-1], Cast(target, FLOAT), value, FLOAT)
            return (replace(stmt, value=Cast(value, scalar_type(target)), op=None),)
        case _:
            return None


def _is_half(type: Type) -> bool:
    return isinstance(type, Scalar) and type.is_half
