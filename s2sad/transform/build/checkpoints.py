"""Restore the state of an unbounded loop from snapshots that are nested three deep.

The forward sweep keeps 16 states, `stride` iterations apart. To run from there to each iteration in turn
would take `stride / 2` iterations on average. So while it runs from one of them, the reverse sweep keeps 16
states `middle` apart, and of each stretch that it runs again, the states of the last 32 iterations: the
iterations before this one, which are next. Each iteration is then run again once or twice in loops of up to
8,192 iterations, and few times more often beyond (A. Griewank and A. Walther, "Revolve" (2000), discuss
schedules that are optimal for a given number of snapshots; this one needs no number of iterations in
advance).

`stride` and `middle` are powers of two, and `middle` divides `stride`. A state's slot is its iteration's
number, divided by the distance of its level, modulo the number of its slots.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod

from ...ir import (
    BOOL,
    INT,
    Array,
    Assign,
    Binary,
    Const,
    Declare,
    Expr,
    If,
    Place,
    Record,
    Restore,
    Scalar,
    Select,
    Stmt,
    Sym,
    Unary,
    scalar_type,
)
from ..plan.tape_storage import SNAPSHOTS, Snapshots

BYTES = 4096
"""The limit for the states of both inner levels of a thread: they are in local memory."""

RECENT = (32, 16)
"""The numbers of states of the last iterations that are kept, the preferred one first: powers of two."""


@dataclass(frozen=True)
class State:
    """A variable that the loop carries, or a local array, and its snapshots."""

    sym: Sym
    snapshot: Callable[[Expr], Expr] | Snapshots  # of a scalar by slot; of an array

    @property
    def element(self) -> Scalar:
        """The type of the variable, or of the array's elements."""
        kind = self.sym.type
        return kind.element if isinstance(kind, Array) else scalar_type(self.sym)

    @property
    def extents(self) -> tuple[int, ...]:
        return self.sym.type.extents if isinstance(self.sym.type, Array) else ()

    def array(self, name: str, slots: int) -> Sym:
        """An array of such states; the author's names of extents stay."""
        spelled = self.sym.type.spelled if isinstance(self.sym.type, Array) else ()
        type_ = Array(self.element, (slots, *self.extents), (str(slots), *spelled) if spelled else ())
        return Sym(f"{name}_{self.sym.plain}", type_, "tape")


@dataclass(frozen=True)
class Level:
    """States at one distance, None for each iteration's: the first iteration that has one, and the arrays."""

    distance: Place | None
    begins: Place
    slots: int
    arrays: tuple[Sym, ...]

    @staticmethod
    def of(name: str, distance: Place | None, slots: int, states: Sequence[State]) -> Level:
        return Level(distance, _int(f"{name}_from"), slots, tuple(s.array(name, slots) for s in states))

    def slot(self, iteration: Expr) -> Expr:
        if self.distance is None:
            return Binary("&", iteration, Const(self.slots - 1, INT), INT)
        return Binary("%", _over(iteration, self.distance), Const(self.slots, INT), INT)


