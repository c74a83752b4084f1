"""Guard the addition of a gathered sum by the index of its element instead of by the sum's value.

    if (i + 2 < n)           sum += …;
    if (i > 0 && i < n - 1)  sum += …;    ->    if (i < n && n > 2) adj_u[i] += sum;
    if (i > 1 && i < n)      sum += …;
    if (sum != 0.0f) adj_u[i] += sum;

The intervals of i, [0, n - 2), [1, n - 1) and [2, n), are together [0, n), and all empty up to n = 2. An
element to which some thread contributes exists; adding zero to another could be out of bounds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ....analysis.constants import FLIPPED, exact
from ....ir import (
    BOOL,
    INT,
    Accumulate,
    Binary,
    Body,
    Cast,
    Const,
    Declare,
    Expr,
    For,
    If,
    Place,
    Quote,
    Stmt,
    Sym,
    is_integer,
    scalar_type,
)
from ...common.algebra import rewrite, shifted
from ...common.loop_entry import literal_counts
from ...common.replay import all_of, conjuncts
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

    def conditions(self, position: Place) -> list[Expr]:
        kind = scalar_type(position)
        low: list[Expr] = [Binary(">=", position, Const(self.low, kind), BOOL)] if self.low > 0 else []
        return [*low, Binary("<", shifted(position, self.room), self.bound, BOOL)]


_Box = tuple[_Interval, ...]
"""An interval for each axis."""


def by_index(terms: Iterable[Stmt], positions: Sequence[Place]) -> Expr | None:
    """Return when a thread at a position gets a contribution from the terms; None if that isn't found.

    Of several axes, or in loops, it is found if one contribution is made wherever any is.
    """
    terms = tuple(terms)
    found = [_box(conds, positions) for conds in _paths(terms, (), {})]
    known = [one for one in found if one is not None]
    if not known or len(known) < len(found):
        return None
    axes = list(zip(*known, strict=True))
    if any(one.bound != axis[0].bound for axis in axes for one in axis):
        return None
    whole = tuple(
        _Interval(min(one.low for one in axis), min(one.room for one in axis), axis[0].bound) for axis in axes
    )
    if whole not in known and not (len(axes) == 1 and _joined(list(axes[0]))):
        return None
    conds = [cond for one, at in zip(whole, positions, strict=True) for cond in one.conditions(at)]
    least = Const(known[0][0].empty, scalar_type(positions[0]))
    if whole not in known:
        conds.append(Binary(">", whole[0].bound, least, BOOL))
    return all_of(conds)


def _joined(intervals: list[_Interval]) -> bool:
    """Whether the intervals follow each other without a gap, whatever the bound, or are all empty."""
    lows = sorted(one.low for one in intervals)
    close = all(after - before <= 1 for before, after in pairwise(lows))
    return close and len({one.empty for one in intervals}) == 1


_Values = Mapping[Sym, Expr]


def _paths(body: Body, conds: tuple[Expr, ...], at: _Values) -> Iterator[tuple[Expr, ...] | None]:
    """The conditions of each addition, in each iteration of its loops; None for one they don't decide alone.

    `at`: the values of loops' counters and of what is declared.
    """
    for stmt in body:
        match stmt:
            case If(cond, then, ()):
                yield from _paths(then, (*conds, *(valued(c, at) for c in conjuncts(cond))), at)
            case Accumulate():
                yield conds
            case Declare(sym, value):
                if isinstance(value, Expr) and is_integer(value):
                    at = {**at, sym: valued(value, at)}
            case Quote():
                pass
            case For() if (counts := literal_counts(stmt)) is not None and len(counts[1]) <= _ITERATIONS:
                counter, numbers = counts
                for number in numbers:
                    yield from _paths(stmt.body, conds, {**at, counter: Const(number, INT)})
            case _:
                yield None


_ITERATIONS = 64


def valued(expr: Expr, at: Mapping[Sym, Expr]) -> Expr:
    """An expression with the values of variables."""

    def change(part: Expr) -> Expr | None:
        return at.get(part.sym) if isinstance(part, Place) and not part.index else None

    return rewrite(expr, change)


def _box(conds: tuple[Expr, ...] | None, positions: Sequence[Place]) -> _Box | None:
    """The positions that conditions let through, if they are an interval along each axis."""
    if conds is None:
        return None
    sorted_: dict[Sym, list[Expr]] = {place.sym: [] for place in positions}
    for cond in conds:
        about = [sym for sym in sorted_ if sym in cond.symbols]
        if len(about) != 1:
            return None
        sorted_[about[0]].append(cond)
    found = [_interval(own, sym) for sym, own in sorted_.items()]
    box = tuple(one for one in found if one is not None)
    return box if len(box) == len(found) else None


def _interval(conds: Iterable[Expr], position: Sym) -> _Interval | None:
    """The positions that conditions let through, if they are an interval that ends below a bound."""
    low, room, bound = 0, None, None
    for cond in conds:
        if not isinstance(cond, Binary) or cond.left.type != cond.right.type or not signed(cond.left):
            return None
        sides = ((cond.op, cond.left, cond.right), (FLIPPED.get(cond.op, ""), cond.right, cond.left))
        side = next((side for side in sides if _offset(side[1], position) is not None), None)
        if side is None:
            return None
        op, one, other = side
        by = _offset(one, position) or 0
        if op in (">", ">=") and isinstance(other, Const) and isinstance(other.value, int):
            low = max(low, other.value - by + (op == ">"))
            continue
        end, more = split(other)
        if op not in ("<", "<=") or isinstance(end, Const) or (bound is not None and end != bound):
            return None
        need = by - more - (op == "<=")
        room, bound = need if room is None else max(room, need), end
    return None if room is None or bound is None else _Interval(low, room, bound)


def _offset(expr: Expr, position: Sym) -> int | None:
    """The number that is added to a position; None for anything else."""
    match expr:
        case Place(sym, ()) if sym is position:
            return 0
        case Binary("+" | "-" as op, left, right) if signed(expr):
            number, by = exact(right), _offset(left, position)
            if by is not None and number is not None:
                return by + number if op == "+" else by - number
            number, by = exact(left), _offset(right, position)
            return by + number if by is not None and number is not None and op == "+" else None
        case Cast(arg, implicit=True) if signed(arg) and signed(expr):
            return _offset(arg, position)
        case _:
            return None
