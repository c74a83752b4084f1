"""Counters whose step nobody knows the sign of, in loops that wouldn't end otherwise.

    for (; i < n; i += step) { … }        step is positive if the body runs at all

An `int` or a wider signed counter doesn't wrap around, so if only the condition ends the loop,
the step leads towards the bound. If the loop doesn't run, the step may be anything. So
the values are enumerated without a trip count from the forward sweep, but what divides
by the step is guarded, and no tape is as long as the loop: the host can't know its length.
"""

from __future__ import annotations

from dataclasses import replace

from ...ir import Assign, Expr, For, Place, Scalar
from ..constants import overflows
from ..ssa import Loop, Versions
from .counted_loops import Counter, Positive, comparison_type, counter, leaves_early
from .linear_changes import stays


class _Presumed(Positive):
    def holds(self, expr: Expr) -> bool:
        return True


def presumed(loop: Loop, versions: Versions) -> Counter | None:
    """Return the counter of such a loop; it starts at the variable's value before the loop."""
    if not isinstance(loop, For) or loop.init or len(loop.step) != 1 or leaves_early(loop.body):
        return None
    step = loop.step[0]
    if not isinstance(step, Assign) or step.target.index or versions.breaks[loop]:
        return None
    sym, kind = step.target.sym, step.target.type
    if sym not in versions.heads[loop] or not isinstance(kind, Scalar) or not overflows(kind):
        return None
    if comparison_type(loop.cond, kind).kind != "signed":
        return None
    place = Place(sym, (), kind)
    found = counter(replace(loop, init=(Assign(place, place),)), versions.writes[loop], _Presumed())
    if found is None or not all(stays(e, loop, versions) for e in (found.step, found.bound)):
        return None
    return found