@dataclass(frozen=True)
class Checkpoints:
    """The two inner levels of a loop's snapshots."""

    stride: Place
    distance: Place  # of the middle level
    middle: Level
    recent: Level
    states: tuple[State, ...]
    r: Place  # the iteration that is run again

    @staticmethod
    def of(stride: Sym, states: Sequence[State]) -> Checkpoints | None:
        """None if the states take too much memory."""
        size = sum(s.element.size * prod(s.extents) for s in states)
        slots = next((n for n in RECENT if (SNAPSHOTS + n) * size <= BYTES), None)
        if slots is None:
            return None
        distance = _int("middle")
        return Checkpoints(
            Place(stride, (), INT),
            distance,
            Level.of("middle", distance, SNAPSHOTS, states),
            Level.of("recent", None, slots, states),
            tuple(states),
            Place(Sym("r", INT, otherwise=("restart",)), (), INT),
        )

    @property
    def twice(self) -> int:
        """The number of iterations up to which each is run again at most twice."""
        return SNAPSHOTS * self.middle.slots * self.recent.slots

    def declared(self, trips: Expr) -> list[Stmt]:
        """The declarations before the reverse loop; no iteration has a state yet."""
        number = Const(SNAPSHOTS, INT)
        far = Binary(">", self.stride, number, BOOL)
        levels = (self.middle, self.recent)
        return [
            Declare(self.distance.sym, Select(far, _over(self.stride, number), Const(1, INT), INT)),
            *(Declare(level.begins.sym, trips) for level in levels),
            *(Declare(array) for level in levels for array in level.arrays),
        ]

    def restored(self, before: Sequence[Stmt], here: Expr) -> list[Stmt]:
        """Set `r` and the state to the last one kept at or before an iteration.

        `before` are the statements that restore the state from the snapshots: they only declare it.
        """
        own = {state.sym for state in self.states}
        declared: list[Stmt] = [
            Declare(s.target.sym) if isinstance(s, Restore) and s.target.sym in own else s for s in before
        ]
        r, middle, recent = self.r, self.middle, self.recent
        outer: list[Stmt] = [
            Assign(r, _down(here, self.stride)),
            *self._from_snapshots(r),
            Assign(middle.begins, r),
        ]
        # The states of the stretch from `r` up to `here`, as many as there are slots.
        first = Binary("-", here, Const(recent.slots, INT), INT)
        inner: list[Stmt] = [
            Assign(r, _down(here, self.distance)),
            If(Binary(">=", r, middle.begins, BOOL), tuple(self._read(middle, r)), tuple(outer)),
            Assign(recent.begins, Select(Binary(">", r, first, BOOL), r, first, INT)),
        ]
        return [
            *declared,
            Declare(r.sym, here),
            If(Binary(">=", r, recent.begins, BOOL), tuple(self._read(recent, r)), tuple(inner)),
        ]

    def kept(self) -> list[Stmt]:
        """Keep the state at the beginning of an iteration that is run again."""
        r, middle, recent = self.r, self.middle, self.recent
        within = Binary("&", r, Binary("-", self.distance, Const(1, INT), INT), INT)
        return [
            If(Binary("==", within, Const(0, INT), BOOL), tuple(self._write(middle, r))),
            If(Binary(">=", r, recent.begins, BOOL), tuple(self._write(recent, r))),
        ]

    def _from_snapshots(self, r: Place) -> list[Stmt]:
        slot = _over(r, self.stride)
        out: list[Stmt] = []
        for state in self.states:
            match state.snapshot:
                case Snapshots() as kept:
                    out.append(_each(kept, state, lambda here, q, k=kept: Restore(here, k.element(slot, q))))  # type: ignore[misc]
                case value:
                    out.append(Restore(Place(state.sym, (), state.element), value(slot)))
        return out

    def _read(self, level: Level, r: Place) -> list[Stmt]:
        return self._copied(level, r, Restore)

    def _write(self, level: Level, r: Place) -> list[Stmt]:
        return self._copied(level, r, lambda here, kept: Record(kept, here))

    def _copied(self, level: Level, r: Place, copy: Callable[[Place, Place], Stmt]) -> list[Stmt]:
        slot = level.slot(r)
        out: list[Stmt] = []
        for state, array in zip(self.states, level.arrays, strict=True):
            kind = state.element
            if isinstance(state.snapshot, Snapshots):
                out.append(
                    _each(
                        state.snapshot,
                        state,
                        lambda here, q, a=array, k=kind: copy(here, Place(a, (slot, *q), k)),  # type: ignore[misc]
                    )
                )
            else:
                out.append(copy(Place(state.sym, (), kind), Place(array, (slot,), kind)))
        return out


def _each(kept: Snapshots, state: State, copy: Callable[[Place, tuple[Expr, ...]], Stmt]) -> Stmt:
    return kept.each(lambda q: copy(Place(state.sym, q, state.element), q))


def _int(name: str) -> Place:
    return Place(Sym(name, INT), (), INT)


def _over(value: Expr, by: Expr) -> Expr:
    return Binary("/", value, by, INT)


def _down(value: Expr, to: Place) -> Expr:
    """The last multiple of a power of two at or before a number: `k & -middle`."""
    return Binary("&", value, Unary("-", to, INT), INT)


__all__ = ["Checkpoints", "State"]
