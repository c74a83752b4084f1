"""Initialise each adjoint variable where it is declared.

    float adj_s;                        float adj_s = 0.0f;
    if (i < n) {                ->      if (i < n) {
        ...                                 ...
        adj_s = 0.0f;                   }
    }

A guard that was split leaves declarations outside it. Threads that skip the guard owe zero, so the
value is zero there; the clear inside is removed if nothing mentions the variable before it. A variable
that gets a value on every path before it is read stays as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ....ir import (
    Assign,
    Banner,
    Block,
    Body,
    Clear,
    Declare,
    If,
    Place,
    Scalar,
    Stmt,
    Sym,
    expressions,
    rebuilt,
    statements,
)
from ...common.algebra import is_const, real


def initialise_adjoints(body: Body) -> Body:
    """Rewrite declarations of adjoint variables without a value as declarations with the value zero."""
    out = [rebuilt(stmt, initialise_adjoints) for stmt in body]
    for k, stmt in enumerate(out):
        if not isinstance(stmt, Declare) or stmt.init is not None or not _adjoint(stmt.sym):
            continue
        assert isinstance(stmt.sym.type, Scalar)
        if _stored_first(out[k + 1 :], stmt.sym):
            continue
        out[k] = replace(stmt, init=real(0.0, stmt.sym.type))
        first = next((j for j in range(k + 1, len(out)) if _mentions(out[j], stmt.sym)), None)
        if first is not None:
            out[first] = _without_clear(out[first], stmt.sym)
    return tuple(s for stmt in out for s in _banner_after(stmt))


def _adjoint(sym: Sym) -> bool:
    """Whether it is a local that holds the adjoint of a primal variable or a sum for one."""
    return sym.ours and sym.of is not None and sym.storage == "local" and _is_float(sym)


def _is_float(sym: Sym) -> bool:
    return isinstance(sym.type, Scalar) and sym.type.is_float


def _stored_first(body: Sequence[Stmt], sym: Sym) -> bool:
    """Whether a variable gets a value on every path before it is read."""
    first = next((stmt for stmt in body if _mentions(stmt, sym)), None)
    match first:
        case Clear(Place(_, ())):
            return True
        case Assign(Place(stored, ()), value, None):
            return stored is sym and sym not in value.symbols
        case If(cond, then, other):
            return sym not in cond.symbols and _stored_first(then, sym) and _stored_first(other, sym)
        case Block(inner):
            return _stored_first(inner, sym)
        case _:
            return False


def _without_clear(stmt: Stmt, sym: Sym) -> Stmt:
    """An `if` without the clear of a variable in it, if that is the first mention of the variable."""
    if not isinstance(stmt, If) or any(sym in e.symbols for e in expressions(stmt)):
        return stmt
    for k, inner in enumerate(stmt.then):
        if not _mentions(inner, sym):
            continue
        match inner:
            case Clear(Place(cleared, ())) if cleared is sym:
                pass
            case Assign(Place(cleared, ()), value, None) if cleared is sym and is_const(value, 0.0):
                pass
            case _:
                return stmt
        then = (*stmt.then[:k], *stmt.then[k + 1 :])
        return replace(stmt, then=then) if then else stmt
    return stmt


def _banner_after(stmt: Stmt) -> Body:
    """An `if` with its last banner after it: the sweep that it announces starts there."""
    match stmt:
        case If(then=(*before, Banner() as banner), other=()) if before:
            return replace(stmt, then=tuple(before)), banner
        case _:
            return (stmt,)


def _mentions(stmt: Stmt, sym: Sym) -> bool:
    return any(sym in e.symbols for s in statements((stmt,)) for e in expressions(s))
