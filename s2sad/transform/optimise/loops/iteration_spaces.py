"""The iterations of a loop, in a form in which two loops can be compared."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ....analysis.atomics import is_drawn
from ....ir import (
    COLLECTIVE,
    Accumulate,
    Assign,
    Body,
    Call,
    Comment,
    Declare,
    Expr,
    For,
    If,
    Place,
    Quote,
    Scalar,
    Stmt,
    Sym,
    all_parts,
    expressions,
    statements,
)
from ...common.algebra import rewrite
from ...common.jumps import exits
from ...common.mod_ref import meets, sets, written
from ...common.symbol_uses import renaming


@dataclass(frozen=True)
class Iterations:
    """A loop's header, with one name for the counters of a type: equal headers run equal iterations."""

    start: Expr
    cond: Expr
    step: Expr
    op: str | None

    @property
    def symbols(self) -> frozenset[Sym]:
        """What the header reads."""
        common = frozenset(_COUNTERS.values())
        return (self.start.symbols | self.cond.symbols | self.step.symbols) - common


def iterations(loop: For) -> Iterations | None:
    """The iterations of a loop with a counter of its own that runs them all; None for other loops."""
    match loop:
        case For((Declare(counter, init),), cond, (Assign(Place(moved, ()), value, op),)):
            pass
        case _:
            return None
    if moved is not counter or not isinstance(counter.type, Scalar):
        return None
    if cond is None or init is None or not isinstance(init, Expr):
        return None
    if any(counter in written(s) or exits(s) for s in loop.body):
        return None
    return Iterations(init, _in_common(counter, cond), _in_common(counter, value), op)


def in_common(loop: For, value: Expr) -> Expr:
    """An expression in a loop that has `iterations`, with the one name that all counters of its type have."""
    return _in_common(counter(loop), value)


def _in_common(counter: Sym, value: Expr) -> Expr:
    assert isinstance(counter.type, Scalar)
    common = _COUNTERS.setdefault(counter.type, Sym("counter", counter.type))
    return rewrite(value, renaming({counter: common}))


_COUNTERS: dict[Scalar, Sym] = {}


def private(sym: Sym) -> bool:
    """Whether a variable or array is the thread's own."""
    return sym.storage in ("local", "tape")


def counter(loop: For) -> Sym:
    """The counter of a loop that has `iterations`."""
    (first,) = loop.init
    assert isinstance(first, Declare)
    return first.sym


def only_computes(loop: For) -> bool:
    """Whether a loop changes nothing but variables and sums, and no threads meet in it."""
    for stmt in statements(loop.body):
        match stmt:
            case Assign(target):
                if target.index or target.sym.storage != "local":
                    return False
            case Declare() | Accumulate() | If() | For() | Quote() | Comment():
                pass
            case _:
                return False
    calls = [part for part in all_parts(loop) if isinstance(part, Call)]
    pure = not any(c.rule is None or c.rule in COLLECTIVE or c.outputs or is_drawn(c) for c in calls)
    return pure and not meets(loop)


def read(stmt: Stmt) -> frozenset[Sym]:
    """The symbols in a statement's own expressions, without the target of an addition."""
    exprs = (stmt.amount, *stmt.target.index) if isinstance(stmt, Accumulate) else expressions(stmt)
    return frozenset[Sym]().union(*(e.symbols for e in exprs))


def declared(*stmts: Stmt) -> Iterator[Sym]:
    """The variables that statements declare, nested ones included."""
    return (s.sym for s in statements(stmts) if isinstance(s, Declare))


def changed(*stmts: Stmt) -> frozenset[Sym]:
    """What statements set, or declare."""
    return frozenset[Sym]().union(*map(sets, stmts))


def computed(body: Body) -> Body:
    """The statements that aren't comments."""
    return tuple(s for s in body if not isinstance(s, Quote | Comment))
