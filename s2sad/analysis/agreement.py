"""Stores of one value by several threads: which of them store the same, and in the same element.

    m = s[0] / n;               every thread of the block; the value is one, and so is the element
    bias = biases[blockIdx.z];

Such threads race in name only. In the reverse sweep whichever of them comes first takes the
adjoint, all of it, and what that one then owes is what any of them would.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..ir import Assign, DoWhile, For, Place, Stmt, Sym, While, walk
from .phases import Phases
from .uniform import Uniform
from .versions import Scope, operands


@dataclass(frozen=True, eq=False)
class Agreement:
    """What the threads of a block agree on, in one function in tail form."""

    uniform: Uniform
    phases: Phases

    def in_block(self, store: Assign) -> bool:
        """Whether all threads of a block that make a store make the same one.

        L23. Where each operand of a store is the same for all threads of a block, so are the element
        and the value. Two threads may be in different iterations of a loop without barriers; so in
        one, all of them must go through all iterations that get to the store. And a barrier must
        lie between the store and each place that reads the array: unordered, those would race.
        """
        if store.op is not None or any(self.uniform.differs(store, e) for e in operands(store)):
            return False
        readers = self._readers(store.target.sym)
        if any(self.phases.together(reader, store) is not None for reader in readers):
            return False
        meeting = self.phases.loops(store)
        parted = False
        scope: Scope | None = self.uniform.v.scope_of[store]
        while scope is not None:
            parted = parted or scope.owner in self.uniform.parting
            if isinstance(scope.owner, For | While | DoWhile) and scope.owner not in meeting and parted:
                return False
            scope = scope.parent
        return True

    def _readers(self, array: Sym) -> list[Stmt]:
        """The statements in which an array stands for what it holds, or is handed on."""
        parts = ((s, part) for s in self.uniform.v.order for e in operands(s) for part in walk(e))
        return [s for s, part in parts if isinstance(part, Place) and part.sym is array]
