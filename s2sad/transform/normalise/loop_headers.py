"""Move declarations of loop variables back into the loop headers.

    int k = 0;
    int trips = 0;             int trips = 0;
    for (; k < last; ++k)  ->  for (int k = 0; k < last; ++k)

The analyses need the variables of a non-counting loop outside its header, because the
loop's reverse needs their final values. A variable that nothing uses outside the loop in
the end is moved back into the header.
"""

from __future__ import annotations

from dataclasses import replace

from ...analysis.loops.counted_loops import Positive, own_counter
from ...ir import Assign, Body, Const, Continue, Declare, For, Scalar, Stmt, Sym, While, rebuilt
from ..common.jumps import any_has
from ..common.symbol_uses import uses


def headed(body: Body) -> Body:
    """The body with such declarations moved into the loop headers."""
    out: list[Stmt] = []
    for position, stmt in enumerate(body):
        inner = rebuilt(stmt, headed)
        if isinstance(inner, For) and not inner.init:
            at = _declared(out, inner, body[position + 1 :])
            if at is not None:
                inner = replace(inner, init=(out.pop(at),))
        out.append(inner)
    return tuple(out)


def counting(body: Body, positive: Positive) -> Body:
    """Rewrite loops that count as counting `for` loops, if the declaration can move into the header.

    `int i = t; while (i < n) { ...; i += step; }` is `for (int i = t; i < n; i += step) { ... }`.
    """
    out: list[Stmt] = []
    for position, stmt in enumerate(body):
        inner = rebuilt(stmt, lambda b: counting(b, positive))
        loop = _stepped(inner)
        if isinstance(loop, For) and not loop.init:
            at = _declared(out, loop, body[position + 1 :])
            if at is not None:
                whole = replace(loop, init=(out[at],))
                if own_counter(whole, positive) is not None:
                    out.pop(at)
                    inner = whole
        out.append(inner)
    return tuple(out)


def _stepped(loop: Stmt) -> Stmt:
    """Rewrite a `while` whose last statement is its step as a `for`."""
    match loop:
        case While(cond, (*body, Assign(target=step) as last), span, pragmas, id) if (
            not step.index and not any_has(tuple(body), Continue)
        ):
            return For((), cond, (last,), tuple(body), span, pragmas, id=id)
        case _:
            return loop


def _declared(before: list[Stmt], loop: For, after: Body) -> int | None:
    """The position of the declaration of a variable that a loop steps, if it may move into the header."""
    stepped = [s.target.sym for s in loop.step if isinstance(s, Assign) and not s.target.index]
    for at in range(len(before) - 1, -1, -1):
        match before[at]:
            case Declare(Sym(type=Scalar()) as sym, init) if sym in stepped and init is not None:
                later = set(uses(before[at + 1 :])) | set(uses(after))
                return at if not sym.ours and sym not in later else None
            case Declare(_, None | Const()):
                continue
            case _:
                return None
    return None
