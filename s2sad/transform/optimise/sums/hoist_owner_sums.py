"""Hoist owners' additions to where the amount is complete.

    adj_t = dp_dt * adj_p;             adj_x[i] += dp_dt * adj_p;
    for (…)                     ->     for (…)
        atomicAdd(…);                      atomicAdd(…);
    adj_x[i] += adj_t;

An owner's sum that is kept until its primal line's turn occupies a register until then.
It is moved up, with its quote, to where the amount is complete.
"""

from __future__ import annotations

from ....analysis.ssa import Loop
from ....ir import (
    Accumulate,
    Banner,
    Body,
    Break,
    Comment,
    Declare,
    If,
    Quote,
    Return,
    Stmt,
    rebuilt,
    statements,
)
from ...common.mod_ref import meets, written
from ...common.symbol_uses import in_expr, symbols


def hoist_owner_sums(body: Body) -> Body:
    """The body with such sums moved up; those in branches stay within their branch."""
    out: list[Stmt] = []
    stmts = [rebuilt(s, hoist_owner_sums) if isinstance(s, If) else s for s in body]
    position = 0
    while position < len(stmts):
        stmt = stmts[position]
        following = stmts[position + 1] if position + 1 < len(stmts) else None
        ends = position + 2 >= len(stmts) or _starts(stmts[position + 2])
        if (
            isinstance(stmt, Quote)
            and isinstance(following, Accumulate)
            and following.how == "owner"
            and ends
        ):
            at = _place(out, following)
            out[at:at] = [stmt, following]
            position += 2
            continue
        out.append(stmt)
        position += 1
    return tuple(out)


def _place(before: list[Stmt], sum_: Accumulate) -> int:
    """The earliest position between two statements' adjoints at which the amount is complete."""
    read = {*in_expr(sum_.target), *in_expr(sum_.amount)}
    alone = sum_.target.sym not in sum_.amount.symbols  # else the amount depends on earlier additions
    found = at = len(before)
    while at > 0:
        stmt = before[at - 1]
        same = (
            alone
            and isinstance(stmt, Accumulate)
            and stmt.target.sym is sum_.target.sym
            and sum_.target.sym not in stmt.amount.symbols  # else that amount depends on the target
        )
        touched = sum_.target.sym in symbols([stmt]) and not same
        changes = written(stmt) | ({stmt.sym} if isinstance(stmt, Declare) else set())
        said = isinstance(stmt, Quote) and bool(stmt.note)  # it explains what follows it
        if (
            said
            or isinstance(stmt, Banner)
            or meets(stmt)  # ownership and an element's value hold only between two barriers
            or _leaves(stmt)
            or touched
            or changes & (read - {sum_.target.sym})
        ):
            break
        at -= 1
        if _starts(stmt) and not (at > 0 and isinstance(before[at - 1], Quote | Comment)):
            found = at
    return found


def _starts(stmt: Stmt) -> bool:
    """Whether a new unit starts here: a primal line, or a separate statement."""
    return isinstance(stmt, Quote | Banner | Loop | If)


def _leaves(stmt: Stmt) -> bool:
    return any(isinstance(s, Return | Break) for s in statements((stmt,)))
