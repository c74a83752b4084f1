"""One loop over the seeds for the adjoints of adjacent statements, with the lines that they quote.

Beside what a loop over directions holds: additions, cleared adjoints, and branches on an adjoint.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from ...ir import (
    Accumulate,
    Assign,
    Body,
    Clear,
    Comment,
    Declare,
    Expr,
    If,
    Place,
    Quote,
    Stmt,
    Sym,
    expressions,
    statements,
)
from ..common.symbol_uses import mapped
from ..tangent.direction_loops import Loop
from ..tangent.layouts import Layout


def targets(stmt: Stmt) -> Iterator[Place]:
    """Yield the places that a statement sets or adds to, itself alone."""
    if isinstance(stmt, Assign | Accumulate | Clear):
        yield stmt.target
    for expr in expressions(stmt):
        yield from expr.outputs


class SeedLoop(Loop):
    """The loop over the seeds for adjacent statements of adjoints, with what comes before it."""

    def __init__(
        self,
        layouts: Mapping[Sym, Layout],
        uses: Mapping[Sym, int],
        count: int,
        stmts: Sequence[Stmt],
        known: Mapping[Expr, Sym],
    ) -> None:
        super().__init__(layouts, uses, count, stmts, known, "seed")
        self.within: set[Sym] = set()  # what the branch around a statement declares
        self.changed |= {place.sym for stmt in statements(tuple(stmts)) for place in targets(stmt)}
        self.stores = self.stores or any(sym.storage != "local" for sym in self.changed)

    def stmt(self, stmt: Stmt) -> Iterator[Stmt]:
        match stmt:
            case Accumulate(target, amount):
                yield replace(stmt, target=self.place(target), amount=self.expr(amount))
            case Clear(target):
                yield replace(stmt, target=self.place(target))
            case If(cond, then, other):
                inner = {s.sym for s in statements((stmt,)) if isinstance(s, Declare)}
                self.within |= inner
                parts = self.expr(cond), self.branch(then), self.branch(other)
                self.within -= inner
                yield replace(stmt, cond=parts[0], then=parts[1], other=parts[2])
            case Quote() | Comment():
                yield stmt
            case _:
                yield from super().stmt(stmt)

    def branch(self, body: Body) -> Body:
        """Statements that not every seed runs: what can't fail is computed before the loop."""
        out: list[Stmt] = []
        for stmt in body:
            match stmt:
                case If(cond, then, other):
                    cond = self.expr(cond, sure=False)
                    out.append(replace(stmt, cond=cond, then=self.branch(then), other=self.branch(other)))
                case Declare(sym, init) if sym in self.layouts:
                    self.inside[sym] = replace(sym, const=sym.const and sym not in self.changed)
                    value = self.expr(init, sure=False) if isinstance(init, Expr) else init
                    out.append(replace(stmt, sym=self.inside[sym], init=value))
                case Accumulate(target, amount):
                    out.append(replace(stmt, target=self.place(target), amount=self.expr(amount, sure=False)))
                case Assign(target, value) if target.sym in self.layouts:
                    value = self.expr(value, sure=False)
                    out.append(replace(stmt, target=self.place(target), value=value, spelling=None))
                case _:
                    out.append(mapped(stmt, self.one))
        return tuple(out)

    def known_before(self, expr: Expr) -> bool:
        return self.within.isdisjoint(expr.symbols)

    def worthwhile(self, expr: Expr, sure: bool) -> bool:
        return self.known_before(expr) and super().worthwhile(expr, sure)

    def invertible(self, divisor: Expr, sure: bool) -> bool:
        return self.known_before(divisor) and super().invertible(divisor, sure)

    def one(self, expr: Expr) -> Expr | None:
        """The adjoint of one seed; None for any other expression."""
        return self.place(expr) if isinstance(expr, Place) and expr.sym in self.layouts else None
