"""Guard a loop's sum by the loop's own condition, not by its value.

    for (int c = 0; c < C; ++c)                 for (int c = 0; c < C; ++c)
        adj_w_sum += x[c] * adj_y[c];               adj_w_sum += x[c] * adj_y[c];
    if (adj_w_sum != 0.0f)                ->    if (0 < C)
        adj_w[j] += adj_w_sum;                      adj_w[j] += adj_w_sum;

The guard is for an element that doesn't exist if the loop runs no iteration. If it runs by its literals,
there is none. A sum that not every iteration adds to keeps the test of its value, unless the iterations
add to it under the condition of the branch that adds the sum to memory, `if (i < n)` in both places, or each
of them reads the primal's element, which so exists: `dx = pos[3 * j] - x` for `adj_pos[3 * j]`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ....analysis.constants import natural
from ....analysis.load_guards import evaluated
from ....ir import (
    Accumulate,
    Assign,
    Binary,
    Body,
    Const,
    Declare,
    Expr,
    For,
    If,
    Place,
    Pointer,
    Stmt,
    Sym,
    bodies,
    expressions,
    rebuilt,
    statements,
    walk,
)
from ...common.integer_expressions import integral
from ...common.loop_entry import runs_once, surely_runs
from ...common.mod_ref import written
from ...common.replay import conjuncts
from ..sums.loop_accumulators import guarded_sum
from .iteration_spaces import changed, iterations


def guard_loop_sums(body: Body) -> Body:
    """The body with such guards; those with the same condition that follow each other are one."""
    return _visit(body, (), None)


def _visit(body: Body, before: Sequence[Stmt], given: Expr | None) -> Body:
    """`before`: the statements before the branch that the body is, on which `given` holds."""
    out: list[Stmt] = []
    for old in body:
        if isinstance(old, If) and not old.other and guarded_sum(old) is None:
            then = _visit(old.then, out, old.cond)
            stmt: Stmt = old if then == old.then else replace(old, then=then)
        else:
            stmt = rebuilt(old, guard_loop_sums)
        add = guarded_sum(stmt)
        loop: For | None = None
        if add is not None and isinstance(add.amount, Place):
            loop = _loop(out, add, None)
            if loop is None and given is not None and not any(map(_loads, walk(given))):
                loop = _loop([*before, *out], add, given)
        if loop is None:
            out.append(stmt)
            continue
        assert isinstance(stmt, If)
        cond = runs_once(loop)
        if surely_runs(loop) or (given is not None and _implied(cond, given, before)):
            out += stmt.then
            continue
        last = out[-1] if out else None
        if isinstance(last, If) and last.cond == cond and not last.other:
            out[-1] = If(cond, (*last.then, *stmt.then))
        else:
            out.append(If(cond, stmt.then))
    return tuple(out)


def _loop(before: Sequence[Stmt], add: Accumulate, given: Expr | None) -> For | None:
    """The loop that makes the sum that is added, if its condition still can be asked.

    Each iteration adds to the sum, or reads the element of the primal. `given` holds where the condition is
    asked: an iteration may add under it.
    """
    assert isinstance(add.amount, Place)
    sum_ = add.amount.sym
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
    if loop is None:
        return None
    if not any(_sets(s, sum_, given) for s in loop.body) and not _reads(loop, add, given):
        return None
    cond = runs_once(loop)
    asked = cond.symbols | (given.symbols if given is not None else frozenset())
    return loop if not asked & (after | changed(loop)) and not any(map(_loads, walk(cond))) else None


def _implied(cond: Expr, given: Expr, before: Sequence[Stmt]) -> bool:
    """Whether `n > 0` follows from `i < n`, for an i that can't be negative."""
    match cond:
        case Binary(">", end, Const(0)):
            pass
        case _:
            return False
    for part in conjuncts(given):
        match part:
            case Binary("<", Place(sym, ()), most) if most == end:
                made = [s for s in before if sym in changed(s)]
                first = made[0] if len(made) == 1 else None
                if isinstance(first, Declare) and isinstance(first.init, Expr) and natural(first.init):
                    return True
            case _:
                pass
    return False


def _sets(stmt: Stmt, sum_: Sym, given: Expr | None) -> bool:
    match stmt:
        case Accumulate(Place(sym, ())) | Assign(Place(sym, ())):
            return sym is sum_
        case If(cond, then) if cond == given:
            return any(_sets(s, sum_, given) for s in then)
        case For() if iterations(stmt) is not None and surely_runs(stmt):
            return any(_sets(s, sum_, given) for s in stmt.body)
        case _:
            return False


def _reads(loop: For, add: Accumulate, given: Expr | None) -> bool:
    """Whether each iteration reads the primal's element, which is the same in all of them.

    Others may read an element, too. An addition that isn't atomic needs a thread that may add to it: the
    conditions of its iterations must be none by which it is proved to be the only one.
    """
    assert isinstance(add.amount, Place)
    target, sum_ = add.target, add.amount.sym
    if add.how != "atomic" and any(
        isinstance(s, If) and sum_ in written(s) and s.cond != given and integral(s.cond)
        for s in statements(loop.body)
    ):
        return False
    if target.sym.of is None or not target.symbols.isdisjoint(changed(loop) - {target.sym}):
        return False
    element = replace(target, sym=target.sym.of)
    return any(element in evaluated(e) for stmt in _always(loop.body, given) for e in expressions(stmt))


def _always(body: Body, given: Expr | None) -> Iterator[Stmt]:
    """Yield the statements that run whenever a body does, where `given` holds."""
    for stmt in body:
        if isinstance(stmt, If) and stmt.cond == given:
            yield from _always(stmt.then, given)
        elif not bodies(stmt):
            yield stmt


def _loads(part: Expr) -> bool:
    """Whether it reads memory that may change."""
    if not isinstance(part, Place) or not part.index:
        return False
    return not (isinstance(part.sym.type, Pointer) and part.sym.type.const)
