"""What is the same for every thread of a block: values, loops, and who reaches a barrier.

    for (int k0 = 0; k0 < K; k0 += TILE) {      uniform: K is a parameter
        tile[t] = x[k0 + t];
        __syncthreads();                        reached by all, as often
        if (t < 32) { ... }                     threads part here

A value is divergent if it is made of `threadIdx` or of a divergent value, or if the
branch or the loop that it comes out of is. An element that all threads read at one
index between the same two barriers is one value: the primal has no races. Grown from
below, so that what isn't marked at the end is uniform.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ...fixpoint import rounds
from ...ir import (
    COLLECTIVE,
    Array,
    Barrier,
    Call,
    DoWhile,
    Expr,
    For,
    If,
    Place,
    Special,
    Stmt,
    Switch,
    While,
    collective,
    walk,
)
from ..atomics import is_drawn
from ..ssa import Loop, Scope, Version, Versions, operands, own_breaks
from .block_stride_loops import strided
from .uniform_guards import Even, evened


class Uniform:
    """The answers for one function in tail form.

    `alike` are the device functions that give all threads of a block the same for the same arguments;
    `even` are branches that all threads of a block pass alike, since the launch is one in which they do.
    What is divergent and what parts only grows, so there are no more rounds than versions and statements.
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
        self.divergent: set[Version] = set()
        self.parting: set[Stmt] = set()  # branches and loops that threads go through differently
        for _ in rounds(versions.size, "which values are the same for a block", versions.function.span):
            before = len(self.divergent) + len(self.parting)
            for stmt in versions.order:
                self._look(stmt)
            if len(self.divergent) + len(self.parting) == before:
                break

    def apart(self, scope: Scope) -> Stmt | None:
        """The branch or loop, innermost, at which threads part before they reach a body."""
        walk_: Scope | None = scope
        while walk_ is not None:
            if walk_.owner in self.parting:
                return walk_.owner
            walk_ = walk_.parent
        return None

    def _look(self, stmt: Stmt) -> None:
        made = self.v.makes.get(stmt, {}).values()
        differs = any(self.differs(stmt, e) for e in operands(stmt))
        match stmt:
            case If() | Switch():
                if differs and stmt not in self.even:
                    self.parting.add(stmt)
                for version in made:
                    if stmt in self.parting or any(a in self.divergent for a in version.args):
                        self.divergent.add(version)
            case For() | While() | DoWhile():
                apart = differs and stmt not in self.even
                if apart or any(self._between(self.v.scope_of[b], stmt) for b in self._breaks(stmt)):
                    self.parting.add(stmt)
                for head in self.v.heads[stmt].values():
                    if any(a in self.divergent for a in head.args):
                        self.divergent.add(head)
                for version in made:
                    if stmt in self.parting or any(a in self.divergent for a in version.args):
                        self.divergent.add(version)
            case _:
                if differs:
                    self.divergent.update(made)

    def _breaks(self, loop: Loop) -> list[Stmt]:
        return list(own_breaks(self.v.inside[loop][0].stmts))

    def _between(self, scope: Scope, loop: Loop) -> bool:
        """Whether threads part between a loop's head and a body inside it."""
        walk_: Scope | None = scope
        while walk_ is not None and walk_.owner is not loop:
            if walk_.owner in self.parting:
                return True
            walk_ = walk_.parent
        return False

    def differs(self, stmt: Stmt, expr: Expr) -> bool:
        """Whether threads of a block that are at a statement may get different values there."""
        reads = self.v.reads.get(stmt, {})
        if isinstance(expr, Call) and expr.rule in COLLECTIVE:
            # What the whole block says is the same for all; what a warp says needn't be.
            return not expr.name.startswith("__syncthreads")
        for part in walk(expr):
            match part:
                case Special("threadIdx"):
                    return True
                case Call(callee=str(callee)) if callee not in self.alike:
                    return True  # it may ask for its thread
                case Call() if is_drawn(part):
                    return True  # each thread gets another value
                case Place(sym, index):
                    if index:
                        if isinstance(sym.type, Array) and sym.storage == "local":
                            return True
                    elif reads.get(sym) in self.divergent:
                        return True
                case _:
                    pass
        return False


def uniform(versions: Versions, alike: frozenset[str] = frozenset()) -> Uniform:
    """The same, with guards around barriers taken for even where the launch can be tested for it.

    Each round takes one more of them for even; one at which threads part all the same, since some leave
    it from inside, isn't taken twice.
    """
    plain = found = Uniform(versions, alike)
    for _ in rounds(len(versions.order), "which guards a launch passes alike", versions.function.span):
        parting = (found.apart(versions.scope_of[barrier]) for barrier in meetings(versions))
        at = next((stmt for stmt in parting if stmt is not None), None)
        if at is None:
            return found
        tested = evened(versions, at, "block", found.differs, strided=strided)
        if tested is None or at in found.even:
            return plain
        found = Uniform(versions, alike, {**found.even, at: tested})
    raise AssertionError(at)


def meetings(versions: Versions) -> list[Stmt]:
    """Where all threads of the block meet, in order: at barriers, and where they count."""
    found: list[Stmt] = []
    for stmt in versions.order:
        call = collective(stmt)
        counts = call is not None and call.name.startswith("__syncthreads")
        if counts or (isinstance(stmt, Barrier) and not stmt.warp):
            found.append(stmt)
    return found
