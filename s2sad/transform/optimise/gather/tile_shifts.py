"""Shifts of a thread's position: the index of a shared array as a thread's coordinate plus a uniform value.

tile[ty + dy][tx - 1]       ty + (dy), tx + (-1)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import reduce

from ....analysis.constants import is_wide, literal
from ....ir import (
    BOOL,
    INT,
    Assign,
    Binary,
    Body,
    Cast,
    Const,
    Declare,
    Expr,
    For,
    Place,
    Scalar,
    Special,
    Sym,
    unconverted,
)
from ...common.algebra import converted, rewrite, shifted
from ...common.mod_ref import written
from ...common.symbol_uses import mapped, renaming
from ...common.thread_ownership import Own


@dataclass(frozen=True)
class Shift:
    """A uniform integer: the terms that are added or subtracted, and a constant."""

    terms: tuple[tuple[bool, Expr], ...] = ()  # whether each is subtracted
    constant: int = 0

    def range(self, counters: Iterable[Counted]) -> tuple[int, int] | None:
        """Return the bounds where counters have these values; None if something else is in it."""
        low = high = self.constant
        values = {c.counter: (c.low, c.high) for c in counters}
        named = [term.sym for _, term in self.terms if isinstance(term, Place)]
        if len(set(named)) < len(named):
            return None  # k - k
        for negative, term in self.terms:
            value = literal(unconverted(term))
            if value is not None:
                least = most = value
            elif isinstance(term, Place) and term.sym in values:
                least, most = values[term.sym]
            else:
                return None
            low += -most if negative else least
            high += -least if negative else most
        return low, high

    def taken_from(self, index: Expr) -> Expr:
        """Return an index without this shift."""
        index = shifted(index, -self.constant)
        for negative, term in self.terms:
            op = "+" if negative else "-"
            index = Binary(op, index, converted(term, index.type), index.type)
        return index


@dataclass(frozen=True)
class Coordinate:
    """A name of a thread's coordinate along an axis, plus a constant."""

    place: Expr
    axis: str
    offset: int


def split_index(
    expr: Expr, own: Own, uniform: Callable[[Expr], bool] = lambda _: False
) -> tuple[Coordinate | None, Shift | None]:
    """Return the coordinate in an index, if there is one, and the rest; None for what isn't uniform."""
    coordinate: Coordinate | None = None
    terms: list[tuple[bool, Expr]] = []
    constant = 0
    for negative, term in _terms(expr):
        if isinstance(term, Const) and not term.named:
            constant += -int(term.value) if negative else int(term.value)
        elif not negative and coordinate is None and (found := _coordinate(term, own)) is not None:
            coordinate = found
        elif literal(unconverted(term)) is not None or uniform(term):
            terms.append((negative, term))
        else:
            return None, None
    return coordinate, Shift(tuple(terms), constant)


def _terms(expr: Expr, negative: bool = False) -> Sequence[tuple[bool, Expr]]:
    match expr:
        case Cast(arg, kind) if is_wide(kind) and is_wide(arg.type):
            return _terms(arg, negative)
        case Binary("+" | "-" as op, left, right) if expr.macro is None and is_wide(expr.type):
            return [*_terms(left, negative), *_terms(right, negative != (op == "-"))]
        case _:
            return [(negative, expr)]


def _coordinate(term: Expr, own: Own) -> Coordinate | None:
    """Return a name for a thread's coordinate plus a constant."""
    axis = ""
    offset = 0
    for negative, part in _terms(own.resolved(term)):
        match part:
            case Special("threadIdx", found) if not axis and not negative:
                axis = found
            case Const(int(value)):
                offset += -value if negative else value
            case _:
                return None
    return Coordinate(term, axis, offset) if axis else None


@dataclass(frozen=True)
class Counted:
    """A loop's counter, and the least and the greatest value that it has in an iteration."""

    counter: Sym
    low: int
    high: int


def counted(loop: For) -> Counted | None:
    """Return the values of a loop's counter, if it takes all those between two literals."""
    match loop.init, loop.cond, loop.step:
        case (
            (Declare(sym, init),),
            Binary("<" | "<=" | ">" | ">=" as op, Place(tested, ()), end),
            (Assign(Place(moved, ()), Const(1), "+=" | "-=" as by),),
        ) if sym is tested is moved and is_wide(sym.type) and isinstance(init, Expr):
            first, bound = literal(unconverted(init)), literal(unconverted(end))
        case _:
            return None
    if first is None or bound is None or any(sym in written(s) for s in loop.body):
        return None
    if (by == "+=") != (op[0] == "<"):
        return None
    last = bound + (op == ">") - (op == "<")
    low, high = (first, last) if by == "+=" else (last, first)
    return Counted(sym, low, high) if low <= high else None


def afresh(loop: For, body: Body) -> For:
    """Return a loop with the same header and a counter of its own around statements that read the old one."""
    (head,) = loop.init
    assert isinstance(head, Declare)
    assert loop.cond is not None
    own = replace(head.sym)
    change = renaming({head.sym: own})
    init, step = (replace(head, sym=own),), tuple(mapped(s, change) for s in loop.step)
    inside = tuple(mapped(s, change) for s in body)
    return replace(loop, init=init, cond=rewrite(loop.cond, change), step=step, body=inside)


def at_least(index: Expr, shift: Shift, least: int) -> Expr:
    """Return whether an index is as great as a shift; as signed numbers, unless none is negative."""
    assert isinstance(index.type, Scalar)
    kind = index.type
    falling = any(negative for negative, _ in shift.terms)
    if kind.kind == "unsigned" and (least < 0 or falling):
        kind = INT
        index = Cast(index, INT)
    if falling:
        return Binary(">=", shift.taken_from(index), converted(Const(0, INT), kind), BOOL)
    terms = [converted(term, kind) for _, term in shift.terms]
    if shift.constant or not terms:
        terms.append(converted(Const(shift.constant, INT), kind))
    return Binary(">=", index, reduce(lambda a, b: Binary("+", a, b, kind), terms), BOOL)
