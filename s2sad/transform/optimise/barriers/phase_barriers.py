"""Increments of one shared array that meet, each in a phase of its own.

    if (i < n) {                             if (i < n)
        adj_s[t - 1] += g;                       adj_s[t - 1] += g;
        adj_s[t + 1] += g;            ->     __syncthreads();
    }                                        if (i < n)
                                                 adj_s[t + 1] += g;

Each of them alone hits an element once per block; together they would need atomics,
which in shared memory are loops, and add up in another order each time. So do the
iterations of a loop: then the barrier stands in it, unless its iterations have one
already. One barrier is less than one atomic of each thread. It needs all threads, so
the guard around it is split, and the one around a loop stands inside it (see `block_reduce`).
Where that can't be, the array's increments become atomic.
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
    """The body with such increments apart; the arrays whose increments became atomic after all.

    `settled` takes out the barriers that nothing needs. If any that stands here for the first time is
    left, an early return becomes a guard, so that all threads come to it.
    """
    opened = without_returns(body) if parted_by_returns(body) else body
    if opened is None:  # threads leave from inside of something: none of the barriers would be for all
        failed = _added(body)
        return settled(_fallen(body, failed)), frozenset(failed)
    new, failed = _apart(opened)
    apart = settled(new)
    if opened is not body and _barriers(apart) <= _barriers(body):
        apart = settled(_fallen(body, failed))
    return stored("separated", body, apart), frozenset(failed)


Settled = Callable[[Body], Body]
"""What takes barriers out of a body that nothing needs."""


def _apart(body: Body) -> tuple[Body, set[Sym]]:
    """The body with a barrier between any two increments that must be apart, and the arrays that failed.

    Each array fails once at most, so it ends after as many turns as there are arrays.
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
        """A body that all threads of the block run through together.

        `before`: arrays added to since the last barrier; with the body, those at its end.
        """
        out: list[Stmt] = []
        open_ = set(before)
        for stmt in body:
            if isinstance(stmt, Barrier | Accumulate) and meets_all(stmt):
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
        """Whether a barrier before a loop spares one in each iteration."""
        if not isinstance(stmt, Loop):
            return False
        alone, together = (self.holding(stmt, before)[0] for before in (frozenset[Sym](), frozenset(open_)))
        return len(_barriers((together,))) > len(_barriers((alone,)))

    def holding(self, stmt: Stmt, before: frozenset[Sym]) -> tuple[Stmt, set[Sym]]:
        """A branch or a loop that holds barriers, and what is open behind it.

        A loop's body also comes after its own end, and a case after another one; either may not run.
        What is open before it only grows, by arrays that it adds to.
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
    """The end of a body, before the quotes of what comes next."""
    at = len(out)
    while at and isinstance(out[at - 1], Quote | Comment):
        at -= 1
    return at


def _repeats(stmt: Stmt) -> bool:
    """Whether a loop in a statement adds to arrays whose increments must be apart."""
    loops = (s for s in statements((stmt,)) if isinstance(s, Loop))
    return any(_added((loop,)) for loop in loops)


def _pieces(stmt: Stmt, open_: set[Sym], inner_guard: bool = False) -> list[Stmt | None]:
    """A statement in stretches, None where a barrier must be; a guard stands around each of its own."""
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
                        out, now = [*out, None], set()  # as well before what only computes
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
            # Inside a loop, or one branch of two: once is fine, if nothing of it is open.
            if open_ & added or _times(stmt):
                raise _Stuck(min(added, key=lambda s: s.name))
            return [stmt]


def _splits(stmt: If, pieces: list[Stmt | None]) -> bool:
    """Whether a guard inside another may stand several times: it computes nothing that lasts."""
    if any(isinstance(e, Place) and e.index for e in walk(stmt.cond)) or written(stmt) & set(
        in_expr(stmt.cond)
    ):
        return False
    return not any(isinstance(s, Declare) for p in pieces if isinstance(p, If) for s in p.then)


def _times(stmt: Stmt) -> bool:
    """Whether a statement holds two increments of one array that must be apart."""
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
    """What stands in the guards of one stretch."""
    return tuple(s for piece in group if isinstance(piece, If) for s in piece.then)


def _added(body: Iterable[Stmt]) -> set[Sym]:
    """Arrays with increments that must be apart."""
    return {s.target.sym for s in statements(tuple(body)) if isinstance(s, Accumulate) and s.how == "phase"}
