"""Separate conflicting increments of one shared array into phases by barriers.

    if (i < n) {                             if (i < n)
        adj_s[t - 1] += g;                       adj_s[t - 1] += g;
        adj_s[t + 1] += g;            ->     __syncthreads();
    }                                        if (i < n)
                                                 adj_s[t + 1] += g;

Each increment alone hits an element once per block; together they would need atomics,
which in shared memory are loops and sum in a varying order. The same holds for the
iterations of a loop: the barrier then goes into the loop, unless an iteration has one
already. A block sum is no barrier here (see `eliminate_barriers`): blocks without its element skip it.
One barrier is cheaper than one atomic per thread. All threads must reach it, so
the guard around it is split, and a guard around a loop is moved inside (see `block_reduce`).
Where that is impossible, the array's increments become atomic.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from ....analysis.ssa import Loop
from ....fixpoint import rounds
from ....ir import (
    Accumulate,
    Barrier,
    Body,
    Comment,
    Declare,
    If,
    Place,
    Quote,
    Stmt,
    Switch,
    Sym,
    rebuilt,
    statements,
    substituted,
    walk,
)
from ...common.guard_splitting import split, without_returns
from ...common.mod_ref import meets_all, written
from ...common.symbol_uses import in_expr
from ..contribution_audit import accounted, stored
from ..uniformity import Alike
from .barrier_divergence import parted_by_returns


def separated(body: Body, settled: Settled) -> tuple[Body, frozenset[Sym]]:
    """The body with such increments separated, and the arrays whose increments became atomic instead.

    `settled` removes redundant barriers. If a new barrier is left, early returns become guards, so
    that all threads reach it.
    """
    opened = without_returns(body) if parted_by_returns(body) else body
    if opened is None:  # a return is nested: no new barrier would be reached by all threads
        failed = _added(body)
        return settled(_fallen(body, failed)), frozenset(failed)
    new, failed = _apart(opened)
    apart = settled(new)
    if opened is not body and _barriers(apart) <= _barriers(body):
        apart = settled(_fallen(body, failed))
    return stored("separated", body, apart), frozenset(failed)


Settled = Callable[[Body], Body]
"""Removes the redundant barriers of a body."""


def _apart(body: Body) -> tuple[Body, set[Sym]]:
    """The body with barriers between conflicting increments, and the arrays that failed.

    Each array fails at most once, so there is at most one round per array, plus one.
    """
    failed: set[Sym] = set()
    for _ in range(len(_added(body)) + 1):
        try:
            open_ = _fallen(body, failed)
            return accounted(
                "separated", body, _Separating(Alike(open_)).uniform(open_, frozenset())[0]
            ), failed
        except _Stuck as stuck:
            failed.add(stuck.array)
    raise AssertionError(f"increments of {min(failed, key=lambda s: s.name).name} are apart and stuck")


class _Stuck(Exception):
    """A barrier is needed where not all threads come."""

    def __init__(self, array: Sym) -> None:
        super().__init__(array)
        self.array = array


def _fallen(body: Body, failed: set[Sym]) -> Body:
    def change(stmt: Stmt) -> Body | None:
        if isinstance(stmt, Accumulate) and stmt.how == "phase" and stmt.target.sym in failed:
            return (replace(stmt, how="atomic"),)
        return None

    return substituted(body, change)


class _Separating:
    def __init__(self, alike: Alike) -> None:
        self.alike = alike

    def uniform(self, body: Body, before: frozenset[Sym]) -> tuple[Body, set[Sym]]:
        """A body that all threads of the block run together.

        `before`: arrays added to since the last barrier. Returns the body and those at its end.
        """
        out: list[Stmt] = []
        open_ = set(before)
        for stmt in body:
            if isinstance(stmt, Barrier) and not stmt.warp:
                open_ = set()
                out.append(stmt)
                continue
            if meets_all(stmt) or (_repeats(stmt) and self.alike.together(stmt)):
                if open_ & _added((stmt,)) and self.meets_first(stmt, open_):
                    out.insert(_start(out), Barrier())
                    open_ = set()
                new, open_ = self.holding(stmt, frozenset(open_))
                out.append(new)
                continue
            pieces = _pieces(stmt, open_)
            if pieces and pieces[0] is None:
                out.insert(_start(out), Barrier())
                open_ = set()
                pieces = pieces[1:]
            groups = _groups(pieces)
            if len(groups) == 1:
                out += groups[0]
            else:
                assert isinstance(stmt, If)
                out += split(stmt.cond, [_inside(group) for group in groups])
            open_ = (open_ if len(groups) == 1 else set()) | _added(groups[-1])
        return tuple(out), open_

    def meets_first(self, stmt: Stmt, open_: set[Sym]) -> bool:
        """Whether a barrier before a loop saves one in each iteration."""
        if not isinstance(stmt, Loop):
            return False
        alone, together = (self.holding(stmt, before)[0] for before in (frozenset[Sym](), frozenset(open_)))
        return len(_barriers((together,))) > len(_barriers((alone,)))

    def holding(self, stmt: Stmt, before: frozenset[Sym]) -> tuple[Stmt, set[Sym]]:
        """A branch or loop that contains barriers, and the arrays added to since the last barrier at its end.

        A loop's body may also follow its own end, and a case another one; either may not run. The
        set on entry only grows, by arrays that the statement adds to.
        """
        for _ in rounds(len(_added((stmt,))), "which increments are open", getattr(stmt, "span", None)):
            ends = set(before)

            def inner(body: Body, at: frozenset[Sym] = before, ends: set[Sym] = ends) -> Body:
                made, end = self.uniform(body, at)
                ends |= end
                return made

            new = rebuilt(stmt, inner)
            if not isinstance(stmt, Loop | Switch) or ends <= before:
                return new, ends
            before |= ends
        raise AssertionError(stmt)


def _barriers(body: Body) -> set[Stmt]:
    return {s for s in statements(body) if isinstance(s, Barrier)}


def _start(out: list[Stmt]) -> int:
    """The end of a body, before the quotes of the next statement."""
    at = len(out)
    while at and isinstance(out[at - 1], Quote | Comment):
        at -= 1
    return at


def _repeats(stmt: Stmt) -> bool:
    """Whether a loop in a statement adds to arrays whose increments must be separated."""
    loops = (s for s in statements((stmt,)) if isinstance(s, Loop))
    return any(_added((loop,)) for loop in loops)


def _pieces(stmt: Stmt, open_: set[Sym], inner_guard: bool = False) -> list[Stmt | None]:
    """A statement in stretches, with None where a barrier must be; its guard is repeated around each."""
    added = _added((stmt,))
    if not added:
        return [stmt]
    match stmt:
        case Accumulate():
            return [None, stmt] if stmt.target.sym in open_ else [stmt]
        case If(_, then, ()):
            out: list[Stmt | None] = []
            now, inner = set(open_), list[Stmt]()
            for part in then:
                for piece in _pieces(part, now, True):
                    if piece is None and not _added(inner):
                        out, now = [*out, None], set()  # move the barrier before statements that only compute
                    elif piece is None:
                        out += [replace(stmt, then=tuple(inner)), None]
                        inner, now = [], set()
                    else:
                        inner.append(piece)
                        now |= _added((piece,))
            out += [replace(stmt, then=tuple(inner))] if inner else []
            if inner_guard and None in out and not _splits(stmt, out):
                raise _Stuck(min(added, key=lambda s: s.name))
            return out
        case _:
            # In a loop or one of two branches: at most one increment, if no array is open.
            if open_ & added or _times(stmt):
                raise _Stuck(min(added, key=lambda s: s.name))
            return [stmt]


def _splits(stmt: If, pieces: list[Stmt | None]) -> bool:
    """Whether a nested guard may be repeated: its condition stays valid and no declaration is inside."""
    if any(isinstance(e, Place) and e.index for e in walk(stmt.cond)) or written(stmt) & set(
        in_expr(stmt.cond)
    ):
        return False
    return not any(isinstance(s, Declare) for p in pieces if isinstance(p, If) for s in p.then)


def _times(stmt: Stmt) -> bool:
    """Whether a statement has two increments of one array that must be separated, or is a loop."""
    seen: set[Sym] = set()
    for inner in statements((stmt,)):
        if isinstance(inner, Accumulate) and inner.how == "phase":
            if inner.target.sym in seen:
                return True
            seen.add(inner.target.sym)
    return isinstance(stmt, Loop)


def _groups(pieces: Iterable[Stmt | None]) -> list[list[Stmt]]:
    out: list[list[Stmt]] = [[]]
    for piece in pieces:
        if piece is None:
            out.append([])
        else:
            out[-1].append(piece)
    return out


def _inside(group: list[Stmt]) -> Body:
    """The statements inside the guards of one stretch."""
    return tuple(s for piece in group if isinstance(piece, If) for s in piece.then)


def _added(body: Iterable[Stmt]) -> set[Sym]:
    """Arrays with increments that must be separated."""
    return {s.target.sym for s in statements(tuple(body)) if isinstance(s, Accumulate) and s.how == "phase"}
