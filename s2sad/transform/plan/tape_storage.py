"""The storage of recorded values: registers, a local array, or the global tape.

A value recorded once per frame is a variable. One recorded per iteration is an
array: local if the number of iterations is a small constant, else a region of
the global tape, interleaved by thread so that a warp writes contiguous words.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from ...analysis.loops.counted_loops import constant
from ...analysis.ssa import Loop, Scope
from ...ir import (
    BOOL,
    INT,
    SIZE_T,
    Array,
    Assign,
    Binary,
    Cast,
    Const,
    Declare,
    Expr,
    For,
    If,
    Place,
    Record,
    Scalar,
    Select,
    Stmt,
    Sym,
)
from ..common.integer_expressions import extents_of, text_of

SNAPSHOTS = 16
"""The number of states kept of an unbounded loop; must be even."""

LOCAL_LIMIT = 64
"""A local tape with more elements than this goes to global memory."""


@dataclass(eq=False)
class Tape:
    """One recorded value's storage; `loops` index it, outermost first."""

    sym: Sym
    loops: tuple[Loop, ...]
    home: Scope
    element: Scalar
    counts: tuple[Expr, ...] = ()
    threads: Sym | None = None  # set: global, with this stride
    limits: tuple[Expr | None, ...] = ()  # the user's bounds, which may turn out too small
    over: bool = False  # split: written by K_fwd, read by K_adj; otherwise used by one kernel only

    @property
    def register(self) -> bool:
        return not self.loops and self.threads is None

    @property
    def elements(self) -> int:
        """The number of elements, as far as it is constant."""
        return math.prod(constant(count) or 1 for count in self.counts)

    @property
    def is_global(self) -> bool:
        return self.threads is not None

    def fits(self, indices: tuple[Expr, ...]) -> Expr | None:
        """The test that an iteration is within the user's bounds; None if it can't fail."""
        test: Expr | None = None
        for index, limit in zip(indices, self.limits, strict=False):
            if limit is not None:
                small = Binary("<", index, limit, BOOL)
                test = small if test is None else Binary("&&", test, small, BOOL)
        return test

    def record(self, indices: tuple[Expr, ...], value: Expr, overrun: Sym | None) -> Stmt:
        """Write a value to the tape; past the user's bound, set the overrun flag."""
        write = Record(self.place(indices), value)
        test = self.fits(indices)
        if test is None or overrun is None:
            return write
        flag = Place(overrun, (Const(0, INT),), INT)
        return If(test, (write,), (Assign(flag, Const(1, INT)),))

    def value(self, indices: tuple[Expr, ...]) -> Expr:
        """Read a value back; past the user's bound, a NaN (0 for an integer)."""
        place = self.place(indices)
        test = self.fits(indices)
        if test is None:
            return place
        past = Const(math.nan, self.element) if self.element.is_float else Const(0, self.element)
        return Select(test, place, past, self.element)

    def place(self, indices: tuple[Expr, ...]) -> Place:
        """The element for one iteration of each loop."""
        if self.register:
            return Place(self.sym, (), self.element)
        if self.threads is None:
            return Place(self.sym, indices, self.element)
        if not self.loops:
            return Place(self.sym, (Const(0, INT),), self.element)
        wide: Expr = Cast(indices[0], SIZE_T, implicit=len(indices) == 1)
        for index, count in zip(indices[1:], self.counts[1:], strict=True):
            # Where an iteration runs, the count is positive: the clamp is redundant.
            extent = count.then if isinstance(count, Select) else count
            row = Binary("*", wide, Cast(extent, SIZE_T, implicit=True), SIZE_T)
            wide = Binary("+", row, Cast(index, SIZE_T, implicit=True), SIZE_T)
        offset = Binary("*", wide, Place(self.threads, (), SIZE_T), SIZE_T)
        return Place(self.sym, (offset,), self.element)


@dataclass(eq=False)
class Snapshots:
    """Snapshots of a local array along a loop: one copy of the whole array per slot."""

    sym: Sym
    array: Array
    threads: Sym | None = None  # set: global, with this stride

    def element(self, slot: Expr, index: tuple[Expr, ...]) -> Place:
        """One element of one snapshot."""
        if self.threads is None:
            return Place(self.sym, (slot, *index), self.array.element)
        at: Expr = slot
        for position, extent in zip(index, extents_of(self.array), strict=True):
            row = Binary("*", at, extent, INT)
            at = Binary("+", row, position, INT)
        wide = Cast(at, SIZE_T, implicit=True)
        return Place(
            self.sym, (Binary("*", wide, Place(self.threads, (), SIZE_T), SIZE_T),), self.array.element
        )

    def each(self, body: Callable[[tuple[Expr, ...]], Stmt]) -> Stmt:
        """A statement for every element of the array."""
        counters = [Sym("q", INT, otherwise=("p",)) for _ in self.array.extents]
        index = tuple(Place(q, (), INT) for q in counters)
        stmt = body(index)
        extents = extents_of(self.array)
        for q, place, extent in reversed(list(zip(counters, index, extents, strict=True))):
            step = Assign(place, Const(1, INT), "+=", spelling=f"++{q.name}")
            test = Binary("<", place, extent, BOOL)
            stmt = For((Declare(q, Const(0, INT)),), test, (step,), (stmt,))
        return stmt


def local_type(element: Scalar, counts: tuple[Expr, ...]) -> Array | None:
    """The type of a local tape, if every count is a constant and the total is within LOCAL_LIMIT."""
    extents: list[int] = []
    spelled: list[str] = []
    total = 1
    for count in counts:
        value = constant(count)
        if value is None:
            return None
        extents.append(max(1, value))
        # A loop that never runs has no element, but an array needs one.
        spelled.append("1" if value < 1 else text_of(count))
        total *= extents[-1]
    return Array(element, tuple(extents), tuple(spelled)) if total <= LOCAL_LIMIT else None
