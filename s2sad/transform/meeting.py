"""Threads that return before a barrier: they come along to it, and do nothing else.

    if (i >= n)                       bool here = i < n;
        return;                       if (here)
    s[t] = x[i];            ->            s[t] = x[i];
    __syncthreads();                  __syncthreads();
    y[i] = s[t] + s[t - 1];           if (here)
                                          y[i] = s[t] + s[t - 1];

The hardware lets a barrier pass without threads that have returned; the reverse sweep
starts behind it, with all of them. So the guard is split at each barrier. What only
computes with sizes and positions stays outside, so that loops with barriers find their
bounds.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ..analysis.phases import holds_barrier
from ..analysis.versions import loads, operands, scalars, targets
from ..fixpoint import rounds
from ..ir import (
    BOOL,
    Array,
    Assign,
    Barrier,
    Binary,
    Block,
    Body,
    Call,
    Const,
    Declare,
    DoWhile,
    Expr,
    For,
    Function,
    If,
    Initialiser,
    Place,
    Return,
    Scalar,
    Special,
    Stmt,
    Sym,
    While,
    statements,
    walk,
)
from .guards import outwards, with_names
from .jumps import any_has, ends, negation
from .syms import uses


def meeting(kernel: Function) -> Function:
    """The kernel with such guards in place of early returns."""
    if not any(holds_barrier(s) for s in kernel.body):
        return kernel
    made = _Meeting(kernel)
    return replace(kernel, body=made.body(kernel.body))


@dataclass
class _Meeting:
    kernel: Function
    divergent: set[Sym] = field(default_factory=set)
    changed: set[Sym] = field(default_factory=set)  # set more often than where they are declared

    def __post_init__(self) -> None:
        every = list(statements(self.kernel.body))
        height = sum(len(targets(stmt)) for stmt in every)
        for _ in rounds(height, "which variables differ", self.kernel.span):  # they only grow
            before = len(self.divergent)
            for stmt in every:
                if any(self.differs(e) for e in operands(stmt)):
                    inner = [*statements((stmt,))]  # of a branch, what it sets
                    self.divergent.update(t.sym for s in inner for t in targets(s) if not t.index)
            if before == len(self.divergent):
                break
        times: dict[Sym, int] = {}
        for stmt in every:
            for target in targets(stmt):
                times[target.sym] = times.get(target.sym, 0) + 1
        self.changed = {s for s, n in times.items() if n > 1}
        self.changed |= {s for s in times if s.storage == "parameter"}

    def differs(self, expr: Expr) -> bool:
        """Whether threads of a block may have different values."""
        return any(
            (isinstance(e, Special) and e.name == "threadIdx")
            or (isinstance(e, Call) and e.callee is not None)
            or (isinstance(e, Place) and (e.sym in self.divergent or (bool(e.index) and _local(e.sym))))
            for e in walk(expr)
        )

    def body(self, stmts: Body) -> Body:
        """The statements with guards from the first early return on."""
        out: list[Stmt] = []
        for position, stmt in enumerate(stmts):
            rest = stmts[position + 1 :]
            if isinstance(stmt, Block):
                return (*out, *self.body((*stmt.body, *rest)))
            if isinstance(stmt, If) and stmt.other:
                alone, rest = replace(stmt, other=()), (*stmt.other, *rest)
                if self.leaves_early(alone, rest):
                    return (*out, *self.body((alone, *rest)))
            if self.leaves_early(stmt, rest):
                assert isinstance(stmt, If)
                here = Sym("here", BOOL)
                out.append(Declare(here, negation(stmt.cond)))
                if stmt.then[:-1]:
                    out.append(replace(stmt, then=stmt.then[:-1]))
                return (*out, *_Guarded(self, here).body(rest, frozenset()))
            out.append(stmt)
        return tuple(out)

    def leaves_early(self, stmt: Stmt, rest: Body) -> bool:
        return (
            isinstance(stmt, If)
            and not stmt.other
            and bool(stmt.then)
            and isinstance(stmt.then[-1], Return)
            and not any_has(stmt.then[:-1], Return)
            and not ends(stmt.then[:-1])
            and any(holds_barrier(s) for s in rest)
            and self.differs(stmt.cond)
        )


@dataclass
class _Guarded:
    """What comes after an early return, under its guard."""

    made: _Meeting
    here: Sym
    free: set[Sym] = field(default_factory=set)  # locals that all threads have
    inner: frozenset[Sym] = frozenset()  # declared where some threads have returned

    def __post_init__(self) -> None:
        self.inner = _declared_behind(self.made.kernel.body)

    def body(self, stmts: Body, later: frozenset[Sym]) -> Body:
        """The statements; `later` are symbols used behind them."""
        out: list[Stmt] = []
        pending: list[Stmt] = []
        work = list(stmts)
        while work:
            stmt = work.pop(0)
            after = later | frozenset(uses(work))
            match stmt:
                case Block():
                    work[:0] = stmt.body
                case Barrier():
                    work = self.flush(out, pending, [stmt, *work], later)[1:]
                    out.append(stmt)
                case Declare(sym) if sym.storage == "shared":
                    out.append(stmt)
                case Declare(sym) if self.computes(stmt):
                    if sym not in self.made.changed:
                        self.free.add(sym)
                    out.append(stmt)
                case If() if self.made.leaves_early(stmt, tuple(work)):
                    pending.append(replace(stmt, then=stmt.then[:-1])) if stmt.then[:-1] else None
                    pending.append(Assign(Place(self.here, (), BOOL), negation(stmt.cond)))
                    work = self.flush(out, pending, work, later)
                case If() if holds_barrier(stmt):
                    stmt = self.flush(out, pending, [stmt, *work], later)[0]
                    assert isinstance(stmt, If)
                    then, other = self.body(stmt.then, after), self.body(stmt.other, after)
                    out.append(replace(stmt, then=then, other=other))
                case For() | While() | DoWhile() if holds_barrier(stmt):
                    changed = self.flush(out, pending, [stmt, *work], later)
                    loop, work = changed[0], changed[1:]
                    assert isinstance(loop, For | While | DoWhile)
                    again = after | frozenset(uses((loop,)))
                    if isinstance(loop, For):
                        self.free.update(s.sym for s in loop.init if isinstance(s, Declare))
                    out.append(replace(loop, body=self.body(loop.body, again)))
                case _:
                    pending.append(stmt)
        self.flush(out, pending, [], later)
        return tuple(out)

    def flush(
        self, out: list[Stmt], pending: list[Stmt], work: list[Stmt], later: frozenset[Sym]
    ) -> list[Stmt]:
        """Puts what is pending under the guard; what follows, with variables that had to move out."""
        if not pending:
            return work
        inside, moved, renamed = outwards(tuple(pending), {*later, *uses(work)})
        pending.clear()
        out += [*moved, If(Place(self.here, (), BOOL), inside)]
        return list(with_names(tuple(work), renamed))

    def computes(self, stmt: Declare) -> bool:
        """Whether a variable is made of sizes and positions alone."""
        init = stmt.init
        if init is None or isinstance(init, Initialiser):
            return False
        if not isinstance(stmt.sym.type, Scalar) or any(True for _ in loads(init)):
            return False
        for e in walk(init):
            if isinstance(e, Call) or (isinstance(e, Binary) and e.op in ("/", "%") and _hazard(e)):
                return False
        return all(s not in self.made.changed and (s in self.free or self.outside(s)) for s in scalars(init))

    def outside(self, sym: Sym) -> bool:
        """Whether a variable was set before the guard, or is a parameter."""
        return sym.storage in ("parameter", "global") or sym not in self.inner


def _declared_behind(body: Body) -> frozenset[Sym]:
    """Locals declared at or behind the first early return of a kernel's body."""
    found: set[Sym] = set()
    behind = False
    for stmt in body:
        behind = behind or any(isinstance(s, Return) for s in statements((stmt,)))
        if behind:
            found.update(s.sym for s in statements((stmt,)) if isinstance(s, Declare))
    return frozenset(found)


def _hazard(e: Binary) -> bool:
    """Whether a division may be by zero where a thread that returned would come."""
    return isinstance(e.type, Scalar) and e.type.is_integer and not isinstance(e.right, Const)


def _local(sym: Sym) -> bool:
    return isinstance(sym.type, Array) and sym.storage == "local"
