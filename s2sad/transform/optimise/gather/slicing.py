"""The slice of a built body that some of its statements need.

By symbols, flow-insensitively: it keeps everything that sets a needed variable or array,
with the enclosing branches and loops and the barriers in between.
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
    For,
    Quote,
    Stmt,
    Sym,
    bodies,
    expressions,
    rebuilt,
    statements,
)
from ...common.mod_ref import sets
from ...common.symbol_uses import in_expr


class NotTogether(Exception):
    """A barrier would be left where not all threads are known to come."""


def used(stmt: Stmt) -> Iterator[Sym]:
    """The symbols used in a statement's own expressions, and in a loop's header."""
    heads = (*stmt.init, *stmt.step) if isinstance(stmt, For) else ()
    for each in (stmt, *heads):
        for expr in expressions(each):
            yield from in_expr(expr)


def sliced(body: Body, roots: Collection[Stmt], wanted: Iterable[Sym] = ()) -> Body:
    """The statements of a body that the roots need, and those that define the `wanted` symbols.

    Loops and branches without any are removed; one barrier replaces those in them. Raises NotTogether.
    """
    held = list(_held(body, ()))
    keep = set(roots)
    needed = set(wanted)
    for stmt, around in held:
        if stmt in keep:
            needed |= {sym for s in (stmt, *around) for sym in used(s)}
    for _ in rounds(len(held), "what a slice needs"):  # the slice only grows
        grown = len(keep)
        for stmt, around in held:
            if stmt not in keep and sets(stmt) & needed:
                keep.add(stmt)
                needed |= {sym for s in (stmt, *around) for sym in used(s)}
        if grown == len(keep):
            break
    return _kept(body, keep)


def _held(body: Body, around: tuple[Stmt, ...]) -> Iterator[tuple[Stmt, tuple[Stmt, ...]]]:
    """Each leaf statement, with the statements around it."""
    for stmt in body:
        if isinstance(stmt, For):
            yield from _held(stmt.body, (*around, stmt))
        elif inner := bodies(stmt):
            for part in inner:
                yield from _held(part, (*around, stmt))
        elif not isinstance(stmt, Quote | Comment | Banner | Barrier):
            yield stmt, around


def _kept(body: Body, keep: set[Stmt], together: bool = True) -> Body:
    """`together`: all threads of the block reach the body."""
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
