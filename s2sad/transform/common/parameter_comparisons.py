"""Comparisons of the kernel's integer parameters and the launch's sizes, as polynomials."""

from __future__ import annotations

from collections.abc import Container

from ...analysis.symbolic.inequalities import facts_of
from ...analysis.symbolic.integers import polynomial
from ...analysis.symbolic.polynomials import Atoms, Poly, variable
from ...ir import Binary, Cast, Expr, Place, Scalar, Special, Sym, is_integer


class Comparisons:
    """Polynomials that aren't negative where a comparison holds; the kernel sets what is `changed`."""

    def __init__(self, changed: Container[Sym]) -> None:
        self.changed = changed
        self.atoms = Atoms()

    def of(self, cond: Expr) -> Poly | None:
        match cond:
            case Binary("<" | "<=" | ">" | ">=" as op, left, right) if is_integer(left):
                a, b = self.value(left), self.value(right)
            case _:
                return None
        if a is None or b is None or not _signed(left, right):
            return None
        (fact,) = facts_of(op, a, b)
        return fact

    def value(self, expr: Expr) -> Poly | None:
        """An integer as a polynomial in parameters and sizes; None if there is something else in it."""
        return polynomial(expr, self.named, _keeps)

    def named(self, expr: Expr) -> Poly | None:
        match expr:
            case Place(Sym(storage="parameter" | "global") as sym, (), Scalar() as kind) if (
                kind.is_integer and sym not in self.changed
            ):
                return variable(self.atoms.named(sym, sym.name, "uniform"))
            case Special("blockDim" | "gridDim" as name, axis):
                return variable(self.atoms.named((name, axis), f"{name}.{axis}", "uniform"))
            case _:
                return None


def _keeps(cast: Cast) -> bool:
    """Whether a conversion keeps every value: to a wider type, of the same sign or signed."""
    source, target = cast.arg.type, cast.type
    if not (
        isinstance(source, Scalar) and isinstance(target, Scalar) and source.is_integer and target.is_integer
    ):
        return False
    if source.kind == target.kind:
        return target.size >= source.size
    return source.kind != "signed" and target.kind == "signed" and target.size > source.size


def _signed(*sides: Expr) -> bool:
    """Whether two sides are compared as signed integers."""
    return all(isinstance(e.type, Scalar) and e.type.kind == "signed" for e in sides)
