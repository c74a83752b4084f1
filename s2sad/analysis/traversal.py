"""What statements hold: their expressions, the statements inside, and how control leaves them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from math import prod
from typing import Literal, assert_never

from ..ir import (
    Accumulate,
    Array,
    Assign,
    Banner,
    Barrier,
    Block,
    Break,
    Clear,
    Comment,
    Const,
    Continue,
    Declare,
    DoWhile,
    Evaluate,
    Expr,
    For,
    Function,
    If,
    Initialiser,
    Place,
    Quote,
    Record,
    Restore,
    Return,
    Scalar,
    Stmt,
    Switch,
    Sym,
    Unary,
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


def numbers(function: Function, changed: Collection[Sym]) -> dict[Sym, tuple[int, int]]:
    """The ends between which the elements of local arrays lie that are literals, and never `changed`."""
    found: dict[Sym, tuple[int, int]] = {}
    for stmt in statements(function.body):
        match stmt:
            case Declare(Sym(type=Array(element=Scalar() as element) as kind) as sym, Initialiser(values)):
                known = [_number(v) for v in values]
                given = [v for v in known if v is not None]
                if not element.is_integer or element.size < 4 or sym in changed or len(given) < len(known):
                    continue
                if len(given) < prod(kind.extents):
                    given.append(0)  # what the literals leave out
                found[sym] = min(given), max(given)
            case _:
                pass
    handed = {e.sym for e in all_expressions(function) if isinstance(e, Place) and not e.index}
    return {sym: ends for sym, ends in found.items() if sym not in handed}


def _number(expr: Expr) -> int | None:
    match expr:
        case Const(int() as value):
            return value
        case Unary("-", Const(int() as value)):
            return -value
        case _:
            return None
