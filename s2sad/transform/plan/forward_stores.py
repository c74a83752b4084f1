"""Keep a stored value in a variable where it is read again: then it needn't be recorded.

    cell[l] = cell[l] * f + i * g;             float cell_now = cell[l] * f + i * g;
    hidden[l] = o * tanhf(cell[l]);     ->     cell[l] = cell_now;
                                               hidden[l] = o * tanhf(cell_now);

An element that is overwritten later is recorded where it is read. If the same iteration has stored it, its
value is that of an expression, which the reverse sweep may compute again. (Compilers call it store-to-load
forwarding.)
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ...analysis.ssa import Loop, Scope, Versions, targets
from ...analysis.tbr.equal_loads import equal_loads, index_is_loaded, same_index
from ...analysis.tbr.recorded import Load
from ...ir import (
    ARITHMETIC,
    Assign,
    Barrier,
    Binary,
    Body,
    Declare,
    Expr,
    Function,
    If,
    Place,
    Scalar,
    Stmt,
    Switch,
    Sym,
    collective,
    rebuilt,
)
from ..common.algebra import rewrite
from ..common.symbol_uses import mapped
from .facts import Amend, Facts

ONE_BY_ONE = 4


@dataclass(frozen=True)
class Forwarded:
    """A store whose value later statements read, and the variable that holds it."""

    store: Assign
    value: Expr
    sym: Sym
    reads: tuple[Stmt, ...]


def with_forwarded_stores(function: Function, examine: Callable[[Function, Amend | None], Facts]) -> Function:
    """The function with stored values in variables, where that saves a record.

    The operands of a value may have to be recorded instead; then nothing is saved. Up to ONE_BY_ONE stores
    are tried alone, more only together.
    """
    facts = examine(function, None)
    found = list(_found(facts))
    tries = [[f] for f in found] if len(found) <= ONE_BY_ONE else [found]
    kept: list[Forwarded] = []
    fewest = records(facts)
    for more in tries:
        new = replace(function, body=_body(function.body, [*kept, *more]))
        fewer = records(examine(new, None))
        if fewer < fewest:
            kept, fewest = [*kept, *more], fewer
    return replace(function, body=_body(function.body, kept)) if kept else function


def records(facts: Facts) -> int:
    """The number of values that are recorded in some iteration."""
    recorded = facts.recorded
    twice = equal_loads(recorded, facts.versions, facts.known.exchanged)
    return len(recorded.taped) + len(recorded.stored) + len(recorded.loads) - len(twice)


def _found(facts: Facts) -> Iterator[Forwarded]:
    v = facts.versions
    stores: dict[Assign, list[Stmt]] = {}
    stored = _Stores(v)
    for load in facts.recorded.loads:
        stmt, place = load
        if place.sym in facts.known.exchanged or place.sym.storage == "shared" or isinstance(stmt, Loop):
            continue
        store = stored.last(load)
        if store is not None:
            stores.setdefault(store, []).append(stmt)
    for store, reads in stores.items():
        value = _value(store)
        if value is not None:
            held = Sym(f"{store.target.sym.plain}_now", store.target.type)
            yield Forwarded(store, value, held, tuple(reads))


def _value(store: Assign) -> Expr | None:
    """What the element holds after the store."""
    kind = store.target.type
    if store.op is None:
        return store.value if store.value.type == kind else None
    same = (
        isinstance(kind, Scalar)
        and kind.is_float
        and store.value.type == kind
        and store.op[:-1] in ARITHMETIC
    )
    return Binary(store.op[:-1], store.target, store.value, kind, span=store.span) if same else None


class _Stores:
    """For each array, what may change an element of it, in program order: stores, and where threads meet."""

    def __init__(self, v: Versions) -> None:
        self.v = v
        self._meetings: list[Stmt] = []
        self._of: dict[Sym, list[Stmt]] = {}
        for stmt in v.order:
            if isinstance(stmt, Barrier) or collective(stmt) is not None:
                self._meetings.append(stmt)
            for sym in {target.sym for target in targets(stmt)}:
                self._of.setdefault(sym, []).append(stmt)

    def last(self, load: Load) -> Assign | None:
        """The store in the same iteration that an element was last stored by, if it is certain."""
        stmt, place = load
        if index_is_loaded(place):
            return None
        store = self._before(stmt, self._of.get(place.sym, []))
        met = self._before(stmt, self._meetings)
        order = self.v.order
        if not isinstance(store, Assign) or (met is not None and order[met] >= order[store]):
            return None
        fits = store.target == place and _around(self.v.scope_of[store], self.v.scope_of[stmt])
        return store if fits and same_index(store, stmt, place, self.v) else None

    def _before(self, stmt: Stmt, among: Sequence[Stmt]) -> Stmt | None:
        at = bisect_left(among, self.v.order[stmt], key=self.v.order.__getitem__)
        return among[at - 1] if at else None


def _around(outer: Scope, inner: Scope) -> bool:
    """Whether a body holds another one, with no loop between them."""
    return inner.within(outer) and inner.loop is outer.loop


def _body(body: Body, found: Sequence[Forwarded]) -> Body:
    by_store: Mapping[Stmt, Forwarded] = {f.store: f for f in found}
    by_read: dict[Stmt, list[Forwarded]] = {}
    for f in found:
        for stmt in f.reads:
            by_read.setdefault(stmt, []).append(f)

    def visit(inner: Body) -> Body:
        out: list[Stmt] = []
        for stmt in inner:
            new = _reading(rebuilt(stmt, visit), by_read.get(stmt, ()))
            f = by_store.get(stmt)
            if f is None:
                out.append(new)
                continue
            assert isinstance(new, Assign)
            value = _value(new)
            assert value is not None
            held = Place(f.sym, (), f.sym.type)
            out += [Declare(f.sym, value, span=stmt.span), replace(new, value=held, op=None, spelling=None)]  # type: ignore[union-attr]
        return tuple(out)

    return visit(body)


def _reading(stmt: Stmt, found: Sequence[Forwarded]) -> Stmt:
    """The statement, reading variables in place of elements; a branch in its condition or selector alone."""
    for f in found:
        held = Place(f.sym, (), f.sym.type)

        def change(e: Expr, element: Place = f.store.target, held: Place = held) -> Expr | None:
            return replace(held, span=e.span) if e == element else None

        if isinstance(stmt, If):
            stmt = replace(stmt, cond=rewrite(stmt.cond, change))
        elif isinstance(stmt, Switch):
            stmt = replace(stmt, selector=rewrite(stmt.selector, change))
        elif isinstance(stmt, Assign):
            index = tuple(rewrite(part, change) for part in stmt.target.index)
            target = replace(stmt.target, index=index)
            value = rewrite(stmt.value, change)
            if stmt.op is not None and stmt.target == f.store.target:
                return stmt  # an update reads its own target
            stmt = replace(stmt, target=target, value=value)
        else:
            stmt = mapped(stmt, change)
    return stmt


__all__ = ["records", "with_forwarded_stores"]
