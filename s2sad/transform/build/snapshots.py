"""Snapshots of an unbounded loop: a fixed number of slots, at intervals that double."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...ir import (
    BOOL,
    INT,
    Assign,
    Binary,
    Const,
    Declare,
    Expr,
    For,
    If,
    Place,
    Record,
    Restore,
    Stmt,
    Sym,
    scalar_type,
)
from ..common.algebra import converted
from ..common.integer_expressions import over
from ..plan.tape_storage import SNAPSHOTS, Snapshots, Tape


def snapshot(
    iteration: Expr, stride: Place, scalars: Sequence[tuple[Tape, Place]], arrays: Mapping[Sym, Snapshots]
) -> Stmt:
    """Save the state every `stride` iterations; when all slots are full, keep every other one."""
    counts = scalar_type(iteration) if scalar_type(iteration).size >= INT.size else INT
    here = converted(iteration, counts)
    number = Const(SNAPSHOTS, INT)
    j = Sym("j", INT)
    at = Place(j, (), INT)
    twice = Binary("*", Const(2, INT), at, INT)
    slot = over(here, stride.sym)
    moved: list[Stmt] = [Assign(t.place((at,)), t.place((twice,))) for t, _ in scalars]
    kept: list[Stmt] = [Record(t.place((slot,)), value) for t, value in scalars]
    for sym, states in arrays.items():
        kind = states.array.element
        moved.append(
            states.each(lambda q, t=states: Assign(t.element(at, q), t.element(twice, q)))  # type: ignore[misc]
        )
        kept.append(
            states.each(lambda q, t=states, s=sym, k=kind: Record(t.element(slot, q), Place(s, q, k)))  # type: ignore[misc]
        )
    thin = For(
        (Declare(j, Const(1, INT)),),
        Binary("<", at, Const(SNAPSHOTS // 2, INT), BOOL),
        (Assign(at, Const(1, INT), "+=", spelling="++j"),),
        tuple(moved),
    )
    full = Binary("==", here, converted(Binary("*", number, stride, INT), counts), BOOL)
    keep = [If(full, (thin, Assign(stride, Const(2, INT), "*="))), *kept]
    # The stride is a power of two: a mask instead of a division in each iteration.
    low = Binary("-", converted(stride, counts), converted(Const(1, INT), counts), counts)
    rest = Binary("&", here, low, counts)
    due = Binary("==", rest, converted(Const(0, INT), counts), BOOL)
    return If(due, tuple(keep))


def restored(arrays: Mapping[Sym, Snapshots], slot: Expr) -> list[Stmt]:
    """Restore arrays from a slot of their snapshots."""
    out: list[Stmt] = []
    for sym, states in arrays.items():
        kind = states.array.element
        out.append(
            states.each(lambda q, s=sym, t=states, k=kind: Restore(Place(s, q, k), t.element(slot, q)))  # type: ignore[misc]
        )
    return out
