"""Promote an array element to a variable during an unbounded loop.

    while (u[i] > 0.2)            ->    double u_i = u[i];
        u[i] = u[i] * f;                while (u_i > 0.2)
                                            u_i = u_i * f;
                                        u[i] = u_i;

An element that such a loop overwrites can't be recorded per iteration. A variable is kept
in snapshots, or its tangent is carried; so the element becomes one if the loop accesses
no other element of the array.

The element must exist: the loop's condition reads it, or each iteration accesses it. In the second
case it is loaded and stored only if the loop runs an iteration:

    for (int k = 0; left > u; ++k)    ->    int k = 0;
        u[i] = u[i] * f;                    if (left > u) {
                                                double u_i = u[i];
                                                for (; left > u; ++k)
                                                    u_i = u_i * f;
                                                u[i] = u_i;
                                            }
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ...analysis.load_guards import evaluates
from ...analysis.ssa import Loop, loads, operands, scalars, targets
from ...ir import (
    Assign,
    Body,
    Call,
    Declare,
    DoWhile,
    Evaluate,
    Expr,
    For,
    If,
    Place,
    Pointer,
    Stmt,
    Switch,
    Sym,
    While,
    expressions,
    rebuilt,
    scalar_type,
    walk,
)
from ..common.jumps import exits
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
        if _alone(facts, loop, place) and _exists(loop, place):
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


def _exists(loop: Loop, place: Place) -> bool:
    """Whether each iteration accesses the element, or the loop's condition does; that has no effects."""
    cond = loop.cond
    if cond is not None and evaluates(cond, place):
        return True
    for stmt in loop.body:
        if exits(stmt):
            return False
        if isinstance(stmt, Declare | Assign | Evaluate | If | Switch | While) and any(
            evaluates(e, place) for e in expressions(stmt)
        ):
            return cond is None or not any(isinstance(e, Call) and e.rule is None for e in walk(cond))
    return False


def _guarded(loop: Loop, before: Body, new: Loop, after: Body, places: list[Place]) -> Body:
    """The loop with the loads before it and the stores after it, which are made only if it runs."""
    cond = new.cond
    if isinstance(loop, DoWhile) or loop.cond is None or all(evaluates(loop.cond, p) for p in places):
        return (*before, new, *after)
    assert cond is not None
    if isinstance(new, For):
        inner = replace(new, init=())
        return (*new.init, If(loop.cond, (*before, inner, *after)))
    return (If(loop.cond, (*before, new, *after)),)


def _body(body: Body, elements: list[Element]) -> Body:
    out: list[Stmt] = []
    for stmt in body:
        mine = [place for loop, place in elements if loop is stmt]
        new = stmt if mine else rebuilt(stmt, lambda b: _body(b, elements))
        before: list[Stmt] = []
        after: list[Stmt] = []
        for place in mine:
            here = Sym(_name(place), scalar_type(place))
            value = Place(here, (), scalar_type(place))
            before.append(Declare(here, place))
            after.append(Assign(place, value))

            def change(e: Expr, of: Place = place, to: Place = value) -> Expr | None:
                return to if e == of else None

            new = mapped(new, change)
        if isinstance(stmt, Loop) and isinstance(new, Loop):
            out += _guarded(stmt, tuple(before), new, tuple(after), mine)
        else:
            out.append(new)
    return tuple(out)


def _name(place: Place) -> str:
    match place.index:
        case (Place(index, ()),):
            return f"{place.sym.plain}_{index.plain}"
        case _:
            return f"{place.sym.plain}_value"
