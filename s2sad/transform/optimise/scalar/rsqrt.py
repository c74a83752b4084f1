"""Replace `g / sqrtf(x)` by `g * rsqrtf(x)` in derivatives.

    adj_s += 0.5f * g / sqrtf(s);    ->    adj_s += 0.5f * g * rsqrtf(s);

A GPU computes rsqrt in a few instructions, whereas a root and a division take a call each. Its
error is at most two ulp. So only the tool's own expressions are changed: what the author wrote
is recomputed unchanged.
"""

from __future__ import annotations

from ....ir import FLOAT, Binary, Body, Call, Expr
from ...common.algebra import rewrite
from ...common.symbol_uses import own_values

ROOTS = ("sqrt", "sqrtf")


def with_reciprocal_roots(body: Body) -> Body:
    """The body with such products."""
    return tuple(own_values(stmt, _change) for stmt in body)


def _change(e: Expr) -> Expr | None:
    match e:
        case Binary("/", left, Call(name, (under,), rule="sqrt") as root) if name in ROOTS:
            name = "rsqrtf" if root.type == FLOAT else "rsqrt"
            reciprocal = Call(name, (rewrite(under, _change),), root.type, rule="rsqrt")
            return Binary("*", rewrite(left, _change), reciprocal, e.type)
        case _:
            return None
