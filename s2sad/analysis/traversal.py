"""Traversal of statements: how control leaves them, and bounds of constant arrays."""

from __future__ import annotations

from collections.abc import Collection
from math import prod
from typing import Literal

from ..ir import (
    Array,
    Block,
    Body,
    Break,
    Const,
    Continue,
    Declare,
    DoWhile,
    Expr,
    For,
    Function,
    If,
    Initialiser,
    Place,
    Return,
    Scalar,
    Stmt,
    Switch,
    Sym,
    Unary,
    While,
    all_parts,
    bodies,
    remembered,
    statements,
)

Leaving = Literal["return", "break", "continue"]


def ends(body: Body) -> bool:
    """Whether every path to the end of a body ends in an exit."""
    match body[-1] if body else None:
        case Break() | Continue() | Return():
            return True
        case If(_, then, other):
            return ends(then) and ends(other)
        case Block(inner):
            return ends(inner)
        case _:
            return False


def leaving(stmt: Stmt, known: dict[Stmt, frozenset[Leaving]]) -> frozenset[Leaving]:
    """Return the exits by which control may leave a statement, without a loop's own `break`."""
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
            for inner in (s for body in bodies(stmt) for s in body):
                exits |= leaving(inner, known)
    if isinstance(stmt, For | While | DoWhile):
        exits -= {"break", "continue"}
    if isinstance(stmt, Switch):
        exits -= {"break"}
    known[stmt] = frozenset(exits)
    return known[stmt]


def numbers(function: Function, changed: Collection[Sym]) -> dict[Sym, tuple[int, int]]:
    """Bound the elements of local arrays that are initialised with literals and never `changed`."""
    found: dict[Sym, tuple[int, int]] = {}
    for stmt in statements(function.body):
        match stmt:
            case Declare(Sym(type=Array(element=Scalar() as element) as kind) as sym, Initialiser(values)):
                known = [_number(v) for v in values]
                given = [v for v in known if v is not None]
                if not element.is_integer or element.size < 4 or sym in changed or len(given) < len(known):
                    continue
                if len(given) < prod(kind.extents):
                    given.append(0)  # elements without an initialiser
                found[sym] = min(given), max(given)
            case _:
                pass
    handed = {e.sym for e in all_parts(*function.body) if isinstance(e, Place) and not e.index}
    return {sym: ends for sym, ends in found.items() if sym not in handed}


def _number(expr: Expr) -> int | None:
    match expr:
        case Const(int() as value):
            return value
        case Unary("-", Const(int() as value)):
            return -value
        case _:
            return None


@remembered
def leaves(stmt: Stmt) -> bool:
    """Whether threads may leave a loop, a switch or the function in a statement."""
    return any(isinstance(s, Return | Break | Continue) for s in statements((stmt,)))
