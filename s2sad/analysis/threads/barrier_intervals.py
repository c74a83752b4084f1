"""Barrier intervals: which statements may run at the same time.

A barrier splits a body into segments. Two statements may run at the same time, in different
threads, if control gets from one to the other without a barrier on the way. If that path
crosses the end of a loop's body, the two run in different iterations; otherwise all
threads are in the same iteration of each loop that contains both and a barrier, because
such a loop is uniform.

    for (d = 128; d > 0; d /= 2) {
        if (t < d) s[t] += s[t + d];        one phase: both reads, at the same d
        __syncthreads();
    }

A __syncwarp() orders the lanes of one warp only: other warps still run at the same time. So it
ends no phase when asking which accesses may overlap; it does (`warps`) when reporting that two
threads' accesses to an element race.
"""

from __future__ import annotations

from ...ir import Barrier, Break, DoWhile, For, If, Return, Stmt, Switch, While, bodies, statements
from ..ssa import Loop, Scope, Versions, own_breaks

Loops = frozenset[Loop]


class Phases:
    """The phases of one function in tail form."""

    def __init__(self, versions: Versions, warps: bool = False) -> None:
        """`warps`: whether barriers of a warp end phases, too."""
        self.v = versions
        self.warps = warps
        self.segment: dict[Stmt, int] = {}
        self.around: list[tuple[Loop, ...]] = []  # of each segment, the loops with barriers
        self.edges: list[list[tuple[int, Loop | None]]] = []
        self.leaving: dict[Loop, list[int]] = {}
        self._reached: dict[int, dict[int, Loops]] = {}
        self._walk(versions.root, self._new(()))

    def loops(self, stmt: Stmt) -> tuple[Loop, ...]:
        """Return the loops around a statement that contain barriers, outermost first."""
        return self.around[self.segment[stmt]]

    def together(self, a: Stmt, b: Stmt) -> Loops | None:
        """None if a barrier always separates them; else the loops in whose same iteration both are."""
        here, there = self.segment[a], self.segment[b]
        found: Loops | None = None
        for source, target in ((here, there), (there, here)):
            same = self._reach(source).get(target)
            if same is not None:
                found = same if found is None else found & same
        return found

    # ---- segments ----------------------------------------------------------

    def _new(self, around: tuple[Loop, ...], *sources: int | None) -> int:
        self.around.append(around)
        self.edges.append([])
        new = len(self.around) - 1
        for source in sources:
            if source is not None:
                self.edges[source].append((new, None))
        return new

    def _walk(self, scope: Scope, at: int) -> int | None:
        """Split a body into segments; return the one in which it ends, if it does."""
        here: int | None = at
        around = self.around[at]
        for stmt in scope.stmts:
            if here is None:
                break
            self.segment[stmt] = here
            inside = self.v.inside.get(stmt, ())
            match stmt:
                case Barrier(warp=warp) if self.warps or not warp:
                    here = self._new(around)
                case Break():
                    for loop in reversed(around):
                        if any(b is stmt for b in own_breaks(loop.body)):
                            self.leaving.setdefault(loop, []).append(here)
                            break
                    here = None
                case Return():
                    here = None
                case _ if not holds_barrier(stmt, self.warps):
                    for inner in (s for body in bodies(stmt) for s in statements(body)):
                        self.segment[inner] = here
                case If() | Switch():
                    ends = [self._walk(s, self._new(around, here)) for s in inside]
                    here = self._new(around, *ends)
                case For() | While() | DoWhile():
                    for first in stmt.init if isinstance(stmt, For) else ():
                        self.segment[first] = here
                    head = self._new((*around, stmt), here)
                    self.segment[stmt] = head
                    end = self._walk(inside[0], self._new((*around, stmt), head))
                    if end is not None:
                        self.edges[end].append((head, stmt))
                    here = self._new(around, head, end, *self.leaving.get(stmt, ()))
                case _:
                    raise AssertionError(stmt)
        return here

    def _reach(self, source: int) -> dict[int, Loops]:
        """Find the segments reachable without a barrier, and the loops in whose same iteration they are."""
        if source not in self._reached:
            found: dict[int, Loops] = {source: frozenset(self.around[source])}
            todo = [source]
            while todo:
                at = todo.pop()
                for target, crossed in self.edges[at]:
                    same = found[at] & frozenset(self.around[target])
                    if crossed is not None:
                        around = self.around[target]
                        same &= frozenset(around[: around.index(crossed)])
                    before = found.get(target)
                    after = same if before is None else before & same
                    if after != before:
                        found[target] = after
                        todo.append(target)
            self._reached[source] = found
        return self._reached[source]


def holds_barrier(stmt: Stmt, warps: bool = False) -> bool:
    """Whether a statement contains a barrier of the block; or one of a warp, if `warps`."""
    return any(isinstance(s, Barrier) and (warps or not s.warp) for s in statements((stmt,)))
