"""The value of an induction variable, from its value at entry and the iteration count."""

from __future__ import annotations

from collections.abc import Sequence

from ...analysis.constants import constant_of, literal
from ...analysis.loops.induction_variables import Induction
from ...ir import INT, Binary, Cast, Const, Expr, Scalar
from ..common.algebra import converted
from ..common.integer_expressions import in_names, plus
from .frames import Frame
from .sweep import Sweep


def induction_value(b: Sweep, fixed: Induction, iteration: Expr, frame: Frame) -> Expr:
    """The value after `iteration` iterations, while `frame` is reversed."""
    type_ = fixed.entry.sym.type
    assert isinstance(type_, Scalar)
    start = constant_of(fixed.entry) or b.resolve(fixed.entry, frame)
    count: Expr = iteration
    if fixed.halved:
        bits = abs(fixed.halved)
        if bits != 1:
            count = Binary("*", Const(bits, INT), count, INT)
        return Binary(">>" if fixed.halved > 0 else "<<", start, count, type_)
    wide = type_ if type_.size >= INT.size else INT  # after integer promotion
    falls = fixed.step < 0
    if fixed.strides:  # in the variable's type: a product of two ints may overflow
        amounts = [(b.value(s.stmt, s.amount, frame), s.falls) for s in fixed.strides]
        each, falls = total(amounts, fixed, wide)
        count = Binary("*", converted(count, wide), each, wide)
    elif fixed.step not in (1, -1) or fixed.said is not None:
        count = Binary("*", in_names(abs(fixed.step), fixed.said), count, INT)
    if literal(start) == 0 and not falls:
        return converted(count, type_)
    moved = Binary("-" if falls else "+", converted(start, wide), converted(count, wide), wide)
    return moved if wide is type_ else Cast(moved, type_)


def total(amounts: Sequence[tuple[Expr, bool]], fixed: Induction, kind: Scalar) -> tuple[Expr, bool]:
    """The amount that an iteration adds, as one expression in a type; and whether it is subtracted instead.

    `amounts` are those that aren't literals, and whether they are subtracted.
    """
    falls = all(subtracted for _, subtracted in amounts)
    ordered = sorted(amounts, key=lambda amount: amount[1] is not falls)
    out = converted(ordered[0][0], kind)
    for amount, subtracted in ordered[1:]:
        out = Binary("+" if subtracted is falls else "-", out, converted(amount, kind), kind)
    return plus(out, -fixed.step if falls else fixed.step), falls
