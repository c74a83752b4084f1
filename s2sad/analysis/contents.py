"""What statements hold: their expressions, the statements inside, and how control leaves them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, assert_never

from ..ir import (
    Accumulate,
    Assign,
    Banner,
    Barrier,
    Block,
    Break,
    Clear,
    Comment,
    Continue,
    Declare,
    DoWhile,
    Evaluate,
    Expr,
    For,
    Function,
    If,
    Initialiser,
    Quote,
    Record,
    Restore,
    Return,
    Stmt,
    Switch,
    While,
    statements,
    walk,
)

Leaving = Literal["return", "break", "continue"]


def all_expressions(function: Function) -> Iterable[Expr]:
    for stmt in statements(function.body):
        for top in expressions(stmt):
            yield from walk(top)


def expressions(stmt: Stmt) -> tuple[Expr, ...]:
    """The expressions that a statement itself holds."""
    match stmt:
        case Declare(_, init):
            if isinstance(init, Initialiser):
                return init.values
            return () if init is None else (init,)
        case Assign():
            return (stmt.target, stmt.value)
        case Evaluate():
            return (stmt.call,)
        case If() | While() | DoWhile():
            return (stmt.cond,)
        case For():
            return () if stmt.cond is None else (stmt.cond,)
        case Switch():
            return (stmt.selector,)
        case Return():
            return () if stmt.value is None else (stmt.value,)
        case Barrier():
            return () if stmt.mask is None else (stmt.mask,)
        case Block() | Break() | Continue():
            return ()
        case Record() | Restore() | Accumulate() | Clear() | Quote() | Banner() | Comment():
            return ()
        case _:
            assert_never(stmt)


def inside(stmt: Stmt) -> tuple[Stmt, ...]:
    match stmt:
        case If():
            return (*stmt.then, *stmt.other)
        case For():
            return (*stmt.init, *stmt.step, *stmt.body)
        case While() | DoWhile() | Block():
            return stmt.body
        case Switch():
            return tuple(s for case in stmt.cases for s in case.body)
        case _:
            return ()


def leaving(stmt: Stmt, known: dict[Stmt, frozenset[Leaving]]) -> frozenset[Leaving]:
    """The exits by which control may leave a statement; a loop's own `break` isn't one."""
    if stmt in known:
        return known[stmt]
    exits = set[Leaving]()
    match stmt:
        case Return():
            exits.add("return")
        case Break():
            exits.add("break")
        case Continue():
            exits.add("continue")
        case _:
            for inner in inside(stmt):
                exits |= leaving(inner, known)
    if isinstance(stmt, For | While | DoWhile):
        exits -= {"break", "continue"}
    if isinstance(stmt, Switch):
        exits -= {"break"}
    known[stmt] = frozenset(exits)
    return known[stmt]
