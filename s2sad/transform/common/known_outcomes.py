"""Simplify statements by conditions whose outcome is known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ...ir import BOOL, Binary, Body, Cast, Expr, If, Select, Stmt, Unary, bodies, rebuilt
from .algebra import rewrite
from .symbol_uses import mapped

Truth = Callable[[Expr], bool | None]
"""The outcome of a comparison, if it is known."""


def opposite(truth: Truth) -> Truth:
    def other(cond: Expr) -> bool | None:
        known = truth(cond)
        return None if known is None else not known

    return other


def _outcome(cond: Expr, truth: Truth) -> bool | Expr:
    """What a condition comes to, or what is left of it."""
    match cond:
        case Binary("&&" | "||" as op, left, right):
            a, b = _outcome(left, truth), _outcome(right, truth)
            ends = op == "||"
            if a is ends or b is ends:
                return ends
            if isinstance(a, bool):
                return b
            if isinstance(b, bool):
                return a
            return cond if a is left and b is right else Binary(op, a, b, BOOL)
        case Unary("!", arg):
            inner = _outcome(arg, truth)
            if isinstance(inner, bool):
                return not inner
            return cond if inner is arg else replace(cond, arg=inner)
        case Cast(arg) if arg.type == BOOL:
            return _outcome(arg, truth)
        case _:
            known = truth(cond)
            return cond if known is None else known


def decided(body: Body, truth: Truth) -> Body:
    """The body without the choices whose condition has a known outcome."""

    def change(e: Expr) -> Expr | None:
        if not isinstance(e, Select):
            return None
        then, other = rewrite(e.then, change), rewrite(e.other, change)
        match _outcome(e.cond, truth):
            case True:
                return then
            case False:
                return other
            case cond:
                if cond is e.cond and then is e.then and other is e.other:
                    return e
                return replace(e, cond=cond, then=then, other=other, spelling=None, macro=None)

    out: list[Stmt] = []
    for stmt in body:
        if isinstance(stmt, If):
            then, other = decided(stmt.then, truth), decided(stmt.other, truth)
            match _outcome(stmt.cond, truth):
                case True:
                    out += then
                case False:
                    out += other
                case cond:
                    out.append(replace(stmt, cond=rewrite(cond, change), then=then, other=other))
        else:
            new = rebuilt(stmt, lambda b: decided(b, truth))
            out.append(new if bodies(new) else mapped(new, change))
    return tuple(out)
