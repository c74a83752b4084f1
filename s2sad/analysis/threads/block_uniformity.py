"""Uniformity across a block: values, loops, and whether all threads reach a barrier.

    for (int k0 = 0; k0 < K; k0 += TILE) {      uniform: K is a parameter
        tile[t] = x[k0 + t];
        __syncthreads();                        reached by all, as often
        if (t < 32) { ... }                     threads part here

A value is divergent if it depends on `threadIdx` or on a divergent value, or if the
branch or the loop that defines it is divergent. An element that all threads read at one
index between the same two barriers is one value: the primal has no races. Divergence is
propagated from below to a fixed point; everything not marked then is uniform.
"""

from __future__ import annotations

from ...fixpoint import rounds
from ...ir import (
    COLLECTIVE,
    Array,
    Barrier,
    Call,
    Expr,
    Place,
    Special,
    Stmt,
    Sym,
    collective,
)
from ..atomics import is_drawn
from ..ssa import Versions
from .block_stride_loops import strided
from .uniform_guards import evened
from .uniformity import Kind, Uniformity


class Uniform(Uniformity):
    """The uniformity of one function in tail form, for all threads of a block."""

    def kind(self, stmt: Stmt, expr: Expr) -> Kind:
        return "apart" if self._apart(stmt, expr) else "uniform"

    def _apart(self, stmt: Stmt, expr: Expr) -> bool:
        match expr:
            case Special("threadIdx"):
                return True
            case Call(rule=str(rule)) if rule in COLLECTIVE:
                # A result for the whole block is uniform; a result for a warp may differ between warps.
                return not expr.name.startswith("__syncthreads")
            case Call(callee=str(callee)) if callee not in self.alike:
                return True  # it may depend on its thread
            case Call() if is_drawn(expr):
                return True  # each thread gets another value
            case Place(sym, ()):
                version = self.v.read(stmt, sym)
                return version is not None and self.of(version) == "apart"
            case Place(Sym(type=Array(), storage="local")):
                return True
            case _:
                return any(self._apart(stmt, part) for part in expr.operands)


def uniform(versions: Versions, alike: frozenset[str] = frozenset()) -> Uniform:
    """Analyse uniformity, treating guards around barriers as uniform where the launch can be tested for it.

    Each round treats one more of them as uniform. If one can't be tested, or threads still diverge at it,
    since some leave it from inside, the analysis without guards is returned.
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
    """Return the statements at which a block's threads meet, in order: barriers, and those that count."""
    found: list[Stmt] = []
    for stmt in versions.order:
        call = collective(stmt)
        counts = call is not None and call.name.startswith("__syncthreads")
        if counts or (isinstance(stmt, Barrier) and not stmt.warp):
            found.append(stmt)
    return found
