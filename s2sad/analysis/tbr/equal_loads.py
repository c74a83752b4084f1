"""Reads of one element with one value: a single record is enough for all of them.

float i = sigmoid(h[l] * wi[l]);
float g = tanhf(h[l] * wg[l]);        h[l] is read twice before it is overwritten
h[l] = …;
"""

from __future__ import annotations

from collections.abc import Container

from ...ir import Barrier, Place, Stmt, Sym
from ..ssa import Loop, Versions, loads, scalars, targets
from .recorded import Load, Recorded


def equal_loads(recorded: Recorded, versions: Versions, exchanged: Container[Sym]) -> dict[Load, Load]:
    """Return the recorded reads that give what an earlier one gave, each with the first such read.

    Both are in one body, with no store to the array and no barrier from one to the other.
    """
    found: dict[Load, Load] = {}
    firsts: list[Load] = []
    for load, home in sorted(recorded.loads.items(), key=lambda item: versions.order[item[0][0]]):
        stmt, place = load
        if place.sym in exchanged or isinstance(stmt, Loop) or index_is_loaded(place):
            continue
        for first in firsts:
            if recorded.loads[first] is home and _equal(first, load, versions):
                found[load] = first
                break
        else:
            firsts.append(load)
    return found


def index_is_loaded(place: Place) -> bool:
    """Whether the index itself is loaded from memory."""
    return any(True for part in place.index for _ in loads(part))


def same_index(one: Stmt, two: Stmt, place: Place, v: Versions) -> bool:
    """Whether the variables in an index have the same values in both statements."""
    first, second = v.reads.get(one, {}), v.reads.get(two, {})
    return all(first.get(sym) is second.get(sym) for part in place.index for sym in scalars(part))


def _equal(first: Load, load: Load, v: Versions) -> bool:
    (before, one), (stmt, two) = first, load
    if one != two or v.scope_of[before] is not v.scope_of[stmt] or before is stmt:
        return False
    low, high = v.order[before], v.order[stmt]
    return same_index(before, stmt, one, v) and not any(
        low <= v.order[s] < high and (isinstance(s, Barrier) or any(t.sym is one.sym for t in targets(s)))
        for s in v.order
    )


__all__ = ["equal_loads", "index_is_loaded", "same_index"]
