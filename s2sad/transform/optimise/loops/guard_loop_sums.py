"""Guard a loop's sum by the loop's own condition, not by its value.

    for (int c = 0; c < C; ++c)                 for (int c = 0; c < C; ++c)
        adj_w_sum += x[c] * adj_y[c];               adj_w_sum += x[c] * adj_y[c];
    if (adj_w_sum != 0.0f)                ->    if (0 < C)
        adj_w[j] += adj_w_sum;                      adj_w[j] += adj_w_sum;

The guard is for an element that doesn't exist if the loop runs no iteration. If it runs by its literals,
there is none. A sum that not every iteration adds to keeps the test of its value.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....ir import (
    Accumulate,
    Assign,
    Body,
    Declare,
    Expr,
    For,
    If,
    Place,
    Pointer,
    Stmt,
    Sym,
    rebuilt,
    walk,
)
from ...common.mod_ref import written
from ..sums.loop_accumulators import guarded_sum
from .iteration_spaces import changed, iterations, runs_once, surely_runs


def guard_loop_sums(body: Body) -> Body:
    """The body with such guards; those with the same condition that follow each other are one."""
    out: list[Stmt] = []
    for stmt in (rebuilt(s, guard_loop_sums) for s in body):
        add = guarded_sum(stmt)
        loop = _loop(out, add.amount.sym) if add is not None and isinstance(add.amount, Place) else None
        if loop is None:
            out.append(stmt)
            continue
        assert isinstance(stmt, If)
        if surely_runs(loop):
            out += stmt.then
            continue
        cond = runs_once(loop)
        last = out[-1]
        if isinstance(last, If) and last.cond == cond and not last.other:
            out[-1] = If(cond, (*last.then, *stmt.then))
        else:
            out.append(If(cond, stmt.then))
    return tuple(out)


def _loop(before: Sequence[Stmt], sum_: Sym) -> For | None:
    """The loop that makes a sum, adding to it in each iteration, if its condition still can be asked."""
    loop: For | None = None
    after = frozenset[Sym]()
    for stmt in reversed(before):
        if isinstance(stmt, Declare) and stmt.sym is sum_:
            break
        if sum_ not in written(stmt):
            after |= changed(stmt) if loop is None else frozenset()
            continue
        if loop is not None or not isinstance(stmt, For) or iterations(stmt) is None:
            return None
        loop = stmt
    if loop is None or not any(_sets(s, sum_) for s in loop.body):
        return None
    cond = runs_once(loop)
    return loop if not cond.symbols & (after | changed(loop)) and not any(map(_loads, walk(cond))) else None


def _sets(stmt: Stmt, sum_: Sym) -> bool:
    match stmt:
        case Accumulate(Place(sym, ())) | Assign(Place(sym, ())):
            return sym is sum_
        case For() if iterations(stmt) is not None and surely_runs(stmt):
            return any(_sets(s, sum_) for s in stmt.body)
        case _:
            return False


def _loads(part: Expr) -> bool:
    """Whether it reads memory that may change."""
    if not isinstance(part, Place) or not part.index:
        return False
    return not (isinstance(part.sym.type, Pointer) and part.sym.type.const)
