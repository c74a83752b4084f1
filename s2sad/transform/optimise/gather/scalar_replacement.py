"""Replace adjoints of shared arrays by scalars if each thread uses only one element of its own.

    adj_a[ty][tx] += adj_a_sum;
    if (row < M)                                        if (row < M)
        atomicAdd(&adj_A[at], adj_a[ty][tx]);    ->         atomicAdd(&adj_A[at], adj_a_sum);
    adj_a[ty][tx] = 0.0f;

Additions to an element that only one thread accesses aren't atomic; and if an element's sum
is used immediately and then cleared, the array is removed. The loop in which the block clears
whole arrays before use doesn't count, as a barrier follows it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from ....ir import (
    Accumulate,
    AddressOf,
    Body,
    Clear,
    Declare,
    Expr,
    For,
    Place,
    Site,
    Stmt,
    Sym,
    bodies,
    expressions,
    rebuilt,
    statements,
    substituted,
    walk,
)
from ...common.mod_ref import written
from ...common.symbol_uses import mapped
from ...common.thread_ownership import Own


def owned(body: Body, array: Sym, own: Own) -> bool:
    """Whether every thread uses only one element of its own, after the array is cleared."""
    named = {own.owner(p) for stmt in body if not _zeroes(stmt, array) for p in _elements(stmt, array)}
    return len(named) == 1 and None not in named


def plain(body: Body, arrays: frozenset[Sym]) -> Body:
    """The body with the remaining additions to such elements made non-atomic."""

    def change(stmt: Stmt) -> Body | None:
        if isinstance(stmt, Accumulate) and stmt.how == "atomic" and stmt.target.sym in arrays:
            return (replace(stmt, how="owner"),)
        return None

    return substituted(body, change)


def gathered_in(body: Body, arrays: Collection[Sym]) -> Iterator[Site]:
    """The sites of sums added to such elements, and of their clears: a local that is the sum needs none."""
    for stmt in statements(body):
        match stmt:
            case Accumulate(Place(sym), Place(_, ()), "owner") | Clear(Place(sym)) if sym in arrays:
                yield from stmt.sites
            case _:
                pass


def _elements(stmt: Stmt, array: Sym) -> Iterator[Place]:
    for inner in statements((stmt,)):
        for expr in expressions(inner):
            for part in walk(expr):
                if isinstance(part, AddressOf):
                    part = part.place
                if isinstance(part, Place) and part.sym is array:
                    yield part


def without_arrays(body: Body, adjoints: Iterable[Sym]) -> Body:
    """Remove arrays whose owners use an element immediately and clear it."""
    for adjoint in adjoints:
        new = _local(body, adjoint)
        if new is not None:
            body = _undeclared(new, adjoint)
    return body


def _local(body: Body, array: Sym, top: bool = True) -> Body | None:
    """The body without an array: reads of the element up to its clear become reads of its only sum."""
    holding = [k for k, s in enumerate(body) if not _zeroes(s, array) and _mentions(s, array)]
    if not holding:
        return None
    if len(holding) == 1:
        return _inside(body, holding[0], array)
    first, *between = holding
    add = body[first]
    last = body[between[-1]]
    cleared = isinstance(last, Clear)
    used = between[:-1] if cleared else between
    match add:
        case Accumulate(Place(sym) as target, Place(total, ()), "owner") if sym is array and (cleared or top):
            pass
        case _:
            return None
    elements = {place for k in holding for place in _elements(body[k], array)}
    if elements != {target} or any(array in written(body[k]) for k in used):
        return None
    if any(total in written(body[k]) for k in range(first + 1, between[-1])):
        return None

    def change(e: Expr) -> Expr | None:
        return Place(total, (), total.type) if e == target else None

    out: list[Stmt] = []
    for k, stmt in enumerate(body):
        if k == first or (cleared and k == between[-1]):
            continue
        out.append(mapped(stmt, change) if k in used else stmt)
    return tuple(out)


def _inside(body: Body, position: int, array: Sym) -> Body | None:
    """The same if one statement contains all uses of an array, in one of its bodies."""
    stmt = body[position]
    parts = [part for part in bodies(stmt) if any(_mentions(s, array) for s in part)]
    if len(parts) != 1 or any(array in e.symbols for e in expressions(stmt)):
        return None
    (mine,) = parts
    inner = _local(mine, array, False)
    if inner is None:
        return None
    changed = rebuilt(stmt, lambda b: inner if b is mine else b)
    return (*body[:position], changed, *body[position + 1 :])


def _undeclared(body: Body, array: Sym) -> Body:
    out: list[Stmt] = []
    for stmt in body:
        if isinstance(stmt, Declare) and stmt.sym is array:
            continue
        if isinstance(stmt, For) and _zeroes(stmt, array):
            rest = tuple(s for s in stmt.body if array not in written(s))
            out += [replace(stmt, body=rest)] if rest else []
            continue
        out.append(stmt)
    return tuple(out)


def _zeroes(stmt: Stmt, array: Sym) -> bool:
    """Whether it is the loop in which the block clears whole arrays before use."""
    if not isinstance(stmt, For) or not all(isinstance(s, Clear) for s in stmt.body):
        return False
    return array in written(stmt)


def _mentions(stmt: Stmt, array: Sym) -> bool:
    if isinstance(stmt, Declare) and stmt.sym is array:
        return False
    return any(array in e.symbols for s in statements((stmt,)) for e in expressions(s))
