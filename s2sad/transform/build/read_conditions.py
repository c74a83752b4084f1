"""The conditions under which a statement reads an element: from enclosing `?:`, `&&` and `||`."""

from __future__ import annotations

from collections.abc import Callable

from ...analysis.activity import is_real
from ...analysis.ssa import operands
from ...ir import Binary, Const, Expr, Place, Scalar, Select, Stmt, children
from ..common.algebra import real
from ..common.jumps import negation

Way = tuple[Expr, ...]
"""The conditions, outermost first, under which a part of an expression is evaluated."""


def conditions(stmt: Stmt, place: Place) -> tuple[Way, ...]:
    """The alternative conditions for reading an element; a single empty one if always or never read."""
    ways = list(dict.fromkeys(way for e in operands(stmt) for way in _conditions(e, place)))
    while () not in ways and (shorter := _joined(ways)) is not None:
        ways = shorter
    return ((),) if () in ways else tuple(ways) or ((),)


def if_read(
    stmt: Stmt, place: Place, value: Expr, element: Scalar, spelled: Callable[[Stmt, Expr], Expr]
) -> Expr:
    """An element if a statement reads it, else zero: its index may be out of range.

    `spelled` writes a condition of the statement where the element is read.
    """
    found: Expr = real(0, place.type) if is_real(place.type) else Const(0, element)
    for way in reversed(conditions(stmt, place)):
        otherwise, found = found, value
        for cond in reversed(way):
            found = Select(spelled(stmt, cond), found, otherwise, element)
    return found


def _joined(ways: list[Way]) -> list[Way] | None:
    """Merge two alternatives that differ only in their last condition's sign, or one of which is a prefix."""
    for k, one in enumerate(ways):
        for two in ways[:k]:
            if one and two and one[:-1] == two[:-1] and negation(one[-1]) == two[-1]:
                return [one[:-1] if way is two else way for way in ways if way is not one]
            if one[: len(two)] == two:
                return [way for way in ways if way is not one]
            if two[: len(one)] == one:
                return [way for way in ways if way is not two]
    return None


def _conditions(expr: Expr, place: Place) -> list[Way]:
    if expr == place:
        return [()]
    parts: list[tuple[Way, Expr]]
    match expr:
        case Select(cond, then, other):
            parts = [((), cond), ((cond,), then), ((negation(cond),), other)]
        case Binary("&&", left, right):
            parts = [((), left), ((left,), right)]
        case Binary("||", left, right):
            parts = [((), left), ((negation(left),), right)]
        case _:
            parts = [((), part) for part in children(expr)]
    return [(*first, *way) for first, part in parts for way in _conditions(part, place)]
