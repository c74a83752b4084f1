"""Which array of the caller has the shape of one that the kernel writes: one with the same indices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..analysis.ssa import loads, operands, targets
from ..ir import INT, Array, Binary, Cast, Expr, If, Place, Program, Scalar, Sym, statements, walk
from ..transform.common.algebra import rewrite


def alike(program: Program, name: str, passed: Sequence[str]) -> str:
    """Return the first of the passed arrays that is read at every index at which `name` is written, else "".

    `y[i] = f(x[i])`: then y needs as many elements as x has, or fewer. An index of an accessor is made of
    its own strides; it is the same as another's if it differs in these only.
    """
    written: set[tuple[Expr, ...]] = set()
    read: dict[str, set[tuple[Expr, ...]]] = {}
    for stmt in statements(program.kernel.body):
        written.update(_index(place) for place in targets(stmt) if _array(place) == name)
        for expr in operands(stmt):
            for place in loads(expr):
                if place.sym.storage == "parameter":
                    read.setdefault(_array(place), set()).add(_index(place))
    return next((other for other in passed if written and written <= read.get(other, set())), "")


def _array(place: Place) -> str:
    """Return the name of an array, or of the accessor whose element this is."""
    sym = place.sym
    return sym.within.name if sym.within is not None and sym.path == ("data_",) else sym.name


def _index(place: Place) -> tuple[Expr, ...]:
    """Return the index of a place, in which its own strides have a name that all accessors share."""
    own = place.sym.within

    def shared(expr: Expr) -> Expr | None:
        if isinstance(expr, Place) and own and expr.sym.within == own and expr.sym.path == ("strides_",):
            return replace(expr, sym=_STRIDES)
        return None

    return tuple(rewrite(expr, shared) for expr in place.index)


_STRIDES = Sym("strides_", Array(INT, (1,)), "parameter")


def guarded(program: Program) -> dict[str, str]:
    """Return the arrays indexed by a variable that a guard keeps below an integer parameter, and that.

    `if (i < n) y[i] = x[i];`: then x and y need at least n elements.
    """
    integers = {sym.name for sym in program.kernel.syms if isinstance(sym.type, Scalar)}
    limits: dict[str, set[str]] = {}
    for stmt in statements(program.kernel.body):
        if isinstance(stmt, If):
            for part in walk(stmt.cond):
                if isinstance(part, Binary) and part.op in ("<", ">="):
                    left, right = _named(part.left), _named(part.right)
                    if left and right in integers:
                        limits.setdefault(left, set()).add(right)
    found: dict[str, str] = {}
    for stmt in statements(program.kernel.body):
        for place in (*targets(stmt), *(place for expr in operands(stmt) for place in loads(expr))):
            limit = limits.get(_named(place.index[0]), set()) if len(place.index) == 1 else set()
            if len(limit) == 1 and place.sym.storage == "parameter":
                found.setdefault(place.sym.name, *limit)
    return found


def _named(expr: Expr) -> str:
    """Return the variable that an expression is; empty if it is more."""
    while isinstance(expr, Cast):
        expr = expr.arg
    return expr.sym.name if isinstance(expr, Place) and not expr.index else ""
