"""Remove local arrays and sums that are only stored to, and stores that are overwritten unread."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ....analysis.ssa import outputs
from ....ir import (
    Accumulate,
    Array,
    Assign,
    Body,
    Break,
    Call,
    Clear,
    Continue,
    Declare,
    DoWhile,
    Evaluate,
    Expr,
    For,
    If,
    Initialiser,
    Place,
    Pointer,
    Record,
    Restore,
    Stmt,
    Switch,
    Sym,
    While,
    expressions,
    holding,
    rebuilt,
    remembered,
    statements,
)
from ...common.symbol_uses import begun, symbols, used


def without_unread(body: list[Stmt]) -> list[Stmt]:
    """Remove local arrays and sums that are only stored to, and the stores."""
    declared = {s.sym for s in statements(tuple(body)) if isinstance(s, Declare)}
    local = {s for s in declared if not isinstance(s.type, Pointer)}
    unread = local - read_in(tuple(body))
    return list(dropped(tuple(body), unread)) if unread else body


def read_in(body: Body) -> set[Sym]:
    """The symbols that a body reads; accumulating into a symbol doesn't count as reading it."""
    found: set[Sym] = set()
    for stmt in statements(body):
        found |= _read_in(stmt)
    return found


@remembered
def _read_in(stmt: Stmt) -> frozenset[Sym]:
    return frozenset(_read_by(stmt))


def _read_by(stmt: Stmt) -> Iterator[Sym]:
    """The same for a statement's own expressions."""
    match stmt:
        case Assign(target, value) | Record(target, value):
            for e in (*target.index, value):
                yield from e.symbols
            if outputs(value):
                yield target.sym  # the statement is kept for its other outputs
        case Clear(target):
            for e in target.index:
                yield from e.symbols
        case Accumulate(target, amount):
            for e in (*target.index, amount):
                yield from e.symbols
        case _:
            for e in expressions(stmt):
                yield from e.symbols


def dropped(body: Body, unread: set[Sym]) -> Body:
    """The body without these variables and the stores to them."""
    out: list[Stmt] = []
    for stmt in body:
        match stmt:
            case Declare(sym) if sym in unread and not any(map(outputs, expressions(stmt))):
                continue
            case Assign(Place(sym)) | Record(Place(sym)) | Clear(Place(sym)) | Accumulate(Place(sym)) if (
                sym in unread and not any(map(outputs, expressions(stmt)))
            ):
                continue
            case For(first, _, step):
                inner = rebuilt(stmt, lambda b: dropped(b, unread))
                assert isinstance(inner, For)
                heads = dropped(first, unread), dropped(step, unread)
                same = (len(heads[0]), len(heads[1])) == (len(first), len(step))
                out.append(inner if same else replace(inner, init=heads[0], step=heads[1]))
            case _:
                out.append(rebuilt(stmt, lambda b: dropped(b, unread)))
    return tuple(out)


def without_dead_stores(body: list[Stmt]) -> list[Stmt]:
    kept, _ = _live(tuple(body), set(), set())
    return list(kept)


def _live(body: Body, after: set[Sym], left: set[Sym]) -> tuple[Body, set[Sym]]:
    """Remove stores to variables not read later; also returns what is live before the body.

    `left` is live at the targets of a break or continue inside the body.
    """
    live = set(after)
    out: list[Stmt] = []
    for stmt in reversed(body):
        match stmt:
            case Declare(sym, init) if _variable(sym):
                if sym not in live and isinstance(init, Expr):
                    if isinstance(init, Call) and _effects(init):
                        # Only what the call writes through its arguments is needed.
                        live.update(init.symbols)
                        out.append(Evaluate(init, stmt.span))
                    if not _effects(init) or isinstance(init, Call):
                        out.append(Declare(sym, None, stmt.span))
                        continue
                live.discard(sym)
                live.update(reads(stmt))
                out.append(stmt)
            case Restore(Place(sym, ()), _, declares) if _variable(sym):
                if sym not in live:
                    if declares:  # later stores need the declaration
                        out.append(Declare(sym, None))
                    continue
                live.discard(sym)
                live.update(reads(stmt))
                out.append(stmt)
            case Record(Place(sym, ()), _, True):
                if sym not in live:
                    continue
                live.discard(sym)
                live.update(reads(stmt))
                out.append(stmt)
            case Assign(Place(sym, ()), Place(same, ()), None) if same is sym and _variable(sym):
                continue
            case Clear(Place(sym, ())) | Assign(Place(sym, ()), _, None) if _variable(sym):
                if sym not in live and not _writes_more(stmt):
                    continue
                live.discard(sym)
                live.update(_in_value(stmt))
                out.append(stmt)
            case Accumulate(Place(sym, ())) | Assign(Place(sym, ())) if _variable(sym):
                if sym not in live and not _writes_more(stmt):
                    continue
                live.update(reads(stmt))
                out.append(stmt)
            case Break() | Continue():
                live |= left
                out.append(stmt)
            case If():
                behind = live.intersection(symbols((stmt,)))  # it has no others
                then, a = _live(stmt.then, behind, left)
                other, b = _live(stmt.other, behind, left)
                live -= behind
                live |= a | b | stmt.cond.symbols
                out.append(holding(stmt, then, other))
            case Switch():
                behind = live.intersection(symbols((stmt,)))
                cases = [_live(case.body, behind, left | behind) for case in stmt.cases]
                live = live.union(*(before for _, before in cases)) | stmt.selector.symbols
                out.append(holding(stmt, *(inner for inner, _ in cases)))
            case For() | While() | DoWhile():
                # What any iteration reads may be read by the next one.
                live |= used(stmt)
                around = live.intersection(symbols((stmt,))) - _own(stmt.body)
                inner, _ = _live(stmt.body, around, around)
                out.append(holding(stmt, inner))
            case _:
                live.update(reads(stmt))
                out.append(stmt)
    return tuple(reversed(out)), live


def _own(body: Body) -> set[Sym]:
    """Variables declared in an iteration: their final values don't reach the next one."""
    return {sym for s in statements(body) if (sym := begun(s)) is not None}


def _variable(sym: Sym) -> bool:
    """A local scalar, the author's included: an unread last value needn't be stored."""
    return not isinstance(sym.type, Array | Pointer)


def _writes_more(stmt: Stmt) -> bool:
    """Whether an assignment's value also writes through a call's arguments."""
    return isinstance(stmt, Assign) and bool(outputs(stmt.value))


def _in_value(stmt: Stmt) -> frozenset[Sym]:
    match stmt:
        case Assign(_, value):
            return value.symbols
        case _:
            return frozenset()


def reads(stmt: Stmt) -> set[Sym]:
    """The symbols in the expressions of a statement, including its target and conditions."""
    return {s for e in expressions(stmt) for s in e.symbols}


def _effects(init: Expr | Initialiser) -> bool:
    """Whether evaluating an initial value writes something."""
    return not isinstance(init, Initialiser) and bool(outputs(init))
