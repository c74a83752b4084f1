"""The interface of the builder that the parts of a reverse sweep use."""

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
    """The facts of one function, and the queries that reverse a part of it or find a value; see `Builder`."""

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

    @property
    def outcomes(self) -> dict[Stmt, Sym]:
        """Conditions that are evaluated once for both sweeps, and the names of their outcomes."""
        ...

    def copy_name(self, version: Version) -> str:
        """A name for one more copy of a value."""
        ...

    def reversed(self, stmt: Stmt) -> bool:
        """Whether a statement or a nested one has an adjoint."""
        ...

    def reverses(self, scope: Scope) -> bool: ...

    def owes(self, stmt: Stmt, sym: Sym) -> bool:
        """Whether a statement may contribute to a scalar's adjoint."""
        ...

    def resolve(self, version: Version, frame: Frame) -> Expr:
        """Where a value is held while `frame` is reversed."""
        ...

    def value(
        self,
        stmt: Stmt,
        expr: Expr,
        frame: Frame,
        afters: dict[Sym, Version] | None = None,
        seed: Expr | None = None,
    ) -> Expr:
        """An expression of `stmt` as the reverse sweep writes it; `seed` in it is kept as it is."""
        ...

    def indices(self, loops: tuple[Loop, ...], frame: Frame) -> tuple[Expr, ...]: ...

    def reverse(self, frame: Frame) -> tuple[list[Stmt], list[Stmt]]:
        """The statements that run forward in a body, and its adjoints."""
        ...

    def told(self, loop: Loop, frame: Frame) -> list[Stmt]:
        """Restore a loop's recorded trip count and exit, unless this frame has done so."""
        ...

    def numbers(self, loop: Loop) -> bool:
        """Whether the number of iterations before one is needed, not only its tape index."""
        ...

    @property
    def tapes_of(self) -> dict[Stmt, list[tuple[Place, Tape]]]:
        """The elements that each statement reads from a tape."""
        ...

    def outlives(self, sym: Sym, scope: Scope) -> bool: ...

    def adjoint_place(self, place: Place, index: tuple[Expr, ...]) -> Place:
        """The adjoint of a place; a scalar's may be behind a pointer."""
        ...
