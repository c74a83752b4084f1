"""Fewer instructions along each direction: partials are multiplied once, before the loop over the directions.

    const float tan_c = -(s * tan_t);              const float diff = x * c - y * s;
    const float tan_s = c * tan_t;           ->    for (int d = 0; d < 8; ++d)
    tan_r[d] = y * tan_c + x * tan_s;                  tan_r[d] = diff * tan_t[d];

The tangents of adjacent statements are a linear map of others, whose coefficients are the same along each
direction. A tangent in between is left out, and its operands take its place, if that saves more instructions
along all directions than the products of coefficients cost; and an expression is written as the sum of
products if that is cheaper.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import replace

from ...ir import (
    COLLECTIVE,
    AddressOf,
    Assign,
    Binary,
    Call,
    Declare,
    Evaluate,
    Expr,
    Initialiser,
    Place,
    Stmt,
    Sym,
    Unary,
    expressions,
    walk,
)
from ..common.symbol_uses import mapped
from .linear_forms import Forms, sum_of

Memory = Callable[[Sym], object]
"""What stands for all memory that may be a variable's."""


class Preaccumulation:
    """Rewrites adjacent tangents along `count` directions; no other statement needs those of `inner`."""

    def __init__(self, tangents: Container[Sym], inner: Container[Sym], count: int, memory: Memory) -> None:
        self.forms = Forms(tangents)
        self.inner, self.count, self.memory = inner, count, memory
        self.named: set[Expr] = set()

    def made(self, stmts: Sequence[Stmt]) -> tuple[list[Stmt], set[Expr]]:
        """The statements, and the coefficients in them that deserve a name."""
        left = list(stmts)
        for sym in [stmt.sym for stmt in stmts if isinstance(stmt, Declare) and stmt.sym in self.inner]:
            left = self._without(left, sym)
        return [new for stmt in left for new in self._noted(stmt)], self.named

    def _noted(self, stmt: Stmt) -> list[Stmt]:
        """A statement as it is cheapest; the coefficients that are new get a name."""
        self.forms.coefficients.clear()
        best = self._best(stmt)
        if best != [stmt]:
            self.named |= self.forms.coefficients
        return best

    # ---- without a tangent ---------------------------------------------------------

    def _without(self, stmts: list[Stmt], sym: Sym) -> list[Stmt]:
        """The statements with a tangent's operands in its place, or as they are."""
        at = next(k for k, stmt in enumerate(stmts) if isinstance(stmt, Declare) and stmt.sym is sym)
        declared = stmts[at]
        assert isinstance(declared, Declare)
        value = declared.init
        assert value is not None
        assert not isinstance(value, Initialiser)
        users = [k for k, stmt in enumerate(stmts) if _reads(stmt, sym)]
        if not users or not self._is_linear(value) or self._changes(stmts[at + 1 : users[-1]], value):
            return stmts
        if not all(isinstance(stmts[k], Assign | Declare) and not _sets(stmts[k], sym) for k in users):
            return stmts

        def change(expr: Expr) -> Expr | None:
            return value if isinstance(expr, Place) and expr.sym is sym else None

        def cheapest(stmt: Stmt) -> list[Stmt]:
            """A user with the operands, before or after it is written as a sum."""
            ways = ([stmt], self._noted(stmt))
            return min(([mapped(one, change) for one in way] for way in ways), key=self._score)

        new = {k: cheapest(stmts[k]) for k in users}
        before = [declared, *(stmts[k] for k in users)]
        if self._score([stmt for k in users for stmt in new[k]]) >= self._score(before):
            return stmts
        return [one for k, stmt in enumerate(stmts) if k != at for one in new.get(k, [stmt])]

    def _is_linear(self, value: Expr) -> bool:
        """Whether a value consists of sums and products only, so that it may be computed twice or later."""
        match value:
            case _ if not self.forms.moves(value):
                return all(_repeatable(part) for part in walk(value) if isinstance(part, Call))
            case Place():
                return True
            case Unary("-" | "+", arg):
                return self._is_linear(arg)
            case Binary("+" | "-" | "*" | "/", left, right):
                return self._is_linear(left) and self._is_linear(right)
            case _:
                return False

    def _changes(self, between: Sequence[Stmt], value: Expr) -> bool:
        """Whether a statement changes a tangent that a value is made of."""
        needed = {self.memory(sym) for sym in value.symbols}
        for stmt in between:
            if isinstance(stmt, Assign) and self.memory(stmt.target.sym) in needed:
                return True
            if any(self.memory(place.sym) in needed for expr in expressions(stmt) for place in expr.outputs):
                return True
            if isinstance(stmt, Evaluate):
                pointed = (arg.place.sym for arg in stmt.call.args if isinstance(arg, AddressOf))
                if any(self.memory(sym) in needed for sym in pointed):
                    return True
        return False

    # ---- one statement ---------------------------------------------------------------

    def _best(self, stmt: Stmt) -> list[Stmt]:
        """A statement, or what is cheaper along all directions."""
        new = self._as_sum(stmt)
        return new if new is not None and self._total(new) < self._total([stmt]) else [stmt]

    def _as_sum(self, stmt: Stmt) -> list[Stmt] | None:
        match stmt:
            case Declare(_, init) if init is not None and not isinstance(init, Initialiser):
                form = self.forms.form(init)
                return None if form is None else [replace(stmt, init=_whole(*sum_of(form)))]
            case Assign(_, value, None):
                form = self.forms.form(value)
                if form is None or value.type != stmt.target.type:
                    return None
                return [replace(stmt, value=_whole(*sum_of(form)), spelling=None)]
            case Assign(target, value, "+=" | "-=" as op):
                form = self.forms.form(value)
                if form is None or value.type != target.type:
                    return None
                reads = self.memory(target.sym) in {self.memory(sym) for sym in value.symbols}
                apart = target.sym.storage == "local" and not reads and not any(t.bare for t in form)
                made = []
                for part in [[term] for term in form] if apart else [form]:
                    total, negative = sum_of(part)
                    sign = "-=" if negative != (op == "-=") else "+="
                    made.append(replace(stmt, value=total, op=sign, spelling=None))
                return list(made)
            case _:
                return None

    # ---- costs -------------------------------------------------------------------------

    def _score(self, stmts: Iterable[Stmt]) -> int:
        """What statements cost along all directions, each as it is cheapest."""
        return self._total([new for stmt in stmts for new in self._best(stmt)])

    def _total(self, stmts: Sequence[Stmt]) -> int:
        every = [expr for stmt in stmts for expr in expressions(stmt)]
        once = {part for expr in every for part in self.forms.coefficients_of(expr)}
        return self.count * sum(map(self._cost, stmts)) + len(once)

    def _cost(self, stmt: Stmt) -> int:
        """The instructions of a statement along one direction."""
        cost = sum(self.forms.cost(expr) for expr in expressions(stmt))
        if isinstance(stmt, Assign) and stmt.op is not None:
            cost += 0 if self.forms.is_product(stmt.value) else 1
        return cost


def _whole(total: Expr, negative: bool) -> Expr:
    return Unary("-", total, total.type) if negative else total


def _reads(stmt: Stmt, sym: Sym) -> bool:
    return any(sym in expr.symbols for expr in expressions(stmt))


def _sets(stmt: Stmt, sym: Sym) -> bool:
    return isinstance(stmt, Assign) and stmt.target.sym is sym


def _repeatable(call: Call) -> bool:
    """Whether a call may be evaluated again: a function of the table, of numbers."""
    return call.rule is not None and call.rule not in (*COLLECTIVE, "clock") and not call.outputs
