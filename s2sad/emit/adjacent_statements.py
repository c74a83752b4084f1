"""Merge neighbouring statements of which the tool makes one for each field."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ..ir import (
    Accumulate,
    Assign,
    Body,
    Call,
    Clear,
    Declare,
    Expr,
    For,
    If,
    Place,
    Quote,
    Site,
    Stmt,
    Sym,
    walk,
)
from ..transform.common.symbol_uses import mapped, renaming


def clears(stmt: Stmt) -> tuple[For, Sym, Place] | None:
    """Match a loop of the tool's that clears an array: return the loop, its counter and the target."""
    match stmt:
        case For((Declare(counter),), _, (Assign(),), (Clear(target),), reverses=None):
            return stmt, counter, target
        case _:
            return None


def counting(loop: For, old: Sym, new: Sym) -> For:
    """Return the loop with another counter."""
    made = mapped(loop, renaming({old: new}))
    assert isinstance(made, For)
    return made


def head_of(loop: For) -> tuple[object, ...]:
    """Return the parts that loops must have in common to be merged."""
    declare, step = loop.init[0], loop.step[0]
    assert isinstance(declare, Declare)
    assert isinstance(step, Assign)
    return declare.sym.type, declare.init, loop.cond, step.target, step.value, step.op


def said_once(stmts: Body) -> Body:
    """Drop quotes of a statement that has just been quoted for another field."""
    out: list[Stmt] = []
    last: Stmt | None = None
    for stmt in stmts:
        if isinstance(stmt, Quote):
            if last is not None and _one_place(last, stmt.primal) and not stmt.note:
                continue
            last = stmt.primal
        out.append(stmt)
    return tuple(out)


def guarded_once(stmts: Body) -> Body:
    """Merge consecutive guards with the same condition."""
    out: list[Stmt] = []
    for stmt in stmts:
        last = out[-1] if out else None
        match last, stmt:
            case If(cond, then, ()), If(again, more, ()) if cond == again and not _sets(then, cond):
                assert isinstance(last, If)
                out[-1] = replace(last, then=(*then, *more))
            case _:
                out.append(stmt)
    return tuple(out)


def _sets(body: Body, cond: Expr) -> bool:
    """Whether a body may change the operands of a condition; false only for plainly harmless bodies."""
    read = {e.sym for e in walk(cond) if isinstance(e, Place)}
    for stmt in body:
        match stmt:
            case Accumulate(target) | Clear(target) | Assign(target) if target.sym not in read:
                continue
            case _:
                return True
    return any(isinstance(e, Call) for e in walk(cond))


def _one_place(a: Stmt, b: Stmt) -> bool:
    """Whether two statements are parts of one of the author's."""
    span = getattr(a, "span", None)
    return span is not None and span == getattr(b, "span", None)


def told(stmts: Iterable[Stmt]) -> tuple[Site, ...]:
    """Return the contributions in statements that are written as one."""
    valued = [stmt for stmt in stmts if isinstance(stmt, Declare | Assign)]
    return tuple(dict.fromkeys(site for stmt in valued for site in (*stmt.sites, *stmt.told)))
