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
from ....ir import (
    Accumulate,
    Binary,
    Body,
    Exists,
    Expr,
    If,
    Stmt,
    substituted,
)
from ...common.mod_ref import written
from ...common.parameter_comparisons import Comparisons
from ...common.replay import all_of, conjuncts


def drop_declared_conditions(body: Body, requires: Sequence[Binary]) -> Body:
    """The body without the conditions that `requires` implies."""
    if not requires:
        return body
    known = Comparisons({sym for stmt in body for sym in written(stmt)})
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
