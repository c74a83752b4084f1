"""Draw a rule between two sweeps where it helps: in a function that is longer than a screen.

A reader sees the sweeps of a short one at once. Under a guard that ends within the reverse sweep, the rule
would tell only where a part of it begins. A blank line is enough there. A banner that says more than which
sweep begins stays.
"""

from __future__ import annotations

from dataclasses import replace

from ..ir import Banner, Body, Comment, If, Quote, Stmt, statements, substituted

SHORT = 32
"""The most statements of a function whose sweeps are seen at once: with quotes, a screen."""


def with_rules(body: Body) -> Body:
    """Return a function's body, with rules only between sweeps that are long and end where the body does."""
    counted = sum(not isinstance(s, Quote | Comment | Banner) for s in statements(body))
    ruled = set[Stmt]() if counted <= SHORT else _ruled(body)

    def change(stmt: Stmt) -> Body | None:
        return (replace(stmt, rule=stmt in ruled or ":" in stmt.text),) if isinstance(stmt, Banner) else None

    return substituted(body, change)


def _ruled(body: Body) -> set[Stmt]:
    """Return the banners of a body, and of a branch at its end."""
    found: set[Stmt] = {s for s in body if isinstance(s, Banner)}
    if body and isinstance(last := body[-1], If) and not last.other:
        found |= _ruled(last.then)
    return found
