"""What must be recorded, as input to the plan: slices, demands, and values that cross a frame."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ...ir import Expr, Place, Stmt, Sym
from ..loops.counted_loops import Counter, Scale
from ..loops.induction_variables import Induction
from ..loops.undone_products import Undone
from ..ssa import Loop, Scope, Version

Load = tuple[Stmt, Place]
"""A read of an element, and the statement that makes it."""


@dataclass(eq=False)
class Recorded:
    """The input of the plan. Insertion order is program order; there are no bare sets."""

    counters: Mapping[Loop, Counter | None]  # of all loops
    # of these, those whose steps have an unknown sign: the values at which they start
    presumed: Mapping[Loop, Version] = field(default_factory=dict)
    slices: dict[Scope, dict[Stmt, None]] = field(default_factory=dict)
    demanded: dict[Scope, dict[Version, None]] = field(default_factory=dict)
    inverted: dict[Version, Induction] = field(default_factory=dict)
    undone: dict[Version, Undone] = field(default_factory=dict)  # heads that are divided back
    taped: dict[Version, None] = field(default_factory=dict)  # heads
    trips: dict[Loop, None] = field(default_factory=dict)
    exits: dict[Loop, None] = field(default_factory=dict)  # by which `break` must be known
    stored: dict[Version, Loop] = field(default_factory=dict)  # per iteration: by --store, `kept` or drawn
    kept: frozenset[Version] = frozenset()  # of these, those that mustn't be computed twice
    # values of branches that stay in variables of the body around them, and that body
    held_over: dict[Version, Scope] = field(default_factory=dict)
    copies: dict[Version, None] = field(default_factory=dict)
    # values rewritten where they are read, as expressions of operands that never change
    rewritten: dict[Version, Expr] = field(default_factory=dict)
    late: dict[Load, None] = field(default_factory=dict)
    loads: dict[Load, Scope] = field(default_factory=dict)  # late loads that are recorded, and by which slice
    entered: dict[tuple[Scope, Version], None] = field(default_factory=dict)
    held: dict[Version, None] = field(default_factory=dict)  # needed after their own slice
    # unbounded loops: their states are rerun from snapshots, by the slice kept under this
    # stand-in for the body
    advances: dict[Loop, Scope] = field(default_factory=dict)
    arrays: dict[Loop, dict[Sym, None]] = field(default_factory=dict)  # … with the local arrays
    # loops whose reversed loop multiplies or divides the counter back, without a trip count
    scales: dict[Loop, Scale] = field(default_factory=dict)
    # split: scalars that K_fwd hands over: exits of loops and values that only it can make
    handed: dict[Version, None] = field(default_factory=dict)
    # … and those that a slice's variable must hold, since a branch or a loop continues from it
    restored: dict[tuple[Scope, Version], None] = field(default_factory=dict)
    # loops whose trip count is recorded each time they run, and the slice that does so
    timed: dict[Loop, Timed] = field(default_factory=dict)
    # … and the final values of their counters, given by that count
    closed: dict[Version, Induction] = field(default_factory=dict)
    # of each array, the body around all its accesses in which an iteration reads what it stored itself
    homes: Mapping[Sym, Scope] = field(default_factory=dict)


@dataclass(frozen=True)
class Timed:
    """Where to count a loop's iterations for all slices that can't evaluate its condition.

    `home` is the body whose slice counts them; `over`: K_fwd counts for every slice of K_adj.
    `rounds`: slices could, but might round the floating values in the condition differently.
    """

    home: Scope
    over: bool = False
    rounds: bool = False

    def grows(self, other: Timed) -> bool:
        """Whether the other's home is further out, or is K_fwd."""
        return not self.over and (
            other.over or (self.home is not other.home and self.home.within(other.home))
        )

    def covers(self, body: Scope) -> bool:
        """Whether the slice of a body uses the recorded trip count instead of evaluating the condition."""
        return self.over or (body is not self.home and body.within(self.home))
