"""Which iterations a loop runs, by its literals; or under which condition it runs any."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from ...analysis.constants import COMPARED, FLIPPED, exact, literal
from ...ir import BOOL, Assign, Binary, Const, Declare, DoWhile, Expr, For, Place, Scalar, Sym
from .algebra import converted, is_const, rewrite
from .jumps import exits
from .mod_ref import written


def runs_once(loop: For) -> Expr:
    """The condition under which a loop that has `iterations` runs one."""
    (first,) = loop.init
    assert isinstance(first, Declare)
    assert isinstance(first.init, Expr)
    assert loop.cond is not None
    start = converted(first.init, first.sym.type)
    cond = rewrite(loop.cond, lambda e: start if isinstance(e, Place) and e.sym is first.sym else None)
    match cond:
        case Binary(">=", Binary("-", size, Const(int() as by), Scalar(kind="signed") as kind), end) if (
            size.type == end.type and by > 0
        ):
            if by == 1:
                return Binary(">", size, end, BOOL)
            if is_const(end, 0):
                return Binary(">", size, Const(by - 1, kind), BOOL)
            return cond
        case Binary(op, Const(), end) if op in FLIPPED and not isinstance(end, Const):
            return replace(cond, op=FLIPPED[op], left=end, right=cond.left)
        case _:
            return cond


def surely_runs(loop: For) -> bool:
    """Whether a loop runs at least one iteration: by literals, or as the loop that it reverses."""
    match loop.reverses:
        case DoWhile(body) if not any(map(exits, body)):
            return True
        case For(body=body) as primal if not any(map(exits, body)) and _enters(primal):
            return True
        case _:
            return _enters(loop)


def _enters(loop: For) -> bool:
    match loop:
        case For((Declare(own, init),), Binary("<" | ">" | "<=" | ">=" as op, Place(sym, ()), end)):
            start = literal(init) if isinstance(init, Expr) else None
            stop = literal(end)
            if sym is not own or start is None or stop is None:
                return False
            return {"<": start < stop, ">": start > stop, "<=": start <= stop, ">=": start >= stop}[op]
        case _:
            return False


MOST = 1024
"""Iterations that are followed one by one."""


def value_at(expr: Expr, at: Mapping[Sym, int]) -> int | None:
    """An integer at the counters' values."""

    def change(part: Expr) -> Expr | None:
        match part:
            case Place(sym, (), Scalar() as kind) if sym in at:
                return Const(at[sym], kind)
            case _:
                return None

    return exact(rewrite(expr, change))


def literal_counts(loop: For, at: Mapping[Sym, int] = MappingProxyType({})) -> tuple[Sym, list[int]] | None:
    """The counter of a loop and its values, if they are known and each iteration is a whole one."""
    match loop:
        case For((Declare(counter, init),), Binary(op) as cond, (Assign(Place(moved, ()), value, step),)) if (
            moved is counter
            and op in COMPARED
            and isinstance(counter.type, Scalar)
            and isinstance(init, Expr)
        ):
            pass
        case _:
            return None
    if any(counter in written(s) or exits(s) for s in loop.body):
        return None
    found: list[int] = []
    now = value_at(init, at)
    while now is not None:
        here = {**at, counter: now}
        left, right = value_at(cond.left, here), value_at(cond.right, here)
        if left is None or right is None:
            return None
        if not COMPARED[op](left, right):
            return counter, found
        found.append(now)
        if len(found) > MOST:
            return None
        by = value_at(value, here)
        now = None if by is None else now + by if step == "+=" else now - by if step == "-=" else None
        if step is None:
            now = by
    return None
