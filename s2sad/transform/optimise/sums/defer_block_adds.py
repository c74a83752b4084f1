"""Add to memory for the whole block where the next such addition is, so that both take one pair of barriers.

    block_add(&adj_w[k], q * adj_s);                  float adj_d = 2.0f * d * g;
    float adj_d = 2.0f * d * g;             ->        adj_at -= adj_d;
    block_add(&adj_x[k], adj_d);                      block_add(&adj_w[k], q * adj_s);
    adj_at -= adj_d;                                  block_add(&adj_x[k], adj_d);
    block_add(&adj_y[k], adj_e);                      block_add(&adj_y[k], adj_e);

A sum over the block can wait as long as its address stays what it is, nobody uses the array, and neither
a barrier nor a jump intervenes; an amount that changes is saved. What follows each other is added by one
call (`emit.batch_block_adds`).
"""

from __future__ import annotations

from dataclasses import replace

from ....analysis.traversal import leaves
from ....ir import Accumulate, Array, Body, Comment, Declare, Place, Quote, Scalar, Stmt, rebuilt
from ...common.adjoint_names import element_name, total_of
from ...common.algebra import converted
from ...common.mod_ref import changes, meets
from ...common.symbol_uses import used
from ..scalar.simplify import signed


def defer_block_adds(body: Body) -> Body:
    """The body with its block-wide additions moved down to the next one, inner bodies first."""
    out = [rebuilt(stmt, defer_block_adds) for stmt in body]
    for position in reversed(range(len(out))):
        stmt = out[position]
        if not _single(stmt):
            continue
        to = _next(out, position)
        if to is None or all(isinstance(s, Quote | Comment) for s in out[position + 1 : to]):
            continue
        assert isinstance(stmt, Accumulate)
        passed = out[position + 1 : to]
        if any(changes(s, stmt.amount) for s in passed):
            saved, later = _saved(stmt)
            out[position:to] = [saved, *passed, later]
        else:
            first = position - 1 if _alone(out, position) else position
            out[first:to] = [*passed, *out[first : position + 1]]
    return tuple(out)


def _saved(add: Accumulate) -> tuple[Declare, Accumulate]:
    """A variable with the amount, and the addition of that."""
    assert isinstance(add.target.type, Scalar)
    amount = converted(signed(add), add.target.type)
    total = replace(total_of(add.target), name=element_name(add.target.sym.plain, add.target), const=True)
    local = Place(total, (), add.target.type)
    return Declare(total, amount), replace(add, amount=local, negative=False)


def _single(stmt: Stmt) -> bool:
    """Whether a statement adds one number over the block."""
    match stmt:
        case Accumulate(target, amount, "reduce"):
            return isinstance(target.type, Scalar) and not isinstance(amount.type, Array)
        case _:
            return False


def _next(body: list[Stmt], position: int) -> int | None:
    """Where the next block-wide addition is, if this one may wait for it."""
    add = body[position]
    assert isinstance(add, Accumulate)
    for k in range(position + 1, len(body)):
        stmt = body[k]
        if _single(stmt):
            assert isinstance(stmt, Accumulate)
            return k if stmt.target.type == add.target.type else None
        if meets(stmt) or leaves(stmt) or add.target.sym in used(stmt):
            return None
        if any(changes(stmt, value) for value in add.target.index):
            return None
    return None


def _alone(body: list[Stmt], position: int) -> bool:
    """Whether the addition is all that its quoted statement has."""
    ends = position + 1 == len(body) or isinstance(body[position + 1], Quote)
    return ends and position > 0 and isinstance(body[position - 1], Quote)
