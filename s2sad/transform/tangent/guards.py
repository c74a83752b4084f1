"""What stays under an adjoint's own guard where its tangent runs more often.

    if (g != 0.0f)                    ->     if (g != 0.0f || tan_g != 0.0f) {
        adj_v += g * rsqrtf(v);                  tan_adj_v += …;
                                                 if (g != 0.0f)
                                                     adj_v += g * rsqrtf(v);
                                             }

A partial may be infinite where the guard skips it: the adjoint must not become NaN for a tangent's sake.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator

from ...analysis.atomics import update
from ...ir import (
    Assign,
    Binary,
    Body,
    Declare,
    Expr,
    If,
    Place,
    Stmt,
    Sym,
    rebuilt,
    unconverted,
    walk,
)
from ..common.algebra import is_const
from ..common.mod_ref import written
from ..plan.singular_points import Guard


def held(body: Body, cond: Expr, wide: Expr, linear: Container[Sym]) -> Body:
    """The body of a widened guard; what it adds to adjoints, `linear`, stays under the guard itself."""
    own = _narrow(cond, wide)
    tested = set(_tested(own))

    def change(inner: Body) -> Body:
        made: list[Stmt] = []
        waiting: list[Stmt] = []
        local = {stmt.sym for stmt in inner if isinstance(stmt, Declare)}
        for stmt in inner:
            if _adds(stmt, linear, tested) and _target(stmt) not in local:
                waiting.append(stmt)
                continue
            if waiting:
                made.append(If(own, tuple(waiting), ()))
                waiting = []
            made.append(rebuilt(stmt, change))
        if waiting:
            made.append(If(own, tuple(waiting), ()))
        return inner if made == list(inner) else tuple(made)

    return change(body)


def parts(cond: Expr, true: bool) -> Iterator[Guard]:
    """Yield the parts of a condition that hold in a branch.

    Not those that read elements, which may be stored to under another name.
    """
    match unconverted(cond):
        case Binary("&&" | "||" as op, left, right) if (op == "&&") == true:
            yield from parts(left, true)
            yield from parts(right, true)
        case part if not any(isinstance(e, Place) and e.index for e in walk(part)):
            yield part, true
        case _:
            pass


def still(known: tuple[Guard, ...], done: Iterable[Stmt]) -> tuple[Guard, ...]:
    """Return the conditions that still hold after some statements, which set none of their variables."""
    changed = frozenset[Sym]().union(*map(written, done))
    return tuple(guard for guard in known if guard[0].symbols.isdisjoint(changed))


def _narrow(cond: Expr, wide: Expr) -> Expr:
    """The part of a guard that isn't known under the widened one."""
    match cond, wide:
        case Binary("&&", left, right), Binary("&&", one, two):
            if left is one:
                return _narrow(right, two)
            if right is two:
                return _narrow(left, one)
    return cond


def _tested(cond: Expr) -> Iterator[Place]:
    match cond:
        case Binary("!=", Place() as place, right) if is_const(right, 0.0):
            yield place


def _adds(stmt: Stmt, linear: Container[Sym], tested: Container[Place]) -> bool:
    """Whether a statement changes an adjoint; a sum with what is zero itself doesn't."""
    match stmt:
        case Assign(target, value, op):
            return target.sym in linear and not (op in ("+=", "-=") and value in tested)
        case _:
            added = update(stmt)
            return added is not None and added.place.sym in linear and added.amount not in tested


def _target(stmt: Stmt) -> Sym | None:
    if isinstance(stmt, Assign):
        return stmt.target.sym
    added = update(stmt)
    return None if added is None else added.place.sym
