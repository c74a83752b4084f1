"""Local Jacobians: loops through which tangents are carried, and partials that are recorded.

Found by `forward_accumulation` and `preaccumulation`; read by the builder and the plan.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...analysis.ssa import Loop
from ...ir import Assign, Declare, Expr, Initialiser, Place, Stmt, Sym


@dataclass(frozen=True, eq=False)
class Direction:
    """The derivative of the state by one input, `dx_dv`.

    `input` is None for the state's own value at the loop's entry; `also` is then the
    input that this value is a copy of, if any.
    """

    tangent: Sym
    input: Sym | None
    also: Sym | None = None

    def starts_at_one(self, sym: Sym) -> bool:
        return sym is self.input or sym is self.also


@dataclass(frozen=True, eq=False)
class Carried:
    """A loop with carried tangents of its state.

    `statements` are the active ones, `added` the tangents. `whole`: no statement of the
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
    """The partial of `stmt`'s result by `place`, computed by `made` just before `stmt`."""

    stmt: Stmt
    target: Place
    place: Place
    own: bool  # by the old value of the target
    made: Declare
    state: str  # what the reverse sweep would need to recompute it

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
