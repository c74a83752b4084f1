"""Return at once where no thread has an element, instead of asking that before each sum of the block.

                                              if (n <= 0)
                                                  return;  // no thread has an element
    float adj_w_sum = 0.0f;                   float adj_w_sum = 0.0f;
    if (i < n)                                if (i < n)
        adj_w_sum = x[i] * adj_y[i];    ->        adj_w_sum = x[i] * adj_y[i];
    if (n > 0)                                block_add(&adj_w[0], adj_w_sum);
        block_add(&adj_w[0], adj_w_sum);

A sum is only added where its element exists (`existing_elements`): under conditions that all threads of a
block share. If whatever the kernel writes is under one of them, as `i < n` is under `n > 0`, a block for
which it doesn't hold has nothing to do. All its threads return, so that none waits at a barrier.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from ....analysis.ssa import outputs
from ....ir import (
    Accumulate,
    Body,
    Clear,
    Comment,
    Const,
    Declare,
    Evaluate,
    Exists,
    Expr,
    If,
    Return,
    Special,
    Stmt,
    Sym,
    bodies,
    expressions,
    statements,
    substituted,
    walk,
)
from ...common.algebra import is_const
from ...common.first_thread import FirstThread, NotFirst
from ...common.jumps import negation
from ...common.mod_ref import written
from ...common.replay import conjuncts
from ..scalar.zero_values import vanishes
from .existing_elements import Path, path_to

PRIVATE = ("local", "tape", "shared")


def return_if_empty(body: Body) -> Body:
    """The body with such a return, and sums without its condition."""
    first = FirstThread(body)
    for cond in dict.fromkeys(_asked(body)):
        quiet = _zero_without(cond, body, first)
        if all(_under(cond, stmt, body, first, quiet) for stmt in _effects(body)):
            rest = substituted(body, partial(_without, cond))
            return (Comment("no thread has an element"), If(negation(cond), (Return(),)), *rest)
    return body


def _asked(body: Body) -> Iterator[Expr]:
    """Yield the conditions under which elements exist."""
    for stmt in statements(body):
        if isinstance(stmt, Accumulate) and stmt.exists is not None and not stmt.exists.always:
            yield from stmt.exists.when


def _effects(body: Body) -> Iterator[Stmt]:
    """Yield the statements that others than the block's threads may notice."""
    for stmt in statements(body):
        if not bodies(stmt):
            stored = any(sym.storage not in PRIVATE for sym in written(stmt))
            if stored or isinstance(stmt, Evaluate) or any(outputs(e) for e in expressions(stmt)):
                yield stmt


def _zero_without(cond: Expr, body: Body, first: FirstThread) -> frozenset[Sym]:
    """The variables and shared arrays that are zero where a condition doesn't hold."""
    other = set[Sym]()
    declared = set[Sym]()
    for stmt in statements(body):
        match stmt:
            case Declare(sym, init):
                declared.add(sym)
                zero = isinstance(init, Const) and is_const(init, 0.0)
                if not zero and (init is not None or sym.storage != "shared"):
                    other.add(sym)
            case Clear():
                pass
            case _ if not bodies(stmt) and not _under(cond, stmt, body, first, frozenset()):
                other |= written(stmt)
            case _:
                pass
    return frozenset(declared - other)


def _under(cond: Expr, stmt: Stmt, body: Body, first: FirstThread, quiet: frozenset[Sym]) -> bool:
    """Whether a statement does nothing where a condition of the launch or the block doesn't hold."""
    if isinstance(stmt, Accumulate):
        guarded = stmt.exists is not None and cond in stmt.exists.when
        if guarded or vanishes(stmt.amount, quiet):
            return True
    path = path_to(body, stmt)
    return path is not None and any(cond in held for held in _firsts(cond, path, first))


def _firsts(cond: Expr, path: Path, first: FirstThread) -> Iterator[list[Expr]]:
    """Yield what the conditions of a path are for the first thread of the launch, or of the block."""
    kept = {f"blockIdx.{e.axis}" for e in walk(cond) if isinstance(e, Special) and e.name == "blockIdx"}
    for part in (part for outer in path for part in conjuncts(outer)):
        try:
            yield list(conjuncts(first.condition(part, kept)))
        except NotFirst:
            continue


def _without(cond: Expr, stmt: Stmt) -> Body | None:
    """A sum without a condition for its element."""
    if not isinstance(stmt, Accumulate) or stmt.exists is None or cond not in stmt.exists.when:
        return None
    when = tuple(c for c in stmt.exists.when if c != cond)
    return (replace(stmt, exists=Exists(when, not when)),)
