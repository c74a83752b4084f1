"""Where the adjoints of several seeds are: side by side, like the tangents of several directions.

float *adj_x           ->    float (*adj_x)[8]           adj_x[i][seed]
float3 *adj_p          ->    float3 *adj_p               adj_p[8 * (long long)i + seed].x
float *adj_a           ->    float *adj_a                adj_a[seed]      (of a number by value)
float adj_s            ->    float adj_s[8]              adj_s[seed]
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ...fields import by_value, is_held
from ...ir import INT, Array, Binary, Const, Expr, Pointer, Scalar, Struct, Sym, scalar_type
from ..common.algebra import converted
from ..tangent.layouts import Layout, Several, holds, laid, refused

SEEDS = Several("seeds", "launch a kernel of one seed several times")


def laid_adjoint(sym: Sym, count: int, *, apart: bool) -> Layout:
    """Lay out an adjoint; `apart`: each field's is a parameter of its own. Raises Rejected."""
    of = sym.of
    if of is not None and sym.storage == "parameter" and isinstance(sym.type, Pointer):
        if of.within is not None and not apart:
            if not of.path:
                raise refused(sym, "a struct that is read as numbers", SEEDS)
            if isinstance(of.type, Scalar) and isinstance(of.within.type, Struct) and holds(of.within.type):
                raise refused(sym, "a number beside pointers in a struct passed by value", SEEDS)
            if isinstance(of.type, Pointer) and by_value(of) and not is_held(of):
                raise refused(sym, "an array in a struct passed by value", SEEDS)
            return Layout(sym, count, "scaled")  # of each struct: its fields aren't adjacent
        if isinstance(of.type, Scalar):
            return Layout(sym, count, "only")
    return laid(replace(sym, within=None, path=()), count, several=SEEDS)


@dataclass(frozen=True)
class _Flat(Layout):
    """An array of the thread's own of few numbers: its indices fit into any integer."""

    def index(self, index: tuple[Expr, ...], direction: Expr) -> tuple[Expr, ...]:
        (at,) = index
        if isinstance(at, Const):
            first: Expr = Const(int(at.value) * self.count, INT)
        else:
            first = Binary("*", Const(self.count, scalar_type(at)), at, scalar_type(at))
        return (Binary("+", first, converted(direction, first.type), first.type),)


def flat(sym: Sym, count: int) -> Layout:
    """Lay out the sums that a block adds up in one call: numbers without rows."""
    assert isinstance(sym.type, Array)
    made = replace(sym, type=Array(sym.type.element, (sym.type.elements * count,)))
    return _Flat(made, count, "scaled")
