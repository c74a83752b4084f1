"""Say above the loops over strips what they are for."""

from __future__ import annotations

from collections.abc import Container

from ...ir import Body, Comment, For, LoopId, Stmt, rebuilt

FORWARD = "keep the state at the beginning of each strip of iterations"
REVERSE = "run each strip again, from the state kept at its beginning, and record it"


def with_strips_explained(body: Body, outermost: Container[LoopId]) -> Body:
    """The body with a comment on each loop over the longest strips, and on its reverse."""
    out: list[Stmt] = []
    for stmt in body:
        inner = rebuilt(stmt, lambda b: with_strips_explained(b, outermost))
        if isinstance(inner, For):
            if isinstance(inner.reverses, For) and inner.reverses.id in outermost:
                out.append(Comment(REVERSE))
            elif inner.reverses is None and inner.id in outermost:
                out.append(Comment(FORWARD))
        out.append(inner)
    return tuple(out)
