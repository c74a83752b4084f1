"""Rows of threads and their loops: the queries of `gather_in_rows`.

How threads map to a shared array is known from the primal; the other queries are about
statements and expressions of the adjoint that is built.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from ...ir import (
    INT,
    Accumulate,
    Assign,
    Banner,
    Binary,
    Body,
    Call,
    Cast,
    Comment,
    Const,
    Declare,
    Expr,
    For,
    If,
    Place,
    Quote,
    Scalar,
    Site,
    Special,
    Stmt,
    Sym,
    Unary,
    is_integer,
    scalar_type,
    statements,
    unconverted,
)
from ...rules import HELPERS
from .mod_ref import written
from .thread_ownership import Own


@dataclass(frozen=True)
class Rows:
    """How threads map to a shared array: in all stores to it, and for all threads that read it.

    `axes`: for each dimension, the axis whose coordinate all stores use as index, or "".
    `widths`: the upper bound of each axis's coordinate, as the author spells it.
    `reads`: the primal's reads of the array that all threads of the block reach, or the first if any does.
    """

    axes: tuple[str, ...]
    widths: Mapping[str, Const]
    reads: frozenset[Stmt]

    def read_by_all(self, sites: Collection[Site]) -> bool:
        """Whether all contributions come from such reads."""
        return bool(sites) and all(site.stmt in self.reads for site in sites)


def without_loops(body: Body) -> Iterator[Stmt]:
    """Yield the statements of a body and of the branches in it."""
    for stmt in body:
        yield stmt
        if isinstance(stmt, If):
            yield from without_loops((*stmt.then, *stmt.other))


def counted_range(loop: For) -> tuple[Sym, Expr] | None:
    """The counter and the count of a loop over 0 .. count - 1, in either direction.

    The counter is at least an int: one that needn't count further than 255 may not hold a thread's position.
    Downwards it starts at an int: a conversion may have made a negative number positive.
    """
    match loop.init, loop.cond, loop.step:
        case (
            (Declare(sym, init),),
            Binary(op, left, right),
            (Assign(Place(moved, ()), Const(1), by),),
        ) if moved is sym and isinstance(init, Expr) and scalar_type(sym).size >= INT.size:
            start, tested, end = unconverted(init), unconverted(left), unconverted(right)
        case _:
            return None
    if tested != Place(sym, (), sym.type) or any(sym in written(s) for s in loop.body):
        return None
    match start, op, end, by:
        case Const(0), "<", _, "+=":
            return sym, end
        case Const(last), ">=", Const(0), "-=" if sym.type == start.type == INT:
            return sym, Const(last + 1, INT)
        case Binary("-", count, Const(1)), ">=", Const(0), "-=" if sym.type == start.type == INT:
            return sym, count
        case _:
            return None


def flat(stmt: Stmt) -> bool:
    """Whether a statement only computes locals or accumulates."""
    match stmt:
        case Declare(sym, init):
            return isinstance(sym.type, Scalar) and not (init is not None and not isinstance(init, Expr))
        case Assign(Place(sym, ())):
            return sym.storage == "local"
        case Accumulate(how=how):
            return how in ("local", "atomic", "owner")
        case Quote() | Comment() | Banner():
            return True
        case If(_, then, other):
            return all(map(flat, (*then, *other)))
        case _:
            return False


def positional(part: Expr, own: Own) -> bool:
    """Whether it can be part of a position: thread coordinates, constants and unchanged parameters."""
    match part:
        case Place(sym, ()):
            return sym.storage == "parameter" and not own.written.get(sym)
        case Const() | Special() | Unary("-") | Binary("+" | "-" | "*") | Cast():
            return is_integer(part)
        case _:
            return False


def helper(call: Call) -> bool:
    return call.callee is not None and any(call.callee in (n, n + "f") for n in HELPERS)


def declared_in(body: Iterable[Stmt]) -> set[Sym]:
    return {s.sym for s in _every(body) if isinstance(s, Declare)}


def _every(body: Iterable[Stmt]) -> Iterator[Stmt]:
    return statements(tuple(body))
