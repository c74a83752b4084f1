"""Give adjoints that are declared without a value a zero.

float adj_v;                      float adj_v = 0.0f;
if (c)                            if (c)
    adj_v = adj_y[i];       ->        adj_v = adj_y[i];
else                              else
    adj_v = -adj_y[i];                adj_v = -adj_y[i];

The sweep stores each of them before it reads it, so the value changes nothing: a reader needn't
prove that, and an edit that drops one of the stores leaves no garbage. It runs when structs are
whole again, since a declaration with the stores of all fields becomes one with their values. Of a
struct that is zero, no field is set to zero once more.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..ir import (
    Accumulate,
    Assign,
    Body,
    Const,
    Declare,
    Initialiser,
    Place,
    Scalar,
    Stmt,
    Struct,
    Sym,
    bodies,
    expressions,
    rebuilt,
    statements,
)
from ..transform.common.algebra import real
from ..transform.common.mod_ref import written


def zero_at_declaration(body: Body) -> Body:
    """Give zeros to the adjoints that are declared without a value."""
    stmts = [_initialised(stmt) for stmt in body]
    needless = {id(stmt) for k, stmt in enumerate(stmts) for stmt in _zeroed_again(stmts, k)}
    return tuple(stmt for stmt in stmts if id(stmt) not in needless)


def _zeroed_again(stmts: list[Stmt], at: int) -> Iterator[Stmt]:
    """Yield zeros that are stored to fields of a struct declared with zeros, before other stores to them."""
    match stmts[at]:
        case Declare(Sym(type=Struct()) as sym, Initialiser(())) if sym.ours:
            pass
        case _:
            return
    stored: set[tuple[str, ...]] = set()
    for stmt in stmts[at + 1 :]:
        match stmt:
            case Assign(Place() as target, Const(0.0), None) if (
                target.sym is sym and target.path not in stored
            ):
                if target.symbols == {sym}:
                    yield stmt
            case _ if sym in written(stmt):
                targets = _targets(stmt, sym)
                if () in targets:
                    return
                stored |= targets
            case _:
                pass


def _targets(stmt: Stmt, sym: Sym) -> set[tuple[str, ...]]:
    """Return the fields of a variable that a statement stores to; the path of the whole if it isn't known."""
    found = {
        inner.target.path
        for inner in statements((stmt,))
        if isinstance(inner, Assign | Accumulate) and inner.target.sym is sym
    }
    others = any(sym in _stored_otherwise(inner) for inner in statements((stmt,)))
    return {()} if others or not found else found


def _stored_otherwise(stmt: Stmt) -> frozenset[Sym]:
    if not isinstance(stmt, Assign | Accumulate) and not bodies(stmt):
        return written(stmt)
    return frozenset(place.sym for expr in expressions(stmt) for place in expr.outputs)


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
