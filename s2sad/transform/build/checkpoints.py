"""Restore the state of an unbounded loop from snapshots that are nested three deep.

The forward sweep keeps 16 states, `stride` iterations apart. To run from there to each iteration in turn
would take `stride / 2` iterations on average. So while it runs from one of them, the reverse sweep keeps 16
states `middle` apart, and from the last of those, 16 states `fine` apart: then each iteration is run again
about three times, up to 4,096 of them, and few times more often beyond (A. Griewank and A. Walther,
"Revolve" (2000), discuss schedules that are optimal for a given number of snapshots; this one needs no
number of iterations in advance).

The distances are powers of two, and each divides the next one: a state's slot is its iteration's number,
divided by the distance, modulo 16.
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

    def array(self, name: str) -> Sym:
        """An array of such states; the author's names of extents stay."""
        spelled = self.sym.type.spelled if isinstance(self.sym.type, Array) else ()
        type_ = Array(self.element, (SNAPSHOTS, *self.extents), (str(SNAPSHOTS), *spelled) if spelled else ())
        return Sym(f"{name}_{self.sym.plain}", type_, "tape")


@dataclass(frozen=True)
class Level:
    """States at one distance: the distance, the first iteration that has one, and the arrays."""

    distance: Place
    begins: Place
    arrays: tuple[Sym, ...]

    def slot(self, iteration: Expr) -> Expr:
        return _mod(_over(iteration, self.distance), Const(SNAPSHOTS, INT))


@dataclass(frozen=True)
class Checkpoints:
    """The two inner levels of a loop's snapshots."""

    stride: Place
    levels: tuple[Level, Level]
    states: tuple[State, ...]
    r: Place  # the iteration that is run again

    @staticmethod
    def of(stride: Sym, states: Sequence[State]) -> Checkpoints | None:
        """None if the states take too much memory."""
        size = sum(s.element.size * prod(s.extents) for s in states)
        if 2 * SNAPSHOTS * size > BYTES:
            return None
        levels = tuple(
            Level(
                _int(name),
                _int(f"{name}_from"),
                tuple(s.array(name) for s in states),
            )
            for name in ("middle", "fine")
        )
        middle, fine = levels
        return Checkpoints(Place(stride, (), INT), (middle, fine), tuple(states), _int("r"))

    def declared(self, trips: Expr) -> list[Stmt]:
        """The declarations before the reverse loop; no iteration has a state yet."""
        out: list[Stmt] = []
        above = self.stride
        for level in self.levels:
            number = Const(SNAPSHOTS, INT)
            far = Binary(">", above, number, BOOL)
            out.append(Declare(level.distance.sym, Select(far, _over(above, number), Const(1, INT), INT)))
            above = level.distance
        out += [Declare(level.begins.sym, trips) for level in self.levels]
        out += [Declare(array) for level in self.levels for array in level.arrays]
        return out

    def restored(self, before: Sequence[Stmt], here: Expr) -> list[Stmt]:
        """Set `r` and the state to the last one kept at or before an iteration.

        `before` are the statements that restore the state from the snapshots: they only declare it.
        """
        own = {state.sym for state in self.states}
        declared: list[Stmt] = [
            Declare(s.target.sym) if isinstance(s, Restore) and s.target.sym in own else s for s in before
        ]
        r, (middle, fine) = self.r, self.levels

        def at(distance: Place) -> Stmt:
            return Assign(r, _down(here, distance))

        outer: list[Stmt] = [at(self.stride), *self._from_snapshots(r), Assign(middle.begins, r)]
        inner: list[Stmt] = [
            at(middle.distance),
            If(Binary(">=", r, middle.begins, BOOL), tuple(self._read(middle, r)), tuple(outer)),
            Assign(fine.begins, r),
        ]
        return [
            *declared,
            Declare(r.sym, _down(here, fine.distance)),
            If(Binary(">=", r, fine.begins, BOOL), tuple(self._read(fine, r)), tuple(inner)),
        ]

    def kept(self) -> list[Stmt]:
        """Keep the state at the beginning of an iteration that is run again."""
        r, (middle, fine) = self.r, self.levels

        def due(level: Level) -> Expr:
            within = Binary("&", r, Binary("-", level.distance, Const(1, INT), INT), INT)
            return Binary("==", within, Const(0, INT), BOOL)

        return [
            If(due(middle), (*self._write(middle, r), Assign(fine.begins, r))),
            If(due(fine), tuple(self._write(fine, r))),
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


def _mod(value: Expr, by: Expr) -> Expr:
    return Binary("%", value, by, INT)


def _down(value: Expr, to: Place) -> Expr:
    """The last multiple of a power of two at or before a number: `k & -fine`."""
    return Binary("&", value, Unary("-", to, INT), INT)


__all__ = ["Checkpoints", "State"]
