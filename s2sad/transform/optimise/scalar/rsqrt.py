"""What a derivative divides by a root is multiplied by the root's reciprocal.

    adj_s += 0.5f * g / sqrtf(s);    ->    adj_s += 0.5f * g * rsqrtf(s);

A GPU computes it in one instruction and a few, where a root and a division take a call each. It is
off by two units in the last place at most. So only what the tool makes is changed: what the author
wrote is computed again as it was.
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
