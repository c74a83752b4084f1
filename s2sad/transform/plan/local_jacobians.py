"""Local Jacobians: loops through which tangents are carried, partials that are recorded.

`forward_accumulation` and `preaccumulation` find them, the builder and the plan read them.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...analysis.ssa import Loop
from ...ir import Assign, Declare, Expr, Initialiser, Place, Stmt, Sym


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


@dataclass(frozen=True, eq=False)
class TapedPartial:
    """The partial of what `stmt` stores with respect to `place`, made by `made` just before it."""

    stmt: Stmt
    target: Place
    place: Place
    own: bool  # of the value before, by which the statement changes it
    made: Declare
    state: str  # what the reverse sweep would need to make it again

    @property
    def name(self) -> str:
        return f"d{self.target.sym.name}/d{self.place.sym.name}"

    @property
    def sym(self) -> Sym:
        return self.made.sym

    @property
    def value(self) -> Expr:
        value = self.made.init
        assert value is not None
        assert not isinstance(value, Initialiser)
        return value
