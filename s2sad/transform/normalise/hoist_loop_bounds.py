"""Hoist starts and bounds of counting loops that the reverse sweep may evaluate again.

    for (int k = count(s); k > 0; --k)    ->    int k_start = count(s);
        s = …;                                  for (int k = k_start; k > 0; --k)

The reverse loop takes the counter's values from the loop's own header, and a tape
is indexed by the distance from the start. So the start must have the same value inside
the loop, after it, and in K_adj: a start is saved in a local if it reads what the loop
changes or memory that is stored to, or contains a call or floating-point arithmetic; a
bound, if it contains a call or floating-point arithmetic. (A compiler may contract the same
floating-point expression differently in two places; an address must not depend on that.)
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import replace

from ...analysis.loops.counted_loops import Positive, counter, positive
from ...analysis.ssa import loads, scalars, targets
from ...ir import (
    Assign,
    Binary,
    Body,
    Call,
    Declare,
    Expr,
    For,
    Function,
    Place,
    Stmt,
    Sym,
    Unary,
    children,
    is_floating,
    rebuilt,
    statements,
    unconverted,
    walk,
)
from ..common.algebra import rewrite


def settled(function: Function) -> Function:
    """The function with such starts and bounds hoisted into locals."""
    stored = {t.sym for s in statements(function.body) for t in targets(s) if t.index}
    return replace(function, body=_body(function.body, stored, positive(function)))


def _body(body: Body, stored: Container[Sym], positive: Positive) -> Body:
    out: list[Stmt] = []
    for stmt in body:
        inner = rebuilt(stmt, lambda b: _body(b, stored, positive))
        out += _loop(inner, stored, positive) if isinstance(inner, For) else [inner]
    return tuple(out)


def _loop(stmt: For, stored: Container[Sym], positive: Positive) -> list[Stmt]:
    written = {t.sym for s in statements((*stmt.body, *stmt.step)) for t in targets(s)}
    count = counter(stmt, written, positive)
    cond = stmt.cond
    if count is None or cond is None:
        return [stmt]
    out: list[Stmt] = []
    first = stmt.init[0]
    if _fleeting(count.start, written, stored):
        start = Sym(f"{count.sym.name}_start", count.sym.type)
        out.append(Declare(start, count.start, span=stmt.span))
        place = Place(start, (), start.type)
        match first:
            case Declare():
                stmt = replace(stmt, init=(replace(first, init=place),))
            case Assign():
                stmt = replace(stmt, init=(replace(first, value=place),))
            case _:
                raise AssertionError(first)
    if _computed(cond):
        bound = next(side for side in children(unconverted(cond)) if _computed(side))
        end = Sym(f"{count.sym.name}_end", unconverted(bound).type)
        out.append(Declare(end, unconverted(bound), span=stmt.span))
        place = Place(end, (), end.type)
        cond = rewrite(cond, lambda e: place if e is unconverted(bound) else None)
        stmt = replace(stmt, cond=cond)
    return [*out, stmt]


def _fleeting(start: Expr, written: Container[Sym], stored: Container[Sym]) -> bool:
    """Whether a start may evaluate to a different value later."""
    return (
        _computed(start)
        or any(s in written for s in scalars(start))
        or any(place.sym in stored for place in loads(start))
    )


def _computed(expr: Expr) -> bool:
    """Whether an expression contains a call or floating-point arithmetic."""
    return any(isinstance(e, Call) or (isinstance(e, Binary | Unary) and is_floating(e)) for e in walk(expr))
