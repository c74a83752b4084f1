"""Reverse a branch or a loop where it is computed again: one body for both of its sweeps.

    if (c) { t = expf(x); r = t * u; }           adj_r = w * g;
    adj_r = w * g;                         ->    if (c) {
    adj_w += r * g;                                  t = expf(x); r = t * u;
    if (c) { t = expf(x); adj_x += …; }              adj_x += …;
                                                 }
                                                 adj_w += r * g;

What the reversal reads is computed before the branch, and what reads the branch's results follows it. So
what both sweeps compute is computed once. The reversal of a loop joins it likewise, if it needs none of
its results and only adds to sums: the order of its iterations doesn't matter then. A branch with such
loops is left if they can't be joined, since a compiler that unrolls them would keep all their values.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from ....analysis.atomics import is_drawn
from ....fixpoint import rounds
from ....ir import (
    COLLECTIVE,
    Accumulate,
    Array,
    Assign,
    Banner,
    Binary,
    Body,
    Call,
    Comment,
    Const,
    Declare,
    Evaluate,
    Expr,
    For,
    If,
    Initialiser,
    Place,
    Pointer,
    Quote,
    Stmt,
    Sym,
    bodies,
    calls,
    rebuilt,
    remembered,
    statements,
    walk,
)
from ...common.jumps import exits
from ...common.mod_ref import changes, meets, sets, written
from ...common.symbol_uses import mapped, renaming, used
from ..contribution_audit import accounted
from .iteration_spaces import changed, counter, declared, iterations, only_computes, read


def fuse_sweeps(body: Body) -> Body:
    """The body with such branches and loops in one."""
    return accounted("fuse_sweeps", body, _fused(body))


def _fused(body: Body) -> Body:
    out: list[Stmt] = [rebuilt(s, _fused) for s in body]
    position = 0
    while position < len(out):
        new = _from(out, position)
        if new is None:
            position += 1
        else:
            out = new
    return tuple(out)


def _from(body: list[Stmt], position: int) -> list[Stmt] | None:
    """The body with the branch or loop at a position and its reversal in one; None if that isn't right."""
    first = body[position]
    if not isinstance(first, If | For) or _stays(first):
        return None
    k = next((k for k in range(position + 1, len(body)) if _repeats(body[k], first)), None)
    if k is None or any(isinstance(s, Banner) or _stays(s) for s in body[position + 1 : k + 1]):
        return None
    second = body[k]
    joined = partial(_together, body, position, k)
    if isinstance(first, If) and isinstance(second, If):
        if any(changes(s, first.cond) for s in body[position:k]):
            return None
        return joined(_branches(first, second))
    assert isinstance(first, For)
    assert isinstance(second, For)
    head = iterations(first)
    assert head is not None
    if head.symbols & changed(*body[position:k]):
        return None
    return joined(_loops(first, second))


def _repeats(second: Stmt, first: If | For) -> bool:
    """Whether a statement has the same condition as a branch, or the same iterations as a loop."""
    if isinstance(first, If):
        return isinstance(second, If) and second.cond == first.cond
    return isinstance(second, For) and _same(first, second)


def _stays(stmt: Stmt) -> bool:
    """Whether a statement has effects on whose place more depends than on what it reads and sets."""
    return _acts(stmt) or exits(stmt) or meets(stmt)


@remembered
def _acts(stmt: Stmt) -> bool:
    """Whether a call in a statement, or in one inside it, does more than compute a value."""
    own = any(c.rule in COLLECTIVE or is_drawn(c) or _points(c) for c in calls(stmt))
    return own or isinstance(stmt, Evaluate) or any(_acts(s) for body in bodies(stmt) for s in body)


def _points(call: Call) -> bool:
    """Whether a device function gets an address, through which it may read and write."""
    return call.rule is None and any(isinstance(arg.type, Pointer | Array) for arg in call.args)


def _together(body: list[Stmt], first: int, second: int, joined: Stmt | None) -> list[Stmt] | None:
    """The body with one statement instead of two, between what it needs and what needs it."""
    moved = _around(body[first + 1 : second], body[first], body[second]) if joined is not None else None
    if joined is None or moved is None:
        return None
    early, late = moved
    return [*body[:first], *early, joined, *late, *body[second + 1 :]]


def _around(between: Sequence[Stmt], first: Stmt, second: Stmt) -> tuple[list[Stmt], list[Stmt]] | None:
    """What stood between two statements: what can be done before both, and what after both."""
    early: list[Stmt] = []
    late: list[Stmt] = []
    quote: Quote | Comment | None = None
    quoted: list[list[Stmt]] = []
    for stmt in between:
        if isinstance(stmt, Quote | Comment):
            quote, quoted = stmt, []
            continue
        depends = _meets(stmt, first) or any(_meets(stmt, s) for s in late)
        if depends and _meets(stmt, second):
            return None
        into = late if depends else early
        if quote is not None and not any(q is into for q in quoted):
            into.append(replace(quote) if quoted else quote)
            quoted.append(into)
        into.append(stmt)
    if quote is not None and not quoted:
        early.append(quote)  # of the second statement
    return early, late


def _meets(a: Stmt, b: Stmt) -> bool:
    """Whether the order of two statements matters."""
    return bool(sets(a) & (used(b) | sets(b)) or used(a) & sets(b))


def _branches(first: If, second: If) -> Stmt | None:
    then, other = _joined(first.then, second.then), _joined(first.other, second.other)
    if then is None or other is None:
        return None
    saved = len(_declarations(first, second)) - len(_declarations(*then, *other))
    return replace(first, then=then, other=other) if saved > 0 else None


