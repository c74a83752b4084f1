"""Put all that a thread does under the guard of its stores, where it meets no other thread.

    float xi = i < n ? x[i] : 0.0f;          if (i < n) {
    float s = f(xi);                             float xi = x[i];
    if (i < n)                        ->         float s = f(xi);
        y[i] = s;                                y[i] = s;
                                             }

L50. A thread that stores nothing outside its guard, and meets no other thread, may run all of its statements
under the guard.
"""

from __future__ import annotations

from ...ir import Assign, Body, Declare, Evaluate, If, Place, Stmt, statements, walk
from ..common.algebra import converted
from ..common.jumps import exits
from ..common.known_outcomes import decided
from ..common.mod_ref import written
from ..common.replay import conjuncts
from ..common.symbol_uses import used


def under_one_guard(body: Body) -> Body:
    """The body under the guard of all its stores (L50); as it is if they have different ones."""
    storing = [s for s in body if any(sym.storage != "local" for sym in written(s)) or _acts(s)]
    guards = [s.cond for s in storing if isinstance(s, If) and not s.other]
    if not guards or len(guards) < len(storing) or any(g != guards[0] for g in guards):
        return body
    guard = guards[0]
    changed = {sym for s in body for sym in written(s)}
    if any(isinstance(e, Place) and (e.index or e.sym in changed) for e in walk(guard)):
        return body
    if any(map(exits, body)):
        return body
    needed = [k for k, s in enumerate(body) if isinstance(s, Declare) and s.sym in guard.symbols]
    at = needed[-1] + 1 if needed else 0
    if any(s in storing for s in body[:at]):
        return body
    known = set(conjuncts(guard))
    rest = decided(body[at:], lambda cond: True if cond in known else None)
    return (*body[:at], If(guard, _declared_at_once(rest)))


def _declared_at_once(body: Body) -> Body:
    """The body with variables declared with the value that they are set to before anything reads them."""
    out = list(body)
    for stmt in body:
        if not isinstance(stmt, Declare):
            continue
        at = out.index(stmt)
        user = next((k for k in range(at + 1, len(out)) if stmt.sym in used(out[k])), at)
        match out[user]:
            case Assign(Place(sym, ()), value, None) if sym is stmt.sym and sym not in value.symbols:
                out[user] = Declare(sym, converted(value, sym.type), stmt.span)
                del out[at]
            case _:
                pass
    return tuple(out)


def _acts(stmt: Stmt) -> bool:
    return any(isinstance(s, Evaluate) for s in statements((stmt,)))
