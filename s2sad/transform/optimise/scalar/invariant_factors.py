"""Multiply the factors that a loop doesn't change first, so that a compiler computes their product once.

    for (int j = 0; j < d; ++j)                            for (int j = 0; j < d; ++j)
        adj_c[j] += -2.0f * difference * adj_s;    ->          adj_c[j] += -2.0f * adj_s * difference;

A chain of partials ends in the adjoint that it passes on, which a loop often doesn't change. No compiler
reorders floating factors, so it would multiply twice in each iteration. Only the tool's own products are
reordered, whose order it chose; what the author wrote as a product is one factor. The order of the others
stays, and so does a product with a single factor that the loop doesn't change: nothing would be saved.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from ....analysis.ssa import Loop
from ....ir import Accumulate, Assign, Binary, Body, Cast, Const, Declare, Expr, Stmt, Sym, Unary, rebuilt
from ...common.algebra import rewrite
from ...common.mod_ref import sets
from ...common.symbol_uses import own_values
from .fold_literals import is_product, own_factors


def invariant_factors(body: Body, changed: frozenset[Sym] | None = None) -> Body:
    """The body with such products reordered; `changed`: what the loop around it sets, None without one."""
    return tuple(_in_stmt(stmt, changed) for stmt in body)


def _in_stmt(stmt: Stmt, changed: frozenset[Sym] | None) -> Stmt:
    match stmt:
        case Accumulate() | Declare() | Assign():
            return stmt if changed is None else own_values(stmt, _Reordered(changed))
        case _:
            inside = sets(stmt) if isinstance(stmt, Loop) else changed
            return rebuilt(stmt, partial(invariant_factors, changed=inside))


@dataclass(frozen=True)
class _Reordered:
    changed: frozenset[Sym]

    def __call__(self, expr: Expr) -> Expr | None:
        if not is_product(expr):
            return None
        factors = tuple(own_factors(expr))
        fixed = sorted((f for f in factors if f.symbols.isdisjoint(self.changed)), key=_rank)
        free = [f for f in factors if not f.symbols.isdisjoint(self.changed)]
        if len(fixed) < 2 or not free or _rank(fixed[-1]) == 0 or _rank(fixed[0]) == _CONVERTED:
            return None
        if any(f.type != expr.type for f in factors) or _together(factors, fixed):
            return None
        match fixed[0], free[0]:
            case Const(value) as first, Unary("-", arg, origin="tool") if value > 0:
                fixed[0], free[0] = Unary("-", first, expr.type), arg
            case _:
                pass
        whole = fixed[0]
        for factor in (*fixed[1:], *free):
            whole = Binary("*", whole, rewrite(factor, self), expr.type)
        return whole


_CONVERTED = 2


def _rank(factor: Expr) -> int:
    """Literals come first, and what C converts last: two integers would be multiplied as integers."""
    magnitude = factor.arg if isinstance(factor, Unary) and factor.op == "-" else factor
    if isinstance(magnitude, Const):
        return 0
    return _CONVERTED if isinstance(magnitude, Cast) and magnitude.implicit else 1


def _together(factors: Sequence[Expr], fixed: Sequence[Expr]) -> bool:
    """Whether the fixed factors are first already."""
    return all(any(f is g for g in fixed) for f in factors[: len(fixed)])
