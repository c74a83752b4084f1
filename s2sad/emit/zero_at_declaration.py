"""Give adjoints that are declared without a value a zero.

float adj_v;                      float adj_v = 0.0f;
if (c)                            if (c)
    adj_v = adj_y[i];       ->        adj_v = adj_y[i];
else                              else
    adj_v = -adj_y[i];                adj_v = -adj_y[i];

The sweep stores each of them before it reads it, so the value changes nothing: a reader needn't
prove that, and an edit that drops one of the stores leaves no garbage. It runs when structs are
whole again, since a declaration with the stores of all fields becomes one with their values.
"""

from __future__ import annotations

from dataclasses import replace

from ..ir import Body, Declare, Initialiser, Scalar, Stmt, Struct, Sym, rebuilt
from ..transform.common.algebra import real


def zero_at_declaration(body: Body) -> Body:
    """Give zeros to the adjoints that are declared without a value."""
    return tuple(_initialised(stmt) for stmt in body)


def _initialised(stmt: Stmt) -> Stmt:
    if not isinstance(stmt, Declare):
        return rebuilt(stmt, zero_at_declaration)
    if stmt.init is not None or not _is_adjoint(stmt.sym):
        return stmt
    match stmt.sym.type:
        case Scalar(is_float=True) as kind:
            return replace(stmt, init=real(0.0, kind))
        case Struct():
            return replace(stmt, init=Initialiser(()))
        case _:
            return stmt


def _is_adjoint(sym: Sym) -> bool:
    return sym.ours and sym.of is not None and sym.storage == "local"
