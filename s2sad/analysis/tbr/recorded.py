"""What is to be recorded, as the plan builds on it: slices, demands, and what crosses a frame."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ...ir import Expr, Place, Stmt, Sym
from ..loops.counted_loops import Counter, Scale
from ..loops.induction_variables import Induction
from ..ssa import Loop, Scope, Version

Load = tuple[Stmt, Place]
"""A read of an element, by the statement that makes it."""


@dataclass(eq=False)
class Recorded:
    """What the plan builds on. Insertion order is the program's; nothing is a bare set."""

    counters: Mapping[Loop, Counter | None]  # of all loops
    slices: dict[Scope, dict[Stmt, None]] = field(default_factory=dict)
    demanded: dict[Scope, dict[Version, None]] = field(default_factory=dict)
    inverted: dict[Version, Induction] = field(default_factory=dict)
    taped: dict[Version, None] = field(default_factory=dict)  # heads
    trips: dict[Loop, None] = field(default_factory=dict)
    exits: dict[Loop, None] = field(default_factory=dict)  # which break was taken is asked for
    stored: dict[Version, Loop] = field(default_factory=dict)  # per iteration, because --store says so
    kept: frozenset[Version] = frozenset()  # of these, the ones that may not be computed twice
    copies: dict[Version, None] = field(default_factory=dict)
    # values that are written out again where they are read: they are made from what never changes
    rewritten: dict[Version, Expr] = field(default_factory=dict)
    late: dict[Load, None] = field(default_factory=dict)
    loads: dict[Load, Scope] = field(default_factory=dict)  # late ones that are recorded, and by which slice
    entered: dict[tuple[Scope, Version], None] = field(default_factory=dict)
    held: dict[Version, None] = field(default_factory=dict)  # heads asked for after their slice
    # loops of which nothing bounds the trips: their states are run again from snapshots, by the
    # slice that is kept under this stand-in for the body
    advances: dict[Loop, Scope] = field(default_factory=dict)
    arrays: dict[Loop, dict[Sym, None]] = field(default_factory=dict)  # … and local arrays with them
    # loops whose counter the reversed loop doubles or halves back, without being told how often
    scales: dict[Loop, Scale] = field(default_factory=dict)
    # split: scalars that K_fwd hands over, exits of loops and values it alone can make
    handed: dict[Version, None] = field(default_factory=dict)
    # … and those that a slice's variable must hold, since a branch or a loop goes on from it
    restored: dict[tuple[Scope, Version], None] = field(default_factory=dict)
    # loops whose number of iterations is recorded each time they run, and by which slice
    timed: dict[Loop, Timed] = field(default_factory=dict)
    # … and what their counters are in the end, by that number
    closed: dict[Version, Induction] = field(default_factory=dict)


@dataclass(frozen=True)
class Timed:
    """Where the iterations of a loop are counted for all slices that can't decide its condition.

    `home` is the body whose slice counts them; `over`: K_fwd counts for every slice of K_adj.
    `rounds`: they could, but might round the floating values that it is made of differently.
    """

    home: Scope
    over: bool = False
    rounds: bool = False

    def grows(self, other: Timed) -> bool:
        """Whether the other one's home is further out, or K_fwd."""
        return not self.over and (
            other.over or (self.home is not other.home and self.home.within(other.home))
        )

    def covers(self, body: Scope) -> bool:
        """Whether the slice of a body finds the number recorded, instead of deciding the condition."""
        return self.over or (body is not self.home and body.within(self.home))
