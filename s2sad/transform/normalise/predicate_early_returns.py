"""Replace early returns before barriers by guards, so that all threads reach the barriers.

    if (i >= n)                       bool here = i < n;
        return;                       if (here)
    s[t] = x[i];            ->            s[t] = x[i];
    __syncthreads();                  __syncthreads();
    y[i] = s[t] + s[t - 1];           if (here)
                                          y[i] = s[t] + s[t - 1];

The hardware doesn't wait at a barrier for threads that have returned, but the reverse
sweep starts after it, with all threads. So the guard is split at each barrier. Code that
computes only with sizes and positions stays unguarded, so that loops with barriers have
their bounds.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ...analysis.ssa import Loop, loads, operands, scalars, targets
from ...analysis.threads.barrier_intervals import holds_barrier
from ...analysis.traversal import ends
from ...fixpoint import rounds
from ...ir import (
    BOOL,
    INT,
    Array,
    Assign,
    Barrier,
    Binary,
    Block,
    Body,
    Break,
    Call,
    Cast,
    Const,
    Continue,
    Declare,
    DoWhile,
    Evaluate,
    Expr,
    For,
    Function,
    If,
    Place,
    Return,
    Scalar,
    Special,
    Stmt,
    Switch,
    Sym,
    While,
    rebuilt,
    statements,
    walk,
)
from ..common.guard_splitting import outwards, with_names
from ..common.jumps import any_has, negation
from ..common.symbol_uses import uses
from .speculation import asks_memory, block_vote, everyones, hazard, leaves, may_not_end, plain, sets, voted


def predicate_early_returns(kernel: Function) -> Function:
    """The kernel with such guards instead of early returns."""
    if not any(holds_barrier(s) for s in kernel.body):
        return kernel
    made = _Meeting(kernel)
    return replace(kernel, body=made.body(kernel.body))


@dataclass
class _Meeting:
    kernel: Function
    divergent: set[Sym] = field(default_factory=set)
    changed: set[Sym] = field(default_factory=set)  # assigned other than at their declaration

    def __post_init__(self) -> None:
        every = list(statements(self.kernel.body))
        height = sum(len(targets(stmt)) for stmt in every)
        for _ in rounds(height, "which variables differ", self.kernel.span):  # the set only grows
            before = len(self.divergent)
            for stmt in every:
                if block_vote(stmt) is None and any(self.differs(e) for e in operands(stmt)):
                    inner = [*statements((stmt,))]  # what a divergent branch sets
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
        """Whether the value may differ between threads of a block."""
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
                return (*out, *_Guarded(self, here, everyones(rest)).body(rest, frozenset(), top=True))
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
    """The statements after an early return, under its guard."""

    made: _Meeting
    here: Sym
    everyones: frozenset[Sym] = frozenset()  # what returned threads compute too
    free: set[Sym] = field(default_factory=set)  # locals available to all threads
    inner: frozenset[Sym] = frozenset()  # declared at or after the first early return
    stopped: bool = False  # whether blocks in which all threads have returned have already left

    def __post_init__(self) -> None:
        self.inner = _declared_behind(self.made.kernel.body)

    def body(self, stmts: Body, later: frozenset[Sym], top: bool = False, endless: bool = False) -> Body:
        """The guarded statements; `later` are the symbols used after them.

        `top`: not inside a branch or loop. `endless`: inside a loop that only active threads can end.
        """
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
                case _ if block_vote(stmt) is not None or self.by_everyone(stmt):
                    changed = self.flush(out, pending, [stmt, *work], later)
                    out += self.stop(stmt, top)
                    out.append(self.of_all(changed[0], after))
                    work = changed[1:]
                case If() if endless and self.made.leaves_early(stmt, tuple(work)):
                    pending.append(stmt)  # no active thread might be left to end the loop
                case Declare(sym) if self.computes(stmt):
                    if sym not in self.made.changed:
                        self.free.add(sym)
                    out.append(stmt)
                case If() if self.made.leaves_early(stmt, tuple(work)):
                    pending.append(replace(stmt, then=stmt.then[:-1])) if stmt.then[:-1] else None
                    pending.append(Assign(Place(self.here, (), BOOL), negation(stmt.cond)))
                    work = self.flush(out, pending, work, later)
                    self.stopped = False
                case If() if holds_barrier(stmt):
                    branch, *work = self.flush(out, pending, [stmt, *work], later)
                    assert isinstance(branch, If)
                    out += self.stop(branch, top)
                    then, other = (self.body(b, after, endless=endless) for b in (branch.then, branch.other))
                    out.append(replace(branch, then=then, other=other))
                case For() | While() | DoWhile() if holds_barrier(stmt):
                    changed = self.flush(out, pending, [stmt, *work], later)
                    loop, work = changed[0], changed[1:]
                    assert isinstance(loop, Loop)
                    out += self.stop(loop, top)
                    again = after | frozenset(uses((loop,)))
                    end = endless or may_not_end((loop,))
                    if isinstance(loop, For):
                        self.free.update(s.sym for s in loop.init if isinstance(s, Declare))
                    out.append(replace(loop, body=self.body(loop.body, again, endless=end)))
                case _:
                    pending.append(stmt)
        self.flush(out, pending, [], later)
        return tuple(out)

    def stop(self, stmt: Stmt, top: bool) -> tuple[Stmt, ...]:
        """A return of the whole block, before a statement that only active threads can end."""
        if not top or self.stopped or not (may_not_end((stmt,)) or asks_memory(stmt)):
            return ()
        self.stopped = True
        return everyone_left(self.here)

    def by_everyone(self, stmt: Stmt) -> bool:
        """Whether returned threads run a statement too, fully or for its nested statements."""
        match stmt:
            case Break() | Continue() | Return():
                return True
            case Declare(sym):
                return sym in self.everyones and not self.computes(stmt)
            case Assign(Place(sym, ())):
                return sym in self.everyones
            case If(cond) if leaves(stmt) and not holds_barrier(stmt):
                back = any_has((stmt,), Return) and self.made.differs(cond)
                return all(map(self.known, scalars(cond))) and plain(cond) and not back
            case If() | Switch() | For() | While() | DoWhile() if not holds_barrier(stmt):
                return sets(stmt, self.everyones)
            case _:
                return False

    def known(self, sym: Sym) -> bool:
        """Whether returned threads have a variable's value."""
        same = sym not in self.made.changed and (sym in self.free or self.outside(sym))
        return same or sym in self.everyones

    def of_all(self, stmt: Stmt, after: frozenset[Sym]) -> Stmt:
        """A statement that all threads run: a vote that ignores returned threads, or a branch or loop."""
        call = block_vote(stmt)
        if call is not None:
            asked = voted(call, Place(self.here, (), BOOL))
            match stmt:
                case Declare():
                    return replace(stmt, init=asked)
                case Assign():
                    return replace(stmt, value=asked)
                case Evaluate():
                    return replace(stmt, call=asked)
                case _:
                    raise AssertionError(stmt)
        again = after if isinstance(stmt, If | Switch) else after | frozenset(uses((stmt,)))
        return rebuilt(stmt, lambda b: self.body(b, again))

    def flush(
        self, out: list[Stmt], pending: list[Stmt], work: list[Stmt], later: frozenset[Sym]
    ) -> list[Stmt]:
        """Emit the pending statements under the guard; returns `work` with moved variables renamed."""
        if not pending:
            return work
        inside, moved, renamed = outwards(tuple(pending), {*later, *uses(work)})
        pending.clear()
        out += [*moved, If(Place(self.here, (), BOOL), inside)]
        return list(with_names(tuple(work), renamed))

    def computes(self, stmt: Declare) -> bool:
        """Whether a variable is computed from sizes and positions alone."""
        init = stmt.init
        if not isinstance(init, Expr):
            return False
        if not isinstance(stmt.sym.type, Scalar) or any(True for _ in loads(init)):
            return False
        for e in walk(init):
            if isinstance(e, Call) or (isinstance(e, Binary) and hazard(e)):
                return False
        return all(s not in self.made.changed and (s in self.free or self.outside(s)) for s in scalars(init))

    def outside(self, sym: Sym) -> bool:
        """Whether a variable was declared before the guard, or is a parameter or global."""
        return sym.storage in ("parameter", "global") or sym not in self.inner


def _declared_behind(body: Body) -> frozenset[Sym]:
    """Locals declared at or after the first early return of a kernel's body."""
    found: set[Sym] = set()
    behind = False
    for stmt in body:
        behind = behind or any(isinstance(s, Return) for s in statements((stmt,)))
        if behind:
            found.update(s.sym for s in statements((stmt,)) if isinstance(s, Declare))
    return frozenset(found)


def everyone_left(here: Sym) -> tuple[Stmt, ...]:
    """A return of the whole block if all its threads have returned: none is left to end the loop."""
    some = Sym("some", INT)
    vote = Call("__syncthreads_or", (Cast(Place(here, (), BOOL), INT, implicit=True),), INT, "vote")
    nobody = Binary("==", Place(some, (), INT), Const(0, INT), BOOL)
    return Declare(some, vote), Barrier(), If(nobody, (Return(),))


def _local(sym: Sym) -> bool:
    return isinstance(sym.type, Array) and sym.storage == "local"
