"""The positions of a block's threads in a shared tile, as the primal's stores tell them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ....analysis.constants import literal
from ....ir import Assign, Binary, Body, Expr, If, Place, Return, Stmt, Sym, statements, unconverted
from ...common.mod_ref import meets
from ...common.replay import conjuncts
from ...common.thread_ownership import Own
from .tile_shifts import Coordinate, split_index

Bounds = Mapping[str, tuple[int, int]]
"""By axis, the least and the greatest threadIdx that a condition lets through."""


@dataclass(frozen=True)
class Dimension:
    """A dimension of a tile, and the coordinate of threads in it."""

    coordinate: Coordinate
    extent: int
    last: int | None  # the greatest coordinate of all threads, if it is known

    def within(self, known: Bounds) -> tuple[int, int | None]:
        """Return the least and the greatest threadIdx under a condition; None if there is no bound."""
        last = None if self.last is None else self.last - self.coordinate.offset
        if self.coordinate.axis not in known:
            return 0, last
        least, most = known[self.coordinate.axis]
        return least, most if last is None else min(most, last)


def narrowed(cond: Expr, own: Own, known: Bounds) -> Bounds:
    """Return the bounds where a condition holds, too."""
    found = dict(known)
    for part in conjuncts(cond):
        match part:
            case Binary("<" | "==" as op, left, right):
                axis, number = own.named(unconverted(left)), literal(unconverted(right))
            case _:
                continue
        if axis and number is not None and number >= 0:  # a negative one is a large unsigned
            least, most = found.get(axis, (0, number))
            low, high = (number, number) if op == "==" else (0, number - 1)
            found[axis] = max(least, low), min(most, high)
    return found


def last_position(
    primal: Body, array: Sym, coordinates: Sequence[Coordinate], extents: Sequence[int], dimension: int
) -> int | None:
    """Return the greatest coordinate of a thread, if all threads store to a tile at their positions.

    It is in the tile, and none where another thread stores between the same two barriers.
    """
    if any(isinstance(s, Return) for s in statements(primal)):
        return None
    own = Own(primal, len(coordinates))
    stores = _Stores(own, array, coordinates, dimension)
    last: int | None = None
    taken: set[int] = set()
    for stmt in primal:
        if meets(stmt):
            if last is not None:
                break
            taken.clear()
        elif stores.at_position(stmt):
            last = extents[dimension] - 1
        else:
            taken.update(stores.beyond(stmt))
    while last is not None and last in taken:
        last -= 1
    return last


@dataclass(frozen=True)
class _Stores:
    own: Own
    array: Sym
    coordinates: Sequence[Coordinate]
    dimension: int

    def at_position(self, stmt: Stmt) -> bool:
        """Whether a statement stores to the thread's own position."""
        index = self.index(stmt)
        return bool(index) and all(self.is_own(k, e) for k, e in enumerate(index))

    def beyond(self, stmt: Stmt) -> Iterator[int]:
        """Yield the coordinates, beyond their own, at which threads of an edge of the block store."""
        if not isinstance(stmt, If) or stmt.other:
            return
        axis = self.coordinates[self.dimension].axis
        known = narrowed(stmt.cond, self.own, {})
        if len(known) != len(list(conjuncts(stmt.cond))) or set(known) != {axis}:
            return
        least, most = known[axis]
        for inner in stmt.then:
            index = self.index(inner)
            if not index or not all(self.is_own(k, e) for k, e in enumerate(index) if k != self.dimension):
                continue
            for thread in range(least, most + 1):
                at = self.value(index[self.dimension], thread)
                if at is not None and at - self.coordinates[self.dimension].offset > thread:
                    yield at

    def index(self, stmt: Stmt) -> tuple[Expr, ...]:
        """The index with which a statement stores to the tile; empty if it doesn't."""
        match stmt:
            case Assign(Place(sym, index, path=())) if sym is self.array:
                return index
            case _:
                return ()

    def is_own(self, dimension: int, index: Expr) -> bool:
        coordinate, shift = split_index(index, self.own)
        wanted = self.coordinates[dimension]
        if coordinate is None or shift is None or shift.terms or coordinate.axis != wanted.axis:
            return False
        return coordinate.offset + shift.constant == wanted.offset

    def value(self, index: Expr, thread: int) -> int | None:
        """The value of an index in the thread with this coordinate."""
        plain = literal(unconverted(index))
        if plain is not None:
            return plain
        coordinate, shift = split_index(index, self.own)
        by = shift.range(()) if shift is not None else None
        if coordinate is None or by is None or coordinate.axis != self.coordinates[self.dimension].axis:
            return None
        return thread + coordinate.offset + by[0]
