"""Loops through which tangents are carried: the facts that `tangents` finds and the plan tells."""

from __future__ import annotations

from dataclasses import dataclass

from ..analysis.versions import Loop
from ..ir import Assign, Declare, Stmt, Sym


@dataclass(frozen=True, eq=False)
class Direction:
    """The derivative of the state by one input, `dx_dv`.

    `input` is None for the state's own value at the loop's entry; `also` is then the
    input that this value is a copy of, if it is.
    """

    tangent: Sym
    input: Sym | None
    also: Sym | None = None

    def starts_at_one(self, sym: Sym) -> bool:
        return sym is self.input or sym is self.also


@dataclass(frozen=True, eq=False)
class Carried:
    """A loop whose state's tangents are carried.

    `statements` are the active ones, `added` those that carry. `whole`: nothing of the
    loop is reversed.
    """

    loop: Loop
    state: Sym
    directions: tuple[Direction, ...]
    statements: tuple[Declare | Assign, ...]
    whole: bool
    added: tuple[Stmt, ...] = ()
