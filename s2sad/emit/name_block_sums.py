"""Name the reductions of a block after their helpers in the file.

total = sum(v)      ->      total = block_sum(v)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ..ir import BLOCK_REDUCTIONS, Call, Expr, Function, Scalar
from ..transform.common.algebra import rewrite
from ..transform.common.symbol_uses import mapped


def name_block_sums(function: Function, totals: Mapping[tuple[str, str], str]) -> Function:
    """Return the function with its reductions named `totals[rule, type]`."""

    def named(e: Expr) -> Expr | None:
        match e:
            case Call(rule=str() as rule, type=Scalar(name=real)) if rule in BLOCK_REDUCTIONS:
                return replace(e, name=totals[rule, real], args=tuple(rewrite(arg, named) for arg in e.args))
            case _:
                return None

    return replace(function, body=tuple(mapped(s, named) for s in function.body)) if totals else function
