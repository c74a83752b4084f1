"""Stores of one value by several threads: which threads store the same value to the same element.

    m = s[0] / n;               every thread of the block; the value is one, and so is the element
    bias = biases[blockIdx.z];

Such races are benign. In the reverse sweep the first thread to come takes the whole adjoint, and
its contributions from there on are those that any of them would make.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from ...ir import Assign, Binary, Cast, Expr, Place, Stmt, Sym, Unary, walk
from ..ssa import operands
from .barrier_intervals import Phases
from .block_uniformity import Uniform
from .butterfly_shuffles import butterfly
from .warp_uniformity import Lanes


@dataclass(frozen=True, eq=False)
class Agreement:
    """The uniform stores of a block, in one function in tail form."""

    uniform: Uniform
    phases: Phases
    survey: Callable[[], Lanes | None] = lambda: None

    @cached_property
    def lanes(self) -> Lanes | None:
        """The uniform values of a warp's lanes, if they exchange anything; seldom needed."""
        return self.survey()

    def in_block(self, store: Assign) -> bool:
        """Whether all threads of a block that execute a store make the same one.

        L23. If each operand of a store is uniform across a block, so are the element and the value. Two
        threads may be in different iterations of a loop without barriers; so in such a loop, all of them
        must go through all iterations that reach the store. And a barrier must separate the store
        from each place that reads the array: unordered, those would race.
        """
        if store.op is not None or any(self.uniform.differs(store, e) for e in operands(store)):
            return False
        readers = self._readers(store.target.sym)
        if any(self.phases.together(reader, store) is not None for reader in readers):
            return False
        meeting = self.phases.loops(store)
        parted = False
        for scope in self.uniform.v.scope_of[store].outwards():
            parted = parted or scope.owner in self.uniform.parting
            if scope.loop is not None and scope.loop not in meeting and parted:
                return False
        return True

    def in_warp(self, store: Assign) -> bool:
        """Whether all lanes of a warp that execute a store make the same one.

        L28. The same as for a block, but for loops: the lanes go through the loops around the store
        together, with barriers in them. It says nothing about the elements of other warps.
        """
        if self.lanes is None or store.op is not None:
            return False
        v = self.lanes.v
        if self.lanes.apart(v.scope_of[store]) is not None:
            return False
        if any(self.lanes.differs(store, e) for e in store.target.index) or not self._same(
            store, store.value
        ):
            return False
        if any(self.phases.together(reader, store) is not None for reader in self._readers(store.target.sym)):
            return False
        return all(loop in self.phases.loops(store) for loop in v.scope_of[store].loops())

    def _same(self, stmt: Stmt, expr: Expr) -> bool:
        """Whether the lanes of a warp have the same value for an expression, up to rounding."""
        assert self.lanes is not None
        if not self.lanes.differs(stmt, expr):
            return True
        match expr:
            case Place(sym, ()):
                version = self.lanes.v.read(stmt, sym)
                if version is None:
                    return False
                if butterfly(self.lanes.v, version, sums=True):
                    return version.stmt not in self.lanes.parting
                return version.made is not None and self._same(*version.made)
            case Unary(_, arg) | Cast(arg, _):
                return self._same(stmt, arg)
            case Binary(_, left, right):
                return self._same(stmt, left) and self._same(stmt, right)
            case _:
                return False

    def _readers(self, array: Sym) -> list[Stmt]:
        """Return the statements that read an array or pass it on."""
        parts = ((s, part) for s in self.uniform.v.order for e in operands(s) for part in walk(e))
        return [s for s, part in parts if isinstance(part, Place) and part.sym is array]
