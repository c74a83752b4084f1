"""Put warp- and block-wide calls back into the author's statements.

    float s_down = __shfl_down_sync(m, s, d);       ->    s += __shfl_down_sync(m, s, d);
    s += s_down;

The front end makes every collective call a separate statement, so that no pass moves it
under a guard. If the next statement evaluates its result unconditionally, the call goes
back to the author's place.
"""

from __future__ import annotations

from collections import Counter as Bag
from collections.abc import Sequence

from ....ir import (
    COLLECTIVE,
    LOGICAL,
    Accumulate,
    Assign,
    Barrier,
    Binary,
    Body,
    Call,
    Comment,
    Declare,
    Evaluate,
    Expr,
    If,
    Place,
    Quote,
    Record,
    Select,
    Stmt,
    Switch,
    Sym,
    bodies,
    children,
    collective,
    expressions,
    rebuilt,
    walk,
)
from ...common.symbol_uses import mapped, standing, uses


def restore_collectives(body: Body) -> Body:
    """The body with such calls back in the author's places, and without duplicate barriers."""
    return _joined(_once(body), Bag(uses(body)))


def made_together(value: Expr) -> bool:
    """Whether an expression contains a collective call."""
    return any(isinstance(e, Call) and e.rule in COLLECTIVE for e in walk(value))


def reaches_all(following: Sequence[Stmt], sym: Sym) -> bool:
    """Whether the first use of a variable is unconditional and in a simple statement of the same body."""
    for stmt in following:
        if bodies(stmt):
            return False
        if sym in set(uses([stmt])):
            return _always(stmt, sym) and not _within_another(stmt, sym)
    return False


def _within_another(stmt: Stmt, sym: Sym) -> bool:
    """Whether a variable is read in an argument of a collective call: keep one call per line."""
    calls = (e for expr in expressions(stmt) for e in walk(expr) if isinstance(e, Call))
    return any(sym in arg.symbols for call in calls if call.rule in COLLECTIVE for arg in call.args)


def _always(stmt: Stmt, sym: Sym) -> bool:
    """Whether a statement evaluates a variable exactly once, unconditionally."""
    match stmt:
        case Assign() | Accumulate() | Declare() | Evaluate() | If() | Switch() | Record():
            found = [_times(e, sym) for e in expressions(stmt)]
            return None not in found and sum(t for t in found if t is not None) == 1
        case _:
            return False


def _times(expr: Expr, sym: Sym) -> int | None:
    """How often an expression reads a variable; None if that is conditional."""
    match expr:
        case Place(s, ()):
            return int(s is sym)
        case Select(cond):
            always, depends = [cond], list(children(expr)[1:])
        case Binary(op, left, right) if op in LOGICAL:
            always, depends = [left], [right]
        case _:
            always, depends = list(children(expr)), []
    if any(sym in e.symbols for e in depends):
        return None
    found = [_times(e, sym) for e in always]
    return None if None in found else sum(t for t in found if t is not None)


def _joined(body: Body, counts: Bag[Sym]) -> Body:
    out: list[Stmt] = []
    for stmt in body:
        here = rebuilt(stmt, lambda b: _joined(b, counts))
        last = len(out)
        while last and isinstance(out[last - 1], Quote | Comment):
            last -= 1
        match out[last - 1] if last else None:
            case Declare(sym, Call() as call) if _kept(sym, call) and counts[sym] == 1 and _always(here, sym):
                del out[last - 1]
                here = mapped(here, standing(sym, call))
            case _:
                pass
        out.append(here)
    return tuple(out)


def _kept(sym: Sym, call: Call) -> bool:
    """Whether the front end made the variable, to hold the call's value."""
    return call.rule in COLLECTIVE and sym.origin == "lowering"


def _once(body: Body) -> Body:
    """Remove a barrier right after a `__syncthreads` vote, which is a barrier itself."""
    out: list[Stmt] = []
    for stmt in body:
        call = collective(out[-1]) if out else None
        votes = call is not None and call.name.startswith("__syncthreads")
        if votes and isinstance(stmt, Barrier) and not stmt.warp:
            continue
        out.append(rebuilt(stmt, _once))
    return tuple(out)
