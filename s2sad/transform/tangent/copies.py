"""Read the original instead of a constant copy of it, as `sincosf` leaves them.

sincosf(s, &sine, &cosine);             sincosf(s, &sine, &cosine);
const float sin_s = sine;         ->    tan_y[i] = cosine * tan_s;
tan_y[i] = cosine * tan_s;              y[i] = sine;
y[i] = sin_s;
"""

from __future__ import annotations

from ...ir import Body, Declare, Place, Scalar, Stmt, rebuilt
from ..common.guard_splitting import with_names
from ..common.mod_ref import written


def without_copies(body: Body) -> Body:
    """The body without the tool's constants that are another variable, which doesn't change after them."""
    out: list[Stmt] = []
    left = body
    while left:
        stmt, left = left[0], left[1:]
        match stmt:
            case Declare(sym, Place(source, (), Scalar())) if (
                sym.const
                and sym.ours
                and sym.type == source.type
                and source.storage == "local"
                and not any(source in written(later) for later in left)
            ):
                left = with_names(left, {sym: source})
            case _:
                out.append(rebuilt(stmt, without_copies))
    return tuple(out)
