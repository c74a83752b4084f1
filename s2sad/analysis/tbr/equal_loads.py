"""Reads of one element with one value: a single record is enough for all of them.

float i = sigmoid(h[l] * wi[l]);
float g = tanhf(h[l] * wg[l]);        h[l] is read twice before it is overwritten
h[l] = …;
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Container, Sequence

from ...ir import Barrier, Place, Stmt, Sym
from ..load_guards import evaluates
from ..ssa import Loop, Scope, Versions, loads, operands, scalars, targets
from .recorded import Load, Recorded


def equal_loads(recorded: Recorded, versions: Versions, exchanged: Container[Sym]) -> dict[Load, Load]:
    """Return the recorded reads that give what an earlier one gave, each with the first such read.

    Both are in one body, with no store to the array and no barrier from one to the other, and the first
    isn't an operand of a choice.
    """
    found: dict[Load, Load] = {}
    firsts: dict[tuple[Scope, Scope, Place], list[Load]] = {}  # by the element and the bodies, in order
    barriers = [order for stmt, order in versions.order.items() if isinstance(stmt, Barrier)]
    stores: dict[Sym, list[int]] = {}
    for stmt, order in versions.order.items():
        for target in targets(stmt):
            stores.setdefault(target.sym, []).append(order)

    def order_of(load: Load) -> int:
        return versions.order[load[0]]

    for load, home in sorted(recorded.loads.items(), key=lambda item: order_of(item[0])):
        stmt, place = load
        if place.sym in exchanged or isinstance(stmt, Loop) or index_is_loaded(place):
            continue
        alike = firsts.setdefault((home, versions.scope_of[stmt], place), [])
        changed = max(_last(stores.get(place.sym, []), order_of(load)), _last(barriers, order_of(load)))
        always = any(evaluates(expr, place) for expr in operands(stmt))
        for first in alike[bisect_right(alike, changed, key=order_of) :]:
            if first[0] is not stmt and same_index(first[0], stmt, place, versions):
                found[load] = first
                break
        else:
            if always:  # what a choice leaves out isn't recorded
                alike.append(load)
    return found


def _last(orders: Sequence[int], before: int) -> int:
    """The last of some places in the program before another one; -1 if there is none."""
    position = bisect_left(orders, before)
    return orders[position - 1] if position else -1


def index_is_loaded(place: Place) -> bool:
    """Whether the index itself is loaded from memory."""
    return any(True for part in place.index for _ in loads(part))


def same_index(one: Stmt, two: Stmt, place: Place, v: Versions) -> bool:
    """Whether the variables in an index have the same values in both statements."""
    first, second = v.reads.get(one, {}), v.reads.get(two, {})
    return all(first.get(sym) is second.get(sym) for part in place.index for sym in scalars(part))


__all__ = ["equal_loads", "index_is_loaded", "same_index"]
