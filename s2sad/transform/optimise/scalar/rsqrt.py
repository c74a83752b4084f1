"""What a derivative divides by a root is multiplied by the root's reciprocal.

    adj_s += 0.5f * g / sqrtf(s);    ->    adj_s += 0.5f * g * rsqrtf(s);

A GPU computes it in one instruction and a few, where a root and a division take a call each. It is
off by two units in the last place at most. So only what the tool makes is changed: what the author
wrote is computed again as it was.
"""

from __future__ import annotations

from dataclasses import replace

from ....ir import FLOAT, Accumulate, Assign, Binary, Body, Call, Declare, Expr, Stmt, rebuilt
from ...common.algebra import rewrite

ROOTS = ("sqrt", "sqrtf")


def with_reciprocal_roots(body: Body) -> Body:
    """The body with such products."""
    return tuple(_statement(stmt) for stmt in body)


def _statement(stmt: Stmt) -> Stmt:
    match stmt:
        case Accumulate(_, amount):
            changed = _changed(amount)
            return stmt if changed is amount else replace(stmt, amount=changed)
        case Declare(sym, init) if sym.ours and isinstance(init, Expr):
            changed = _changed(init)
            return stmt if changed is init else replace(stmt, init=changed)
        case Assign(target, value, None) if target.sym.ours:
            changed = _changed(value)
            return stmt if changed is value else replace(stmt, value=changed)
        case _:
            return rebuilt(stmt, with_reciprocal_roots)


def _changed(expr: Expr) -> Expr:
    found = False

    def change(e: Expr) -> Expr | None:
        nonlocal found
        match e:
            case Binary("/", left, Call(name, (under,), rule="sqrt") as root) if name in ROOTS:
                found = True
                name = "rsqrtf" if root.type == FLOAT else "rsqrt"
                reciprocal = Call(name, (rewrite(under, change),), root.type, rule="rsqrt")
                return Binary("*", rewrite(left, change), reciprocal, e.type)
            case _:
                return None

    made = rewrite(expr, change)
    return made if found else expr
