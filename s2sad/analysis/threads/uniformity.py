"""Uniformity across a group of threads: how it propagates through statements, for any group.

`block_uniformity` and `warp_uniformity` classify expressions. A value is apart if it depends on one
that is, or if the branch or the loop that defines it is divergent. Facts grow from below to a fixed
point; a value never found apart is uniform.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Literal

from ...fixpoint import rounds
from ...ir import Assign, Binary, Declare, DoWhile, Expr, For, If, Stmt, Switch, While
from ..ssa import Scope, Version, Versions, operands, own_breaks
from . import shifted_loops
from .uniform_guards import Even

Kind = Literal["multiple", "uniform", "steps", "apart"]
_ORDER: dict[Kind, int] = {"multiple": 0, "uniform": 1, "steps": 0, "apart": 2}


def joined(a: Kind | None, b: Kind | None) -> Kind | None:
    """Return the kind of a value that may be either; None while nothing is known of a value."""
    if a is None or b is None or a == b:
        return a or b
    if "steps" in (a, b):
        return "apart"
    return a if _ORDER[a] > _ORDER[b] else b


def same(kind: Kind | None) -> Kind | None:
    """Reduce a kind to whether the value is uniform across the group."""
    return "uniform" if kind == "multiple" else "apart" if kind == "steps" else kind


class Uniformity(ABC):
    """The uniformity of one function in tail form.

    `alike` are the device functions that return the same to all threads of a block for the same
    arguments; `even` are branches that a group takes together, as the launch ensures.
    """

    def __init__(
        self,
        versions: Versions,
        alike: frozenset[str] = frozenset(),
        even: Mapping[Stmt, tuple[Even, ...]] = MappingProxyType({}),
    ) -> None:
        self.v = versions
        self.alike = alike
        self.even = even
        self.kinds: dict[Version, Kind] = {}
        self.parting: set[Stmt] = set()  # divergent branches and loops
        height = (max(_ORDER.values()) + 1) * versions.size  # kinds only go up, and `parting` only grows
        for _ in rounds(height, "what threads agree on", versions.function.span):
            before = (len(self.parting), sum(_ORDER[k] + 1 for k in self.kinds.values()))
            for stmt in versions.order:
                self._look(stmt)
            if before == (len(self.parting), sum(_ORDER[k] + 1 for k in self.kinds.values())):
                break

    @abstractmethod
    def kind(self, stmt: Stmt, expr: Expr) -> Kind | None:
        """Return the kind of a statement's expression in the group; None while it isn't known."""

    def of(self, version: Version) -> Kind | None:
        if version.kind == "entry":
            parameter = version.sym.storage != "local" or version.sym in self.v.function.syms
            return "uniform" if parameter else "apart"
        return self.kinds.get(version)

    def differs(self, stmt: Stmt, expr: Expr) -> bool:
        """Whether threads that execute a statement may get different values for an expression of it."""
        return same(self.kind(stmt, expr)) == "apart"

    def apart(self, scope: Scope) -> Stmt | None:
        """Return the branch or loop, innermost, at which threads diverge before they reach a body."""
        return self._parting(scope.outwards())

    def _parting(self, scopes: Iterable[Scope]) -> Stmt | None:
        return next((s.owner for s in scopes if s.owner is not None and s.owner in self.parting), None)

    def _set(self, version: Version, kind: Kind | None) -> None:
        found = joined(self.kinds.get(version), kind)
        if found is not None:
            self.kinds[version] = found

    def _look(self, stmt: Stmt) -> None:
        made = self.v.makes.get(stmt, {}).values()
        match stmt:
            case If() | Switch():
                self._decide(stmt)
                for version in made:
                    self._join(version, stmt in self.parting)
            case For() | While() | DoWhile():
                self._decide(stmt)
                body = self.v.inside[stmt][0]
                ways = (self.v.scopes_between(body, self.v.scope_of[b]) for b in own_breaks(body.stmts))
                if any(self._parting(way) is not None for way in ways):
                    self.parting.add(stmt)
                for head in self.v.heads[stmt].values():
                    self._join(head, False)
                for version in made:
                    self._join(version, stmt in self.parting)
            case Declare(sym, init) if isinstance(init, Expr):
                for version in made:
                    self._set(version, self.kind(stmt, init) if version.sym is sym else "apart")
            case Assign(target, value, op):
                whole = value if op is None else Binary(op[:-1], target, value, value.type)
                for version in made:
                    self._set(version, self.kind(stmt, whole) if version.sym is target.sym else "apart")
            case _:
                for version in made:
                    self._set(version, "apart")

    def _decide(self, stmt: Stmt) -> None:
        if stmt in self.even or not any(self.differs(stmt, e) for e in operands(stmt)):
            return
        if not (isinstance(stmt, For) and shifted_loops.even(self.v, stmt, self.differs)):
            self.parting.add(stmt)

    def _join(self, version: Version, parting: bool) -> None:
        if parting:
            self._set(version, "apart")
            return
        for arg in version.args:
            self._set(version, self.of(arg))
