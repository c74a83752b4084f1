"""Block uniformity of the variables and branches of a built adjoint.

The analyses answer this for versions of the primal (`analysis.threads.block_uniformity`); here it
covers statements that only the adjoint has, and a variable over its whole lifetime. A least fixed
point: a variable is divergent if it is set to a divergent value, or under divergent control while
visible to all threads. Memory that is stored to is assumed divergent: it may change
between two reads.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...analysis.atomics import is_drawn
from ...analysis.ssa import Loop
from ...fixpoint import rounds
from ...ir import (
    BLOCK_REDUCTIONS,
    COLLECTIVE,
    AddressOf,
    Assign,
    Body,
    Call,
    Declare,
    Expr,
    For,
    Place,
    Pointer,
    Scalar,
    Special,
    Stmt,
    Sym,
    bodies,
    children,
    expressions,
    statements,
)
from ..common.algebra import real, rewrite
from ..common.jumps import exits
from ..common.mod_ref import meets_all, sets, written


class Alike:
    """The uniformity of one kernel's body.

    `steady`: assume that the threads compared reach a place between the same two barriers, so that
    memory that the kernel stores to has one value per index.
    """

    def __init__(self, body: Body, steady: bool = False) -> None:
        self.different: set[Sym] = set()
        self.steady = steady
        self.stored = {s for stmt in body for s in written(stmt)}
        syms = sum(1 for _ in statements(body)) + len(self.stored)
        for _ in rounds(syms, "what all threads agree on"):  # the divergent set only grows
            before = len(self.different)
            self._look(body, None)
            if before == len(self.different):
                break

    def same(self, *exprs: Expr) -> bool:
        """Whether expressions have the same value in all threads of the block that evaluate them."""
        return not any(self._differs(part) for expr in exprs for part in _parts(expr))

    def together(self, stmt: Stmt) -> bool:
        """Whether threads that reach a branch or loop together stay together in it."""
        if isinstance(stmt, Loop) and meets_all(stmt):
            return True  # the primal has barriers there
        if isinstance(stmt, Loop) and any(map(exits, stmt.body)):
            return False
        heads = (*stmt.init, *stmt.step) if isinstance(stmt, For) else ()
        return self.same(*expressions(stmt), *(e for s in heads for e in expressions(s)))

    def _differs(self, part: Expr) -> bool:
        match part:
            case Special("threadIdx"):
                return True
            case Call() if part.rule in COLLECTIVE:
                return not part.name.startswith("__syncthreads")
            case Call(callee=str()):
                return True  # it may read its thread's position
            case Call() if is_drawn(part):
                return True
            case AddressOf():
                return True
            case Place(sym, index):
                memory = sym.storage == "shared" or (bool(index) and isinstance(sym.type, Pointer))
                changing = memory and sym in self.stored and not self.steady
                return sym in self.different or changing or _own(sym)
            case _:
                return False

    def _look(self, body: Body, mine: set[Sym] | None) -> None:
        """`mine`: the variables declared since control diverged; None if it hasn't."""
        own = set(mine or ())
        for stmt in body:
            parts = bodies(stmt)
            changed = set() if parts else set(written(stmt))
            if isinstance(stmt, Declare):
                own.add(stmt.sym)
                changed.add(stmt.sym)
            if changed and not self.same(*expressions(stmt)):
                self.different |= changed
            if mine is not None:
                self.different |= changed - own
            if not parts:
                continue
            heads = stmt.init if isinstance(stmt, For) else ()
            counters = {s.sym for s in heads if isinstance(s, Declare)}
            inner: set[Sym] | None = counters
            if self.together(stmt):
                inner = None if mine is None else own | counters
            for part in parts:
                self._look(part, inner)


def uniform_after(before: Sequence[Stmt], expr: Expr, alike: Alike) -> bool:
    """Whether an expression has one value in all threads of a block, after the statements of a body.

    A variable counts with the value that it was set to last, though it differed between threads before.
    """

    def change(e: Expr) -> Expr | None:
        if not isinstance(e, Place) or e.index or not isinstance(e.type, Scalar):
            return None
        for k in range(len(before) - 1, -1, -1):
            stmt = before[k]
            if e.sym not in sets(stmt):
                continue
            match stmt:
                case Declare(_, value) | Assign(Place(_, ()), value, None) if isinstance(value, Expr):
                    return real(0.0, e.type) if uniform_after(before[:k], value, alike) else None
                case _:
                    return None
        return None

    return alike.same(rewrite(expr, change))


def _parts(expr: Expr) -> Iterator[Expr]:
    """The expression and its parts; not those of a reduction of the block, whose result is uniform."""
    yield expr
    if not (isinstance(expr, Call) and expr.rule in BLOCK_REDUCTIONS):
        for child in children(expr):
            yield from _parts(child)


def _own(sym: Sym) -> bool:
    """The tape: memory private to each thread."""
    return sym.storage == "tape" and isinstance(sym.type, Pointer)
