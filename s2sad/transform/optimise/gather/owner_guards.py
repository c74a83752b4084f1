"""Guard the addition of a gathered sum by the index of its element instead of by the sum's value.

    if (i + 2 < n)           sum += …;
    if (i > 0 && i < n - 1)  sum += …;    ->    if (i < n && n > 2) adj_u[i] += sum;
    if (i > 1 && i < n)      sum += …;
    if (sum != 0.0f) adj_u[i] += sum;

The intervals of i, [0, n - 2), [1, n - 1) and [2, n), are together [0, n), and all empty up to n = 2. An
element to which some thread contributes exists; adding zero to another could be out of bounds.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from ....analysis.constants import FLIPPED
from ....ir import (
    BOOL,
    Accumulate,
    Binary,
    Body,
    Const,
    Declare,
    Expr,
    If,
    Place,
    Quote,
    Stmt,
    Sym,
    scalar_type,
    statements,
)
from ...common.algebra import shifted
from ...common.replay import conjuncts
from .block_sums import all_of
from .moved_conditions import signed, split


@dataclass(frozen=True)
class _Interval:
    """The positions from `low` on with `position + room < bound`."""

    low: int
    room: int
    bound: Expr

    @property
    def empty(self) -> int:
        """The greatest bound with which there are none."""
        return self.low + self.room


def by_index(terms: Iterable[Stmt], position: Place) -> Expr | None:
    """Return when a thread at a position gets a contribution from the terms; None if that isn't found."""
    terms = tuple(terms)
    found = [_interval(conds, {position.sym}) for conds in _paths(terms, ())]
    known = [one for one in found if one is not None]
    if not known or len(known) < len(found) or any(one.bound != known[0].bound for one in known):
        return None
    if any(isinstance(stmt, Declare) and stmt.sym in known[0].bound.symbols for stmt in statements(terms)):
        return None  # it is declared inside
    low, room = min(one.low for one in known), min(one.room for one in known)
    whole = _Interval(low, room, known[0].bound)
    if whole not in known and not _joined(known):
        return None
    kind = scalar_type(position)
    conds: list[Expr] = [Binary(">=", position, Const(low, kind), BOOL)] if low > 0 else []
    conds.append(Binary("<", shifted(position, room), whole.bound, BOOL))
    if whole not in known:
        conds.append(Binary(">", whole.bound, Const(known[0].empty, kind), BOOL))
    return all_of(conds)


def _joined(intervals: list[_Interval]) -> bool:
    """Whether the intervals follow each other without a gap, whatever the bound, or are all empty."""
    lows = sorted(one.low for one in intervals)
    close = all(after - before <= 1 for before, after in pairwise(lows))
    return close and len({one.empty for one in intervals}) == 1


def _paths(body: Body, conds: tuple[Expr, ...]) -> Iterator[tuple[Expr, ...] | None]:
    """The conditions of each addition; None for one that they don't decide alone."""
    for stmt in body:
        match stmt:
            case If(cond, then, ()):
                yield from _paths(then, (*conds, *conjuncts(cond)))
            case Accumulate():
                yield conds
            case Declare() | Quote():
                pass
            case _:
                yield None


def _interval(conds: tuple[Expr, ...] | None, positions: Container[Sym]) -> _Interval | None:
    """The positions that conditions let through, if they are an interval that ends below a bound."""
    low, room, bound = 0, None, None
    for cond in conds or ():
        if not isinstance(cond, Binary) or cond.left.type != cond.right.type or not signed(cond.left):
            return None
        sides = ((cond.op, cond.left, cond.right), (FLIPPED.get(cond.op, ""), cond.right, cond.left))
        side = next((side for side in sides if _offset(side[1], positions) is not None), None)
        if side is None:
            return None
        op, one, other = side
        by = _offset(one, positions) or 0
        if op in (">", ">=") and isinstance(other, Const) and isinstance(other.value, int):
            low = max(low, other.value - by + (op == ">"))
            continue
        end, more = split(other)
        if op not in ("<", "<=") or isinstance(end, Const) or (bound is not None and end != bound):
            return None
        need = by - more - (op == "<=")
        room, bound = need if room is None else max(room, need), end
    return None if room is None or bound is None else _Interval(low, room, bound)


def _offset(expr: Expr, positions: Container[Sym]) -> int | None:
    """The literal that is added to a position; None for anything else."""
    place, by = split(expr)
    return by if isinstance(place, Place) and not place.index and place.sym in positions else None
