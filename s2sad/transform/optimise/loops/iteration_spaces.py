"""The iterations of a loop, in a form in which two loops can be compared."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ....analysis.atomics import is_drawn
from ....analysis.constants import FLIPPED, literal
from ....ir import (
    BOOL,
    COLLECTIVE,
    Accumulate,
    Assign,
    Binary,
    Body,
    Call,
    Comment,
    Const,
    Declare,
    DoWhile,
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
from ...common.algebra import converted, is_const, rewrite
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
    common = renaming({counter: _COUNTERS.setdefault(counter.type, Sym("counter", counter.type))})
    return Iterations(init, rewrite(cond, common), rewrite(value, common), op)


_COUNTERS: dict[Scalar, Sym] = {}


def private(sym: Sym) -> bool:
    """Whether a variable or array is the thread's own."""
    return sym.storage in ("local", "tape")


def counter(loop: For) -> Sym:
    """The counter of a loop that has `iterations`."""
    (first,) = loop.init
    assert isinstance(first, Declare)
    return first.sym


def runs_once(loop: For) -> Expr:
    """The condition under which a loop that has `iterations` runs one."""
    (first,) = loop.init
    assert isinstance(first, Declare)
    assert isinstance(first.init, Expr)
    assert loop.cond is not None
    start = converted(first.init, first.sym.type)
    cond = rewrite(loop.cond, lambda e: start if isinstance(e, Place) and e.sym is first.sym else None)
    match cond:
        case Binary(">=", Binary("-", size, Const(int() as by), Scalar(kind="signed") as kind), end) if (
            size.type == end.type and by > 0
        ):
            if by == 1:
                return Binary(">", size, end, BOOL)
            if is_const(end, 0):
                return Binary(">", size, Const(by - 1, kind), BOOL)
            return cond
        case Binary(op, Const(), end) if op in FLIPPED and not isinstance(end, Const):
            return replace(cond, op=FLIPPED[op], left=end, right=cond.left)
        case _:
            return cond


def surely_runs(loop: For) -> bool:
    """Whether a loop runs at least one iteration: by literals, or as the loop that it reverses."""
    match loop.reverses:
        case DoWhile(body) if not any(map(exits, body)):
            return True
        case For(body=body) as primal if not any(map(exits, body)) and _enters(primal):
            return True
        case _:
            return _enters(loop)


def _enters(loop: For) -> bool:
    match loop:
        case For((Declare(own, init),), Binary("<" | ">" | "<=" | ">=" as op, Place(sym, ()), end)):
            start = literal(init) if isinstance(init, Expr) else None
            stop = literal(end)
            if sym is not own or start is None or stop is None:
                return False
            return {"<": start < stop, ">": start > stop, "<=": start <= stop, ">=": start >= stop}[op]
        case _:
            return False


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
