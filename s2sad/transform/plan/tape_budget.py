"""Choose strips of loops such that the tape of a thread stays within a budget.

A loop of n iterations that records b bytes in each takes n b bytes. In strips of k iterations, with a state
of s bytes at the beginning of each, it takes n s / k + k b bytes and runs once more. Half of the budget goes
to either: with a budget of B bytes, k = B / 2b, and the tape fits up to B^2 / 4sb iterations. Where that is
too few, a strip is divided again: l levels get B / l bytes each, and the loop runs l - 1 times more.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import prod

from ...analysis.loops.counted_loops import constant
from ...analysis.ssa import Loop
from ...ir import LoopId
from ..normalise.strip_mine_loops import Strips
from .storage_layout import Storage
from .tape_storage import Tape

ENOUGH = 1 << 14
"""The number of iterations that must fit where the trip count isn't constant."""

FEWEST = 1 << 8
"""With fewer, such a tape isn't within a budget."""

MOST_LEVELS = 4


@dataclass(frozen=True)
class Records:
    """The bytes that a thread records in each iteration of a loop, and its trip count if that is constant."""

    loop: Loop
    bytes: int
    trips: int | None

    @property
    def total(self) -> int | None:
        return None if self.trips is None else self.trips * self.bytes


@dataclass(frozen=True)
class Fit:
    """The lengths of a loop's strips, the longest first, and up to how many iterations the tape fits."""

    lengths: tuple[int, ...] = ()
    iterations: int = 0

    def fits(self, records: Records) -> bool:
        """Whether there are strips, for all iterations that are known of."""
        return bool(self.lengths) and self.iterations >= (FEWEST if records.trips is None else records.trips)


def recorded(storage: Storage) -> dict[LoopId, Records]:
    """What each loop records that is the outermost one by which a part of the tape is indexed."""
    found: dict[LoopId, Records] = {}
    for region in storage.regions:
        if not region.loops:
            continue
        loop = region.loops[0]
        before = found[loop.id].bytes if loop.id in found else 0
        found[loop.id] = Records(loop, before + _each(region), constant(region.counts[0]))
    return found


def _each(region: Tape) -> int:
    """The bytes of a part of the tape in one iteration of its outermost loop, as far as they are constant."""
    return region.element.size * prod(constant(count) or 1 for count in region.counts[1:])


def fit(budget: int, records: int, state: int, trips: int | None) -> Fit:
    """The strips for a budget, if `records` and `state` are the bytes of an iteration and of a state.

    No strips if none fit.
    """
    best = Fit()
    for levels in range(2, MOST_LEVELS + 1):
        share = budget // levels
        last, slots = _power_of_two(share // records), share // state
        if last < 2 or slots < 2:
            break
        lengths = tuple(last * _power_of_two(slots) ** level for level in reversed(range(levels - 1)))
        found = Fit(lengths, slots * lengths[0])
        if found.iterations > best.iterations:
            best = found
        if best.iterations >= (ENOUGH if trips is None else trips):
            break
    return best


def _power_of_two(number: int) -> int:
    """The largest power of two that isn't greater; 0 if there is none."""
    return 1 << (number.bit_length() - 1) if number > 0 else 0


def sizes(storage: Storage, loops: Iterable[LoopId], strips: Strips) -> Mapping[LoopId, tuple[int, int]]:
    """The bytes of an iteration's records and of a state, for each loop in strips.

    A loop isn't in the result if its iterations record more on the tape than the current strip's: then it
    gains nothing from strips.
    """
    every = _tapes(storage)
    found: dict[LoopId, tuple[int, int]] = {}
    for loop in loops:
        levels = {strip.loop for strip in strips[loop]}
        own = [tape for tape in every if tape.loops[0].id is loop]
        states = [tape for tape in every if tape.loops[0].id in levels]
        if any(inner.id is loop for tape in states for inner in tape.loops):
            continue
        by_level = [sum(_each(tape) for tape in states if tape.loops[0].id is level) for level in levels]
        found[loop] = (max(1, sum(map(_each, own))), max(1, *by_level))
    return found


def snapshot(storage: Storage, loop: LoopId) -> int:
    """The bytes of one snapshot of a loop's state."""
    own = (tape for tape in storage.tapes.values() if tape.loops and tape.loops[0].id is loop)
    arrays = (s.array for (one, _), s in storage.snapshots.items() if one.id is loop)
    return sum(tape.element.size for tape in own) + sum(
        array.elements * array.element.size for array in arrays
    )


def _tapes(storage: Storage) -> list[Tape]:
    """What is recorded in each iteration of some loop, in local memory too."""
    found = (storage.tapes, storage.loads, storage.stored, storage.timed_trips, storage.timed_exits)
    return [tape for tape in dict.fromkeys(tape for kept in found for tape in kept.values()) if tape.loops]
