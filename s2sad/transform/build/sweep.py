"""What the parts of a reverse sweep ask of the builder that makes it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from ...analysis.ssa import Loop, Scope, Version, Versions
from ...analysis.tbr.recorded import Recorded
from ...ir import Call, Expr, How, Place, Stmt, Sym
from ..plan.pullbacks import Owed
from ..plan.shuffles import Ways
from ..plan.storage_layout import Storage
from ..plan.tape_storage import Tape
from .frames import AdjointFunction, Frame


class Sweep(Protocol):
    """The facts of one function, and how a part of it is reversed or a value is found; see `Builder`."""

    versions: Versions
    recorded: Recorded
    debts: dict[Stmt, list[Owed]]
    adjoints: dict[Sym, Sym]
    storage: Storage
    constant_seeds: frozenset[Sym]
    copies: dict[Version, Sym]
    split: bool
    ways: Ways | None
    exchange: str
    early: bool

    @property
    def how(self) -> Callable[[Stmt, Place], tuple[How, str]]: ...

    @property
    def invoke(self) -> Callable[[Call, tuple[int, ...]], AdjointFunction]: ...

    @property
    def own_elements(self) -> Callable[[Loop, Sym], bool]: ...

    def tape_name(self, wanted: str) -> str:
        """A name for one more tape."""
        ...

    def reversed(self, stmt: Stmt) -> bool:
        """Whether a statement, or anything in it, has an adjoint."""
        ...

    def reverses(self, scope: Scope) -> bool: ...

    def owes(self, stmt: Stmt, sym: Sym) -> bool:
        """Whether a statement may add to a scalar's adjoint."""
        ...

    def resolve(self, version: Version, frame: Frame) -> Expr:
        """Where a value is while `frame` is reversed."""
        ...

    def value(
        self,
        stmt: Stmt,
        expr: Expr,
        frame: Frame,
        afters: dict[Sym, Version] | None = None,
        seed: Expr | None = None,
    ) -> Expr:
        """An expression of `stmt` as the reverse sweep writes it; the `seed` in it is written so already."""
        ...

    def indices(self, loops: tuple[Loop, ...], frame: Frame) -> tuple[Expr, ...]: ...

    def reverse(self, frame: Frame) -> tuple[list[Stmt], list[Stmt]]:
        """What runs forward in a body, and its adjoints."""
        ...

    def told(self, loop: Loop, frame: Frame) -> list[Stmt]:
        """The number of a loop's trips, and its exit, from their record, if this frame hasn't them yet."""
        ...

    def numbers(self, loop: Loop) -> bool:
        """Whether something asks how many iterations came before one, not only which one it is."""
        ...

    @property
    def tapes_of(self) -> dict[Stmt, list[tuple[Place, Tape]]]:
        """The elements that each statement reads from a tape."""
        ...

    def outlives(self, sym: Sym, scope: Scope) -> bool: ...

    def adjoint_place(self, place: Place, index: tuple[Expr, ...]) -> Place:
        """Where a place's adjoint is; that of a scalar may lie behind a pointer."""
        ...
