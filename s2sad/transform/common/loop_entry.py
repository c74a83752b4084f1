"""Whether a loop runs at least one iteration: by its literals, or under which condition."""

from __future__ import annotations

from dataclasses import replace

from ...analysis.constants import FLIPPED, literal
from ...ir import BOOL, Binary, Const, Declare, DoWhile, Expr, For, Place, Scalar
from .algebra import converted, is_const, rewrite
from .jumps import exits


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
