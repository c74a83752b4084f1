"""Reads of one element with one value: a single record is enough for all of them.

float i = sigmoid(h[l] * wi[l]);
float g = tanhf(h[l] * wg[l]);        h[l] is read twice before it is overwritten
h[l] = …;
"""

from __future__ import annotations

from collections.abc import Container, Mapping

from ...ir import Array, Barrier, Place, Pointer, Sym
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
        if place.sym in exchanged or isinstance(stmt, Loop) or _inner(place):
            continue
        for first in firsts:
            if recorded.loads[first] is home and _equal(first, load, versions):
                found[load] = first
                break
        else:
            firsts.append(load)
    return found


def _inner(place: Place) -> bool:
    """Whether the index itself is loaded from memory."""
    return any(True for part in place.index for _ in loads(part))


def _equal(first: Load, load: Load, v: Versions) -> bool:
    (before, one), (stmt, two) = first, load
    if one != two or v.scope_of[before] is not v.scope_of[stmt] or before is stmt:
        return False
    for part in one.index:
        for sym in scalars(part):
            if _version(v.reads.get(before, {}), sym) is not _version(v.reads.get(stmt, {}), sym):
                return False
    low, high = v.order[before], v.order[stmt]
    return not any(
        low <= v.order[s] < high and (isinstance(s, Barrier) or any(_may_be(t, one.sym) for t in targets(s)))
        for s in v.order
    )


def _version(reads: Mapping[Sym, object], sym: Sym) -> object:
    """The version that a statement reads; the variable itself if it has only one."""
    return reads.get(sym, sym)


def _may_be(target: Place, array: Sym) -> bool:
    """Whether a store may be to that array."""
    return target.sym is array and (bool(target.index) or isinstance(target.sym.type, Array | Pointer))


__all__ = ["equal_loads"]
