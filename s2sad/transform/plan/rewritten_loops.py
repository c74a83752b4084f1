"""Loops of the primal of which one iteration is reversed."""

from __future__ import annotations

from dataclasses import dataclass

from ...analysis.ssa import Loop


@dataclass(frozen=True)
class Rewritten:
    """A loop that selects what `sets` names, and the variables that say in which iteration.

    Both are empty if all its iterations do the same.
    """

    loop: Loop
    sets: tuple[str, ...] = ()
    winner: tuple[str, ...] = ()
