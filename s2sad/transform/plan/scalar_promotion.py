"""Promote an array element to a variable during an unbounded loop.

    while (u[i] > 0.2)            ->    double u_i = u[i];
        u[i] = u[i] * f;                while (u_i > 0.2)
                                            u_i = u_i * f;
                                        u[i] = u_i;

An element that such a loop overwrites can't be recorded per iteration. A variable is kept
in snapshots, or its tangent is carried; so the element becomes one if the loop accesses
no other element of the array.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...analysis.ssa import Loop, loads, operands, scalars, targets
from ...ir import Assign, Body, Declare, Expr, Place, Pointer, Stmt, Sym, rebuilt, scalar_type
from ..common.symbol_uses import mapped
from .facts import Facts

Element = tuple[Loop, Place]


def promoted(facts: Facts) -> Body | None:
    """The function's body with such elements in variables; None if there are none."""
    found = list(_elements(facts))
    return _body(facts.function.body, found) if found else None


def _elements(facts: Facts) -> Iterator[Element]:
    v = facts.versions
    seen: set[tuple[Loop, Sym]] = set()
    for (stmt, place), home in facts.recorded.loads.items():
        if not isinstance(place.sym.type, Pointer) or place.sym in facts.known.exchanged:
            continue
        endless = [x for x in v.loops_between(home, v.scope_of[stmt]) if not facts.bounded(x)]
        if not endless or (endless[0], place.sym) in seen:
            continue
        loop = endless[0]
        seen.add((loop, place.sym))
        if _alone(facts, loop, place):
            yield loop, place


def _alone(facts: Facts, loop: Loop, place: Place) -> bool:
    """Whether a loop uses the array at one element only, with a loop-invariant index."""
    v = facts.versions
    inside: list[Stmt] = [loop, *v.body_of(loop)]
    written = {sym for s in inside for sym in v.writes.get(s, ())}
    for index in place.index:
        if any(s in written for s in scalars(index)) or any(p.sym in written for p in loads(index)):
            return False
    used = [p for s in inside for e in operands(s) for p in loads(e)]
    used += [t for s in inside for t in targets(s) if t.index]
    return all(p.index == place.index for p in used if p.sym is place.sym)


def _body(body: Body, elements: list[Element]) -> Body:
    out: list[Stmt] = []
    for stmt in body:
        mine = [place for loop, place in elements if loop is stmt]
        new = stmt if mine else rebuilt(stmt, lambda b: _body(b, elements))
        after: list[Stmt] = []
        for place in mine:
            here = Sym(_name(place), scalar_type(place))
            value = Place(here, (), scalar_type(place))
            out.append(Declare(here, place))
            after.append(Assign(place, value))

            def change(e: Expr, of: Place = place, to: Place = value) -> Expr | None:
                return to if e == of else None

            new = mapped(new, change)
        out += [new, *after]
    return tuple(out)


def _name(place: Place) -> str:
    match place.index:
        case (Place(index, ()),):
            return f"{place.sym.plain}_{index.plain}"
        case _:
            return f"{place.sym.plain}_value"
