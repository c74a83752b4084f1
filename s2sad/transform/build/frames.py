"""The names in scope while a body is reversed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ...analysis.ssa import Loop, Scope, Version
from ...ir import Expr, Sym
from .checkpoints import Checkpoints


@dataclass(eq=False)
class Frame:
    """The names in scope while one body is reversed."""

    scope: Scope
    parent: Frame | None
    rename: dict[Sym, Sym] = field(default_factory=dict)
    bound: dict[Version, Expr] = field(default_factory=dict)
    iteration: dict[Loop, Expr] = field(default_factory=dict)
    told: set[Loop] = field(default_factory=set)  # loops whose recorded trip count is in a variable
    divided: dict[Version, Sym] = field(default_factory=dict)  # variables that the loop divides back
    checkpoints: Checkpoints | None = None  # of the loop whose body this is

    def chain(self) -> Iterator[Frame]:
        frame: Frame | None = self
        while frame is not None:
            yield frame
            frame = frame.parent


@dataclass(frozen=True)
class AdjointFunction:
    """The call interface of a device function's adjoint: one result, or several through pointers."""

    name: str
    active: tuple[int, ...]
