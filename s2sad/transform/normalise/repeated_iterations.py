"""Run a loop's body once if all its iterations do the same.

    for (int r = 0; r < rep; ++r) {          if (0 < rep) {
        e = e_start[z] + f(p);        ->         e = e_start[z] + f(p);
        q = e * g(p);                            q = e * g(p);
    }                                        }

Benchmarks repeat work so, and schemes that restart from the same state. No iteration sees what an earlier
one computed: what the loop sets is set before it is read, and no array that it stores to is read in it. The
counter isn't read either. Then every iteration stores the same values, and the derivative is that of one.
"""

from __future__ import annotations

from dataclasses import replace

from ...analysis.ssa import loads, operands, scalars, targets
from ...ir import (
    Array,
    Assign,
    Block,
    Body,
    Call,
    Declare,
    Expr,
    For,
    Function,
    If,
    Initialiser,
    Place,
    Pointer,
    Stmt,
    Sym,
    all_parts,
    collective,
    expressions,
    rebuilt,
    statements,
)
from ..common.algebra import rewrite


def once(function: Function) -> tuple[Function, tuple[For, ...]]:
    """The function with one iteration of each such loop, and those loops."""
    found: list[For] = []
    body = _body(function.body, found)
    return (replace(function, body=body) if found else function), tuple(found)


def _body(body: Body, found: list[For]) -> Body:
    """The body with one iteration of each such loop; the loops are added to `found`."""
    out: list[Stmt] = []
    for stmt in body:
        inner = rebuilt(stmt, lambda b: _body(b, found))
        if isinstance(inner, For) and (runs := _repeats(inner)) is not None:
            found.append(inner)
            out.append(If(runs, inner.body, span=inner.span))
        else:
            out.append(inner)
    return body if all(a is b for a, b in zip(out, body, strict=True)) else tuple(out)


def _repeats(loop: For) -> Expr | None:
    """The condition under which a loop has an iteration, if all do the same; else None."""
    match loop:
        case For((Declare(counter, start),), cond, (Assign(Place(stepped, ())),)):
            pass
        case _:
            return None
    if cond is None or start is None or isinstance(start, Initialiser) or counter is not stepped:
        return None
    inside = list(statements(loop.body))
    if not all(isinstance(s, Declare | Assign | If | Block) and collective(s) is None for s in inside):
        return None
    if any(isinstance(e, Call) and e.outputs for e in all_parts(*loop.body)):
        return None
    changed = {t.sym for s in inside for t in targets(s)}
    if changed & cond.symbols or changed & start.symbols:
        return None
    if any(counter in e.symbols for s in inside for e in expressions(s)):
        return None
    arrays = {sym for sym in changed if isinstance(sym.type, Array | Pointer)}
    if any(place.sym in arrays for s in inside for e in operands(s) for place in loads(e)):
        return None
    if any(a in e.symbols for a in arrays for e in all_parts(*loop.body) if isinstance(e, Call)):
        return None
    if not _fresh(loop.body, changed - arrays, set()):
        return None
    return rewrite(cond, lambda e: start if isinstance(e, Place) and e.sym is counter else None)


def _fresh(body: Body, changed: set[Sym], done: set[Sym]) -> bool:
    """Whether nothing of `changed` is read before it is set; adds to `done` what surely is set."""
    for stmt in body:
        if any(sym in changed and sym not in done for e in operands(stmt) for sym in scalars(e)):
            return False
        match stmt:
            case If(_, then, other):
                sides = (set(done), set(done))
                if not (_fresh(then, changed, sides[0]) and _fresh(other, changed, sides[1])):
                    return False
                done |= sides[0] & sides[1]
            case Block(inner):
                if not _fresh(inner, changed, done):
                    return False
            case _:
                done |= {t.sym for t in targets(stmt) if not t.index}
    return True


__all__ = ["once"]
