"""Remove guards by what the user declares of the kernel's integers.

    --assume range:0<n

    if (n > 0)
        block_add(adj_w, adj_w_sum);      ->      block_add(adj_w, adj_w_sum);

The check of the launch tests it, so it holds where anything else runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from ....analysis.symbolic.inequalities import holds
from ....analysis.symbolic.integers import polynomial
from ....analysis.symbolic.polynomials import ONE, Atoms, Poly, variable
from ....ir import (
    Accumulate,
    Binary,
    Body,
    Exists,
    Expr,
    If,
    Place,
    Scalar,
    Special,
    Stmt,
    Sym,
    is_integer,
    substituted,
)
from ...common.mod_ref import written
from ...common.replay import conjuncts
from ..gather.block_sums import all_of


def drop_declared_conditions(body: Body, requires: Sequence[Binary]) -> Body:
    """The body without the conditions that `requires` implies."""
    if not requires:
        return body
    known = _Known(body)
    facts = [p for cond in requires if (p := known.of(cond)) is not None]

    def kept(conds: Iterable[Expr]) -> tuple[Expr, ...]:
        return tuple(c for c in conds if (p := known.of(c)) is None or not holds(p, facts, known.atoms))

    def change(stmt: Stmt) -> Body | None:
        match stmt:
            case If(cond, then, ()):
                conds = tuple(conjuncts(cond))
                left = kept(conds)
                if len(left) == len(conds):
                    return None
                inner = substituted(then, change)
                return (replace(stmt, cond=all_of(left), then=inner),) if left else inner
            case Accumulate(exists=Exists(when, always)):
                left = kept(when)
                return None if left == when else (replace(stmt, exists=Exists(left, always or not left)),)
            case _:
                return None

    return substituted(body, change)


class _Known:
    """Comparisons of integers that never change, as polynomials that aren't negative where they hold."""

    def __init__(self, body: Body) -> None:
        self.changed = {sym for stmt in body for sym in written(stmt)}
        self.atoms = Atoms()

    def of(self, cond: Expr) -> Poly | None:
        match cond:
            case Binary("<" | "<=" | ">" | ">=" as op, left, right) if is_integer(left):
                a, b = polynomial(left, self.named), polynomial(right, self.named)
            case _:
                return None
        if a is None or b is None or not _signed(left, right):
            return None
        return {"<": b - a - ONE, "<=": b - a, ">": a - b - ONE, ">=": a - b}[op]

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


def _signed(*sides: Expr) -> bool:
    """Whether two sides are compared as signed integers."""
    return all(isinstance(e.type, Scalar) and e.type.kind == "signed" for e in sides)
