"""Which additions to the elements of a local array, which begin as zero, are each element's first.

    float adj_c_sum[8] = {0.0f};                  float adj_c_sum[8] = {0.0f};
    if (i < n) {                                  if (i < n) {
        for (int k = 0; k <= 6; ++k)                  for (int k = 0; k <= 6; ++k)
            adj_c_sum[k] += g;             ->             adj_c_sum[k] = g;
        adj_c_sum[7] += h;                            adj_c_sum[7] = h;
    }                                             }

The iterations of loops whose counters go from literal to literal are followed one by one, branches on both
sides; other loops twice, with unknown counters, so that whatever they add to is no longer zero.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ....ir import (
    Accumulate,
    AddressOf,
    Array,
    Assign,
    Block,
    Declare,
    Expr,
    For,
    If,
    Initialiser,
    Place,
    Stmt,
    Sym,
    all_parts,
    bodies,
    calls,
    rebuilt,
)
from ...common.algebra import converted, is_const
from ...common.loop_entry import MOST, literal_counts, value_at
from ...common.mod_ref import written
from ...common.symbol_uses import used
from ..scalar.simplify import signed

_ITERATIONS = MOST
"""Followed for one array at most; more count as unknown."""


def with_first_elements(body: Sequence[Stmt]) -> list[Stmt]:
    """The statements with such additions as stores, for the arrays that they declare."""
    out = list(body)
    for position, stmt in enumerate(body):
        if not isinstance(stmt, Declare) or not _is_zero_array(stmt):
            continue
        follow = _Follow(stmt.sym)
        follow.body(out[position + 1 :], {}, frozenset())
        if firsts := follow.added - follow.again:
            out[position + 1 :] = [_stored(s, firsts) for s in out[position + 1 :]]
    return out


def _is_zero_array(stmt: Declare) -> bool:
    match stmt:
        case Declare(Sym(type=Array(), storage="local", ours=True), Initialiser(values)):
            return all(is_const(e, 0.0) for e in values)
        case _:
            return False


def _stored(stmt: Stmt, firsts: set[Stmt]) -> Stmt:
    if stmt in firsts:
        assert isinstance(stmt, Accumulate)
        new = converted(signed(stmt), stmt.target.type)
        return Assign(stmt.target, new, sites=stmt.sites, told=stmt.told)
    return rebuilt(stmt, lambda inner: tuple(_stored(s, firsts) for s in inner))


_Index = tuple[int, ...] | None
"""An element; None: any one."""
_Touched = frozenset[_Index]


class _Follow:
    """Follows what adds to an array after its declaration, and what does so `again`, not as the first."""

    def __init__(self, array: Sym) -> None:
        self.array = array
        self.added: set[Stmt] = set()
        self.again: set[Stmt] = set()
        self.left = _ITERATIONS

    def body(self, body: Sequence[Stmt], at: Mapping[Sym, int], touched: _Touched) -> _Touched:
        """The elements that may be other than zero after a body, given those before, at counters' values."""
        for stmt in body:
            if self.array in used(stmt):
                touched = self.stmt(stmt, at, touched)
        return touched

    def stmt(self, stmt: Stmt, at: Mapping[Sym, int], touched: _Touched) -> _Touched:
        match stmt:
            case Accumulate(Place(sym, index), amount, "local") if (
                sym is self.array and self.array not in amount.symbols.union(*(e.symbols for e in index))
            ):
                element = _element(index, at)
                self.added.add(stmt)
                if element is None or element in touched or None in touched:
                    self.again.add(stmt)
                return touched | {element}
            case If(cond, then, other) if self.array not in cond.symbols:
                return self.body(then, at, touched) | self.body(other, at, touched)
            case Block(inner):
                return self.body(inner, at, touched)
            case For() if (counts := literal_counts(stmt, at)) is not None and len(counts[1]) <= self.left:
                counter, values = counts
                self.left -= len(values)
                for value in values:
                    touched = self.body(stmt.body, {**at, counter: value}, touched)
                return touched
            case _ if bodies(stmt):
                for _ in range(2):
                    for inner in bodies(stmt):
                        touched = self.body(inner, at, touched)
                return touched
            case _ if self._only_read(stmt):
                return touched
            case _:
                return touched | {None}

    def _only_read(self, stmt: Stmt) -> bool:
        if self.array in written(stmt):
            return False
        if any(isinstance(e, AddressOf) and e.place.sym is self.array for e in all_parts(stmt)):
            return False
        return not any(
            isinstance(a, Place) and a.sym is self.array and not a.index for c in calls(stmt) for a in c.args
        )


def _element(index: Sequence[Expr], at: Mapping[Sym, int]) -> _Index:
    found = tuple(value_at(e, at) for e in index)
    return tuple(v for v in found if v is not None) if None not in found else None


__all__ = ["with_first_elements"]
