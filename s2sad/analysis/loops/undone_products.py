"""Find variables that a loop multiplies in each iteration and that its reverse can divide back.

for (…) {
    float alpha = …;
    …                                T at the start of an iteration is T at its end / (1 - alpha),
    T *= 1.0f - alpha;               where the divisor isn't zero: T would be zero then, and the test
    if (T < 0.01f) break;            would have left the loop. The last iteration need not pass the test,
}                                    so that T at its start is kept.

Each division adds a rounding error of half a unit in the last place, and that of the divisor, which is
computed again: next to 1 - alpha = 0 that is more than of T.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from ...ir import (
    Assign,
    Binary,
    Body,
    Call,
    Const,
    Expr,
    If,
    Place,
    Scalar,
    Stmt,
    Sym,
    Unary,
    collective,
    statements,
    unconverted,
)
from ..atomics import draws
from ..constants import FLIPPED
from ..ssa import Loop, Scope, Version, Versions, loads, operands, own_breaks, scalars
from ..traversal import ends
from .counted_loops import counted
from .induction_variables import induction

LEAST = 1e-30
"""A limit below it could let products lose digits: the least normal float is 1.2e-38."""


@dataclass(frozen=True)
class Undone:
    """How a variable is divided back: by `factor` as `stmt` sees it, once the body has run up to `after`.

    `after` is a direct statement of the body, or None if the factor is known at its start.
    Where another iteration follows, the test `kept` has found the product to be `limit` at least.
    """

    stmt: Stmt
    factor: Expr
    after: Stmt | None
    kept: Stmt
    limit: Expr


def undone(loop: Loop, sym: Sym, versions: Versions) -> Undone | None:
    """Return how a loop's reverse gets a carried floating variable back by division, if it can."""
    return _Product(loop, sym, versions).undone()


