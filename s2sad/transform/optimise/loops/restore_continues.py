"""End an iteration early where the rest of it is under a condition, as the author's `continue` does.

    for (…) {                               for (…) {
        float power = …;                        float power = …;
        if (!(power > 0.0f)) {                  if (power > 0.0f)
            float alpha = …;         ->             continue;
            …                                   float alpha = …;
        }                                       …
    }                                       }

The analyses have branches in place of jumps. Only a condition that is negated as a whole becomes a jump
again, and only if more than two statements are under it.
"""

from __future__ import annotations

from dataclasses import replace

from ....ir import Banner, Body, Comment, Continue, DoWhile, For, If, Quote, Stmt, Unary, While, rebuilt

_FEW = 2


def restore_continues(body: Body) -> Body:
    """The body with such jumps."""
    return tuple(_visited(stmt) for stmt in body)


def _visited(stmt: Stmt) -> Stmt:
    new = rebuilt(stmt, restore_continues)
    if not isinstance(new, For | While | DoWhile):
        return new
    flat = _flat(new.body)
    return new if flat is new.body else replace(new, body=flat)


def _flat(body: Body) -> Body:
    """An iteration, whose last statement may be such a branch."""
    match body:
        case (*before, If(Unary("!", cond), then, (), span)) if _count(then) > _FEW:
            return (*before, If(cond, (Continue(),), (), span), *_flat(then))
        case _:
            return body


def _count(body: Body) -> int:
    return sum(not isinstance(stmt, Quote | Comment | Banner) for stmt in body)


__all__ = ["restore_continues"]
