"""If only one thread contributes to a block sum, compute its contribution in all threads instead.

    float adj_part_0 = 0.0f;                               // 18:  y[blockIdx.x] = sqrtf(part[0])
    if (t == 0) {                                          float adj_part_0 = 0.0f;
        // 18:  y[blockIdx.x] = sqrtf(part[0])             adj_part_0 += 0.5f * adj_y[blockIdx.x] / …;
        adj_part_0 += 0.5f * adj_y[blockIdx.x] / …;   ->
    }
    float adj_v = 2.0f * v * block_sum(adj_part_0);        float adj_v = 2.0f * v * adj_part_0;

It must have the same value in every thread, and no other effect. The loads go to
one address for all threads.
"""

from __future__ import annotations

from collections import Counter as Bag
from collections.abc import Iterator

from ....analysis.atomics import is_drawn
from ....ir import (
    Accumulate,
    Assign,
    Binary,
    Body,
    Call,
    Comment,
    Const,
    Declare,
    Expr,
    If,
    Place,
    Quote,
    Scalar,
    Special,
    Stmt,
    Sym,
    calls,
    expressions,
    rebuilt,
    statements,
    walk,
)
from ...common.algebra import is_const
from ...common.guard_splitting import with_names
from ...common.symbol_uses import mapped, uses
from ...common.thread_ownership import Own
from ..uniformity import Alike


def unguarded(body: Body, dimensions: int) -> Body:
    """The body with such sums replaced by their only term; `dimensions`: block dimensions in use."""
    if dimensions != 1:
        return body
    summed = set(_summed(body))
    starts = [s for s in statements(body) if isinstance(s, Declare) and s.sym in summed and _starts(s)]
    own, times = Own(body, 1), Bag(uses(body))
    for total in [s.sym for s in starts]:
        one = _One(total, own, times[total])
        found = one.body(body)
        if one.found and one.term not in Alike(found).different:
            body = found
            own, times = Own(body, 1), Bag(uses(body))
    return body


def _summed(body: Body) -> Iterator[Sym]:
    """The locals that are summed over the block."""
    for call in (call for stmt in statements(body) for call in calls(stmt)):
        match call:
            case Call(args=(Place(sym, ()),), rule="sum"):
                yield sym
            case _:
                pass


def _starts(stmt: Declare) -> bool:
    zero = isinstance(stmt.init, Const) and is_const(stmt.init, 0.0)
    return stmt.sym.ours and isinstance(stmt.sym.type, Scalar) and zero


class _One:
    """A local that only a guard for the first thread sets, and that a block sum reads."""

    def __init__(self, total: Sym, own: Own, times: int) -> None:
        self.total = total
        self.own = own
        self.times = times
        self.found = False
        self.term = total  # the name of the sum's only term

    def body(self, body: Body) -> Body:
        """The body without the guard and the sum, if it contains them at any depth."""
        at = next((k for k, s in enumerate(body) if isinstance(s, Declare) and s.sym is self.total), None)
        if at is None:
            return tuple(rebuilt(s, self.body) for s in body)
        for k, held in enumerate(body):
            if k > at and isinstance(held, If) and self.alone(held):
                here = Bag(uses((held,)))[self.total]
                for j in range(k + 1, len(body)):
                    if self.again(body[j]) and Bag(uses(body[at:j]))[self.total] == here:
                        return self.apart(body, at, k, j)
                    if here + 1 == self.times and self.sums(body[j]):
                        self.found = True
                        return (*body[:k], *held.then, *body[k + 1 : j], self.plain(body[j]), *body[j + 1 :])
        return body

    def again(self, stmt: Stmt) -> bool:
        """Whether the statement replaces the local by its own block sum."""
        match stmt:
            case Assign(Place(sym, ()), value, None):
                return sym is self.total and self.sum(value)
            case _:
                return False

    def apart(self, body: Body, at: int, k: int, j: int) -> Body:
        """The body with separate locals for the only term and for the result."""
        self.found = True
        self.term = Sym(self.total.name, self.total.type, of=self.total.of)
        term = Place(self.term, (), self.term.type)
        start, held, sum_ = body[at], body[k], body[j]
        assert isinstance(start, Declare)
        assert isinstance(held, If)
        assert isinstance(sum_, Assign)
        inside = with_names(held.then, {self.total: self.term})
        before = (*body[:at], Declare(self.term, start.init), *body[at + 1 : k], *inside)
        return (*before, *body[k + 1 : j], Declare(self.total, term, sites=sum_.sites), *body[j + 1 :])

    def alone(self, stmt: If) -> bool:
        """Whether a guard selects the first thread and its body changes only the local."""
        match stmt.cond:
            case Binary("==", left, Const(0)) if self.own.resolved(left) == Special("threadIdx", "x"):
                pass
            case _:
                return False
        inner = list(statements(stmt.then))
        mine = {self.total, *(s.sym for s in inner if isinstance(s, Declare))}
        return not stmt.other and all(_plain(s, mine) for s in inner)

    def sums(self, stmt: Stmt) -> bool:
        return any(self.sum(e) for top in expressions(stmt) for e in walk(top))

    def sum(self, expr: Expr) -> bool:
        match expr:
            case Call(args=(Place(sym, ()),), rule="sum"):
                return sym is self.total
            case _:
                return False

    def plain(self, stmt: Stmt) -> Stmt:
        """A statement with the block sum replaced by the local."""
        return mapped(stmt, lambda e: e.args[0] if isinstance(e, Call) and self.sum(e) else None)


def _plain(stmt: Stmt, mine: set[Sym]) -> bool:
    """Whether a statement sets only some locals and calls nothing with effects on other threads."""
    match stmt:
        case Declare(_, init):
            values = (init,)
        case Assign(target, value) | Accumulate(target, value):
            if target.sym not in mine or target.index:
                return False
            values = (value,)
        case If(cond):
            values = (cond,)
        case Quote() | Comment():
            return True
        case _:
            return False
    calls = (e for value in values if isinstance(value, Expr) for e in walk(value) if isinstance(e, Call))
    return all(e.callee is None and e.rule is not None and not is_drawn(e) for e in calls)
