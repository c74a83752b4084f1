"""Common subexpression elimination: reuse the named result of a call, or of an expression with calls in it.

    adj_c = rsqrtf(var) * g;                    float r = rsqrtf(var);
    float r = rsqrtf(var);             ->       adj_c = r * g;
    adj_var -= 0.5f * c * r * r * r * g;        adj_var -= 0.5f * c * r * r * r * g;

The name is the tool's, from a partial that uses the value more than once, or the author's
(`c = cosf(t)`, where `sinf(t)` is differentiated). The author's own computations aren't changed.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....analysis.ssa import outputs
from ....ir import (
    Accumulate,
    Assign,
    Binary,
    Block,
    Body,
    Call,
    Clear,
    Comment,
    Declare,
    Expr,
    If,
    Initialiser,
    Place,
    Quote,
    Stmt,
    Sym,
    expressions,
    rebuilt,
    walk,
)
from ...common.mod_ref import changes, removable, written
from ...common.symbol_uses import mapped
from .restore_collectives import made_together


def call_cse(body: Body) -> Body:
    """The body with calls, and expressions with calls in them, replaced by the names of equal ones."""
    out = list(body)
    changed = frozenset[Sym]().union(*map(written, out))
    # A value becomes a name here, but never one with a call in it.
    named = [stmt.sym for stmt in body if isinstance(stmt, Declare) and _calls(stmt.init)]
    for sym in named:
        if sym in changed:
            continue
        at, stmt, value = _declared(out, sym)
        if not isinstance(value, Expr) or not _calls(value) or value.type != sym.type:
            continue
        if outputs(value) or made_together(value):
            continue
        if removable(sym):
            first = _first(out, at, value)
            out[first : at + 1] = [stmt, *(with_name(s, sym, value) for s in out[first:at])]
        out[at + 1 :] = _later(out[at + 1 :], sym, value)
    return tuple(rebuilt(stmt, call_cse) for stmt in out)


def _calls(value: Expr | Initialiser | None) -> bool:
    """Whether a value is a call's result or made of one."""
    if not isinstance(value, Call | Binary):
        return False
    return any(isinstance(e, Call) for e in walk(value))


def _declared(body: Sequence[Stmt], sym: Sym) -> tuple[int, Declare, Expr | Initialiser | None]:
    """The position and value of a name's current declaration."""
    return next((k, s, s.init) for k, s in enumerate(body) if isinstance(s, Declare) and s.sym is sym)


def _first(body: Sequence[Stmt], at: int, value: Expr) -> int:
    """The earliest position for the declaration at which all earlier uses are covered."""
    first = at
    for k in range(at - 1, -1, -1):
        before = body[k]
        if isinstance(before, Comment | Quote):
            continue
        if not isinstance(before, Accumulate | Assign | Clear | Declare) or changes(before, value):
            break
        if isinstance(before, Declare) and before.sym in value.symbols:
            break
        if is_own(before) and _holds(before, value):
            first = k
    return first


def _later(body: Sequence[Stmt], sym: Sym, value: Expr) -> list[Stmt]:
    """The following statements with the name substituted, up to a change of the value."""
    out: list[Stmt] = []
    for k, stmt in enumerate(body):
        changed = changes(stmt, value)
        if not changed or isinstance(stmt, If | Block):
            stmt = rebuilt(with_name(stmt, sym, value), lambda inner: tuple(_later(inner, sym, value)))
        out.append(stmt)
        if changed:
            return [*out, *body[k + 1 :]]
    return out


def is_own(stmt: Stmt) -> bool:
    """Whether a statement is the tool's: an addition to an adjoint, or a definition of a tool variable."""
    match stmt:
        case Accumulate():
            return True
        case Declare(sym) | Assign(Place(sym)):
            return sym.ours
        case _:
            return False


def _holds(stmt: Stmt, value: Expr) -> bool:
    return any(e == value for top in expressions(stmt) for e in walk(top))


def with_name(stmt: Stmt, sym: Sym, value: Expr) -> Stmt:
    """A statement of the tool's with a name instead of a value."""
    if not is_own(stmt) or not _holds(stmt, value):
        return stmt
    return mapped(stmt, lambda e: Place(sym, (), value.type) if e == value else None)
