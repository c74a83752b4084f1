"""The part of a built body that some of its statements need, and nothing else of it.

By symbols, whoever sets them and wherever: what stays is all that sets a variable or an array
that is needed, with the branches and loops around it and the barriers between.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import partial

from ....fixpoint import rounds
from ....ir import (
    Banner,
    Barrier,
    Body,
    Comment,
    Declare,
    For,
    Quote,
    Stmt,
    Sym,
    bodies,
    expressions,
    rebuilt,
    statements,
)
from ...common.mod_ref import written
from ...common.symbol_uses import in_expr


class NotTogether(Exception):
    """A barrier would be left where it isn't known that all threads come."""


def sets(stmt: Stmt) -> frozenset[Sym]:
    """What a statement sets, what is declared in it included."""
    declared = (s.sym for s in statements((stmt,)) if isinstance(s, Declare))
    return written(stmt) | frozenset(declared)


def used(stmt: Stmt) -> Iterator[Sym]:
    """What a statement's own expressions use, and those of a loop's head."""
    heads = (*stmt.init, *stmt.step) if isinstance(stmt, For) else ()
    for each in (stmt, *heads):
        for expr in expressions(each):
            yield from in_expr(expr)


def sliced(body: Body, roots: Collection[Stmt], wanted: Iterable[Sym] = ()) -> Body:
    """The statements of a body that these need, and those that say what these symbols are.

    Loops and branches without any are left out; a barrier stays for those in them. Raises NotTogether.
    """
    held = list(_held(body, ()))
    keep = set(roots)
    needed = set(wanted)
    for stmt, around in held:
        if stmt in keep:
            needed |= {sym for s in (stmt, *around) for sym in used(s)}
    for _ in rounds(len(held), "what a slice needs"):  # what it keeps only grows
        grown = len(keep)
        for stmt, around in held:
            if stmt not in keep and sets(stmt) & needed:
                keep.add(stmt)
                needed |= {sym for s in (stmt, *around) for sym in used(s)}
        if grown == len(keep):
            break
    return _kept(body, keep)


def _held(body: Body, around: tuple[Stmt, ...]) -> Iterator[tuple[Stmt, tuple[Stmt, ...]]]:
    """Each statement that holds no others, and those around it."""
    for stmt in body:
        if isinstance(stmt, For):
            yield from _held(stmt.body, (*around, stmt))
        elif inner := bodies(stmt):
            for part in inner:
                yield from _held(part, (*around, stmt))
        elif not isinstance(stmt, Quote | Comment | Banner | Barrier):
            yield stmt, around


def _kept(body: Body, keep: set[Stmt], together: bool = True) -> Body:
    """`together`: all threads of the block come to the body."""
    out: list[Stmt] = []
    said: list[Stmt] = []
    for stmt in body:
        match stmt:
            case Quote():
                said = [stmt]
            case Comment() | Banner():
                said.append(stmt)
            case Barrier():
                out.append(stmt)
            case _ if any(s in keep for s in statements((stmt,))):
                mine = isinstance(stmt, For) and any(isinstance(s, Barrier) for s in stmt.body)
                inner = partial(_kept, keep=keep, together=together and mine)
                out += [*said, stmt if stmt in keep else rebuilt(stmt, inner)]
                said = []
            case _ if any(isinstance(s, Barrier) for s in statements((stmt,))):
                if not together:
                    raise NotTogether
                out.append(Barrier())
            case _:
                pass
    return tuple(out)
