"""Group the statements of a body, and order those of a group so that packs are together.

Only dependences forbid an order: a statement that reads what another sets stays on its side of it. Additions
to one place may be made in any order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ...ir import (
    Accumulate,
    Assign,
    Call,
    Clear,
    Declare,
    Place,
    Pointer,
    Quote,
    Record,
    Restore,
    Stmt,
    Sym,
    collective,
    expressions,
    walk,
)
from ...transform.common.mod_ref import meets
from .lanes import PLAIN

_MOST = 240
"""Statements of one quote among which packs are looked for: the dependences are compared in pairs."""


@dataclass(frozen=True)
class Pack:
    """Statements to be made neighbours, in this order; `made` replaces them, if it is there."""

    members: Sequence[Stmt]
    made: Sequence[Stmt] = ()

    @property
    def stmts(self) -> Sequence[Stmt]:
        return self.made or self.members


def groups(stmts: Iterable[Stmt]) -> Iterator[list[Stmt]]:
    """Split a body: a group is what follows one quote, without control flow and without calls that write."""
    group: list[Stmt] = []
    for stmt in stmts:
        if isinstance(stmt, Quote) or not is_simple(stmt):
            if group:
                yield group
            group = []
            yield [stmt]
        else:
            group.append(stmt)
            if len(group) == _MOST:
                yield group
                group = []
    if group:
        yield group


def is_simple(stmt: Stmt) -> bool:
    """Whether a statement only reads and sets variables, alone and without control flow."""
    match stmt:
        case Declare() | Assign() | Clear() | Record() | Restore():
            pass
        case Accumulate(how=how) if how in PLAIN:
            pass
        case _:
            return False
    if meets(stmt) or collective(stmt) is not None:
        return False
    parts = [e for expr in expressions(stmt) for e in walk(expr)]
    if any(isinstance(e, Place) and _is_numbers(e.sym) for e in parts):
        return False
    return not any(
        e.outputs or any(isinstance(arg.type, Pointer) for arg in e.args)
        for e in parts
        if isinstance(e, Call)
    )


def dependences(stmts: Sequence[Stmt]) -> list[tuple[int, int]]:
    """Return the pairs of statements, by position, that must keep their order."""
    return [(i, k) for k, later in enumerate(stmts) for i in range(k) if _depend(stmts[i], later)]


def order(
    stmts: Sequence[Stmt], edges: Iterable[tuple[int, int]], packs: Sequence[Pack]
) -> list[Stmt] | None:
    """Return the statements with those of each pack together; None if what they read and write forbids it."""
    place = {id(stmt): k for k, stmt in enumerate(stmts)}
    node = list(range(len(stmts)))
    members: dict[int, list[Stmt]] = {k: [stmt] for k, stmt in enumerate(stmts)}
    for pack in packs:
        places = [place[id(stmt)] for stmt in pack.members]
        start = min(places)
        for k in places:
            node[k] = start
            del members[k]
        members[start] = list(pack.stmts)
    before: dict[int, set[int]] = {k: set() for k in members}
    for i, k in edges:
        if node[i] != node[k]:
            before[node[k]].add(node[i])
        elif not _in_one(stmts[i], stmts[k]):
            return None
    out: list[Stmt] = []
    while before:
        chosen = next((k for k in sorted(before) if not before[k] & before.keys()), None)
        if chosen is None:
            return None
        del before[chosen]
        out += members[chosen]
    return out


def _in_one(earlier: Stmt, later: Stmt) -> bool:
    """Whether statements of a pack that depend on each other make one sum, the first of them declaring it."""
    return (
        isinstance(later, Accumulate)
        and isinstance(earlier, Declare | Assign)
        and later.target.sym is sets(earlier)
    )


def _depend(earlier: Stmt, later: Stmt) -> bool:
    """Whether two statements must keep their order. Additions to one place may be made in any."""
    if isinstance(earlier, Accumulate) and isinstance(later, Accumulate):
        return earlier.target.sym in _read(later) or later.target.sym in _read(earlier)
    first, second = sets(earlier), sets(later)
    return first in _read(later) or second in _read(earlier) or first is second


def _is_numbers(sym: Sym) -> bool:
    """Whether an array is the numbers in a variable of structs, or their adjoints: its fields, too."""
    of = sym if sym.within is not None or sym.of is None else sym.of
    return of.within is not None and not of.path


def sets(stmt: Stmt) -> Sym:
    """Return the variable or the array that a simple statement sets."""
    match stmt:
        case Declare(sym):
            return sym
        case Assign(target) | Accumulate(target) | Clear(target) | Record(target) | Restore(target):
            return target.sym
        case _:
            raise TypeError(stmt)


def _read(stmt: Stmt) -> frozenset[Sym]:
    """Return what a statement reads besides the place that it adds to."""
    match stmt:
        case Accumulate(target, amount):
            return amount.symbols.union(*(i.symbols for i in target.index))
        case Assign(target, value, op):
            own = frozenset({target.sym}) if op is not None else frozenset()
            return value.symbols.union(own, *(i.symbols for i in target.index))
        case Record(target, value) | Restore(target, value):
            return value.symbols.union(*(i.symbols for i in target.index))
        case Clear(target):
            return frozenset[Sym]().union(*(i.symbols for i in target.index))
        case _:
            return frozenset(sym for expr in expressions(stmt) for sym in expr.symbols)
