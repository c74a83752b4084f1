"""What the adjoint relies on of its launch, asked when it starts.

    // For a 1-D launch, as it was declared; any other gets NaN.
    if (gridDim.y * gridDim.z * blockDim.y * blockDim.z != 1) {
        adj_x[0] = 0.0f / 0.0f;
        return;
    }

A launch that isn't as declared would get sums of which some terms are lost, or twice
there: plausible numbers. So it gets none: the first element of each adjoint that is
owed says that something is wrong. All threads of the launch decide alike.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from ..ir import BOOL, INT, UINT, Assign, Binary, Comment, Const, Expr, If, Place, Return, Special, Stmt
from ..options import Assumption
from .algebra import real

WARP = 32


def tested(assumed: Iterable[Assumption], whole_warps: bool, owed: Iterable[Place]) -> list[Stmt]:
    """The test of what was declared; `whole_warps`: that a block's rows are whole warps.

    `owed` are the first elements of the adjoints that the kernel writes.
    """
    words: list[str] = []
    wrong: list[Expr] = []
    dimensions = min((int(a.what[0]) for a in assumed if a.kind == "launch"), default=3)
    if dimensions < 3:
        words.append(f"a {dimensions}-D launch, as it was declared")
        wrong.append(Binary("!=", _size("xyz"[dimensions:]), Const(1, INT), BOOL))
    if whole_warps:
        words.append("rows of whole warps, as the primal exchanges values among them")
        rest = Binary("%", Special("blockDim", "x"), Const(WARP, INT), UINT)
        wrong.append(Binary("!=", rest, Const(0, INT), BOOL))
    if not wrong:
        return []
    cond = wrong[0] if len(wrong) == 1 else Binary("||", wrong[0], wrong[1], BOOL)
    marks = tuple(Assign(place, real(math.nan, place.type)) for place in owed)
    return [Comment(f"For {' and '.join(words)}; any other gets NaN."), If(cond, (*marks, Return()))]


def _size(axes: str) -> Expr:
    """How many threads there are along some axes of the launch."""
    parts: list[Expr] = [Special(name, axis) for name in ("gridDim", "blockDim") for axis in axes]
    value = parts[0]
    for part in parts[1:]:
        value = Binary("*", value, part, UINT)
    return value