class _Product:
    """One variable, and the product that each iteration sets it to."""

    def __init__(self, loop: Loop, sym: Sym, versions: Versions) -> None:
        self.loop, self.sym, self.v = loop, sym, versions
        (self.body,) = versions.inside[loop]
        self.head = versions.heads[loop].get(sym)

    def undone(self) -> Undone | None:
        update = self.update()
        if update is None:
            return None
        stmt, factor, product = update
        kept = self.kept(product)
        if kept is None:
            return None
        found = self.sources(stmt, factor)
        if found is None:
            return None
        after = max(found, key=self.v.position.__getitem__, default=None)
        last = -1 if after is None else self.v.position[after]
        early = (s for top in self.body.stmts[: last + 1] for s in statements((top,)))
        if any(self.v.read(s, self.sym) is self.head for s in early):
            return None
        return Undone(stmt, factor, after, *kept)

    def update(self) -> tuple[Stmt, Expr, frozenset[Version]] | None:
        """The statement that multiplies, the factor, and the versions that hold the product."""
        head = self.head
        kind = self.sym.type
        if head is None or len(head.args) != 2 or not isinstance(kind, Scalar):
            return None
        back = head.args[1]
        if not kind.is_float or kind.size < 4:
            return None
        held = {back}
        while (same := self.same(back)) is not None:
            back = same
            held.add(back)
        if back.stmt is None or self.v.read(back.stmt, self.sym) is not head:
            return None
        if not all(self.always(version.scope) for version in held):
            return None
        factor = self.factor(back)
        return None if factor is None else (back.stmt, factor, frozenset(held))

    def always(self, scope: Scope) -> bool:
        """Whether a body runs in every iteration that another follows: else, the loop is left."""
        if scope is self.body:
            return True
        owner = scope.owner
        if not isinstance(owner, If):
            return False
        (beside,) = (s for s in self.v.inside[owner] if s is not scope)
        return self.leaves(beside.stmts) and self.always(self.v.scope_of[owner])

    def leaves(self, branch: Body) -> bool:
        """Whether every path through a branch leaves the loop."""
        own = self.v.breaks[self.loop]
        return ends(branch) and all(b in own for b in own_breaks(branch)) and bool(own_breaks(branch))

    def same(self, version: Version) -> Version | None:
        """The version that another is a copy of, or the only one that reaches it.

        next = T * (1 - a); if (next < 0.01f) break; T = next;
        """
        if version.kind == "join" and len(version.args) == 1:
            return version.args[0]
        if version.made is None:
            return None
        stmt, value = version.made
        if not isinstance(value, Place) or value.index or value.type != self.sym.type:
            return None
        return self.v.read(stmt, value.sym)

    def factor(self, product: Version) -> Expr | None:
        """`1 - a` of `T *= 1 - a`, `T * (1 - a)` or `(1 - a) * T`."""
        match product.stmt, product.made:
            case Assign(op="*=") as stmt, _:
                return stmt.value if self.sym not in scalars(stmt.value) else None
            case _, (_, value) if isinstance(whole := unconverted(value), Binary) and whole.op == "*":
                for one, other in ((whole.left, whole.right), (whole.right, whole.left)):
                    mine = unconverted(one)
                    if isinstance(mine, Place) and mine.sym is self.sym and self.sym not in scalars(other):
                        return other
        return None

    def kept(self, product: frozenset[Version]) -> tuple[Stmt, Expr] | None:
        """A test that an iteration passes if another follows, and what the product then is at least."""
        for stmt in self.v.body_of(self.loop):
            if not isinstance(stmt, If) or not self.always(self.v.scope_of[stmt]):
                continue
            for branch, passes in ((stmt.then, False), (stmt.other, True)):
                if self.leaves(branch):
                    limit = self.limit(stmt, stmt.cond, passes, product)
                    if limit is not None:
                        return stmt, limit
        cond = self.loop.cond
        assert self.head is not None
        limit = None if cond is None else self.limit(self.loop, cond, True, product | {self.head})
        return None if limit is None else (self.loop, limit)

    def limit(self, stmt: Stmt, cond: Expr, passes: bool, product: frozenset[Version]) -> Expr | None:
        """The positive number that a product is at least, or exceeds, where a condition has this outcome."""
        match unconverted(cond):
            case Binary("&&" | "||" as op, left, right) if (op == "&&") == passes:
                return self.limit(stmt, left, passes, product) or self.limit(stmt, right, passes, product)
            case Unary("!", arg):
                return self.limit(stmt, arg, not passes, product)
            case Binary(op, left, right) if op in FLIPPED and op != "!=":
                for side, of, number in ((op, left, right), (FLIPPED[op], right, left)):
                    if (side in (">", ">=")) == passes and self.holds(stmt, of, product):
                        value = self.number(stmt, number)
                        if value is not None and value >= LEAST:
                            return number
        return None

    def number(self, stmt: Stmt, expr: Expr) -> float | None:
        """The number that a literal, a constant or a variable that is set to one stands for."""
        stmt, expr = self.v.followed(stmt, expr, unconverted)
        return float(expr.value) if isinstance(expr, Const) else None

    def holds(self, stmt: Stmt, expr: Expr, product: frozenset[Version]) -> bool:
        """Whether an expression is a product, or its absolute value."""
        inner = unconverted(expr)
        if isinstance(inner, Call) and inner.rule == "fabs":
            inner = unconverted(inner.args[0])
        return isinstance(inner, Place) and not inner.index and self.v.read(stmt, inner.sym) in product

    def sources(self, stmt: Stmt, factor: Expr) -> list[Stmt] | None:
        """The direct statements of the body that the factor is made by; None if it can't be had without T."""
        read: list[tuple[Stmt, Expr]] = [(stmt, factor)]
        todo: list[Version] = []
        seen: set[Version] = set()
        made: list[Stmt] = []
        while read or todo:
            if read:
                at, expr = read.pop()
                if any(place.sym in self.v.writers for place in loads(expr)):
                    return None
                todo += self.versions_of(at, expr)
                continue
            version = todo.pop()
            if version in seen or not self.inside(version):
                continue
            seen.add(version)
            if version.kind == "head" and version.stmt is self.loop:
                if induction(self.loop, version.sym, self.v) is None and version.sym is not self.counter:
                    return None
                continue
            assert version.stmt is not None
            todo += version.args
            top = self.v.ancestor_in(self.body, version.stmt)
            if top in self.v.position:  # the start of an inner loop's counter is in that loop's head
                made.append(top)
            for inner in statements((top,)):
                if draws(inner) or collective(inner) is not None:
                    return None
                read += [(inner, e) for e in operands(inner)]
        return made

    @cached_property
    def counter(self) -> Sym | None:
        """The variable that counts the iterations."""
        count = counted(self.loop, self.v)
        return None if count is None else count.sym

    def versions_of(self, stmt: Stmt, expr: Expr) -> Iterator[Version]:
        reads = self.v.reads.get(stmt, {})
        for sym in scalars(expr):
            if sym in reads:
                yield reads[sym]

    def inside(self, version: Version) -> bool:
        """Whether a value is made by the loop's iterations."""
        return version.scope.within(self.body)