def _declarations(*stmts: Stmt) -> list[Stmt]:
    """The declarations in statements."""
    return [s for s in statements(stmts) if isinstance(s, Declare)]


def _loops(first: For, second: For) -> Stmt | None:
    if not only_computes(first) or not only_computes(second) or _adds(first) or not _only_adds(second):
        return None
    other = mapped(second, renaming({counter(second): counter(first)}))
    assert isinstance(other, For)
    body = _joined(first.body, other.body)
    if body is None:
        return None
    own = frozenset(declared(first, second))
    if (written(first) & used(second) | written(second) & used(first)) - own - {counter(first)}:
        return None
    return replace(first, body=body)


def _adds(loop: For) -> bool:
    return any(isinstance(s, Accumulate) for s in statements(loop.body))


def _only_adds(loop: For) -> bool:
    """Whether an iteration changes only sums, which none reads, and what it declares."""
    own = frozenset(declared(*loop.body))
    reads = frozenset[Sym]().union(*map(read, statements(loop.body)))
    for stmt in statements(loop.body):
        match stmt:
            case Accumulate(Place(sym), how=how) if sym not in own:
                if sym in reads or how not in ("local", "owner", "atomic"):
                    return False
            case Assign(Place(sym)) if sym not in own:
                return False
            case _:
                pass
    return True


def _same(first: For, second: For) -> bool:
    """Whether two loops run the same iterations, in the same or in the opposite order."""
    one, two = iterations(first), iterations(second)
    if one is None or two is None or counter(first).type != counter(second).type:
        return False
    if one == two:
        return True
    match one.cond, one.op, two.cond, two.op:
        case Binary("<", _, end), "+=", Binary(">=", _, start), "-=":
            by_one = all(isinstance(s, Const) and s.value == 1 for s in (one.step, two.step))
            return by_one and start == one.start and _is_last(two.start, end)
        case _:
            return False


def _is_last(value: Expr, end: Expr) -> bool:
    match value, end:
        case Const(int() as last), Const(int() as count):
            return last == count - 1
        case Binary("-", size, Const(1)), _:
            return size == end
        case _:
            return False


# ---- what both sweeps compute ----------------------------------------------------


def _joined(first: Body, second: Body) -> Body | None:
    """Two bodies as one, with what both compute computed once; None if loops of both stay apart."""
    body = _once(first, second)
    out = list(body)
    for loop in first:
        if not isinstance(loop, For):
            continue
        partners = [s for s in out if isinstance(s, For) and s is not loop and _same(loop, s)]
        if partners and loop in out:
            position, other = out.index(loop), out.index(partners[0])
            new = _from(out, position) if other > position else None
            if new is None:
                return None
            out = new
    return tuple(out)


def _once(first: Body, second: Body) -> Body:
    """Two bodies, one behind the other; what the second declares again is left out."""
    set_ = frozenset[Sym]().union(*map(written, (*first, *second)))
    apart: frozenset[Sym] = frozenset()
    for _ in rounds(len(second) + 1, "which structs are declared again as a whole"):  # `apart` only grows
        names = _repeated(first, second, set_, apart)
        structs = {sym.within for sym in names if sym.within is not None}
        torn = {
            s.sym.within
            for s in second
            if isinstance(s, Declare) and s.sym.within in structs and s.sym not in names
        }
        more = frozenset(s for s in torn if s is not None)
        if not more:
            break
        apart |= more
    change = renaming(names)
    rest = (s for s in second if not (isinstance(s, Declare) and s.sym in names))
    return (*first, *(mapped(s, change) for s in rest))


def _repeated(first: Body, second: Body, changing: frozenset[Sym], apart: frozenset[Sym]) -> dict[Sym, Sym]:
    """The variables of the second body that repeat one of the first, and which."""
    known: dict[tuple[str, object], list[Sym]] = {}
    names: dict[Sym, Sym] = {}
    wholes: dict[Sym, Sym] = {}  # the structs of fields that repeat one
    for stmt in first:
        known = _after(stmt, known)
        match stmt:
            case Declare(sym, init) if init is not None and sym not in changing and _pure(init):
                known.setdefault((sym.name, init), []).append(sym)
            case _:
                pass
    for stmt in second:
        new = mapped(stmt, renaming(names))
        known = _after(new, known)
        match new:
            case Declare(sym, init) if init is not None and sym not in changing and sym.within not in apart:
                same = (s for s in known.get((sym.name, init), ()) if s.type == sym.type)
                if sym.within is not None:
                    whole = wholes.get(sym.within)
                    same = (s for s in same if s.within is not None and whole in (None, s.within))
                found = next((s for s in same if s not in names.values()), None)
                if found is not None:
                    names[sym] = found
                    if sym.within is not None and found.within is not None:
                        wholes[sym.within] = found.within
            case _:
                pass
    return names


def _after(stmt: Stmt, known: dict[tuple[str, object], list[Sym]]) -> dict[tuple[str, object], list[Sym]]:
    """Of known values, those that a statement doesn't change."""
    return {k: s for k, s in known.items() if not _changes(stmt, k[1])}


def _pure(init: Expr | Initialiser) -> bool:
    values = init.values if isinstance(init, Initialiser) else (init,)
    called = (e for v in values for e in walk(v) if isinstance(e, Call))
    return not any(v.outputs for v in values) and not any(c.rule is None for c in called)


def _changes(stmt: Stmt, init: object) -> bool:
    values: Iterator[Expr] = iter(init.values if isinstance(init, Initialiser) else (init,))  # type: ignore[arg-type]
    return any(changes(stmt, v) for v in values)
