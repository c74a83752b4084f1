"""Inline a name that is used once, if nothing in between changes its operands.

    adj_left = 0.25f * adj_s;                    if (i > 0)
    if (i > 0)                             ->        atomicAdd(&adj_x[i - 1], 0.25f * adj_s);
        atomicAdd(&adj_x[i - 1], adj_left);

Only names that the tool made are inlined; a copy of a name or constant is inlined at all
its uses. A long value of the author's variable, made again for the reverse sweep, keeps its name: `momentum`
says more than the quotient of two sums.
"""

from __future__ import annotations

from collections import Counter as Bag
from collections.abc import Collection
from dataclasses import replace

from ....analysis.ssa import outputs
from ....ir import (
    Accumulate,
    AddressOf,
    Array,
    Assign,
    Binary,
    Body,
    Cast,
    Clear,
    Const,
    Declare,
    DoWhile,
    Expr,
    For,
    Place,
    Pointer,
    Record,
    Restore,
    Site,
    Stmt,
    Sym,
    While,
    all_parts,
    bodies,
    expressions,
    is_floating,
    rebuilt,
    remembered,
    statements,
    walk,
)
from ...common.algebra import divide, multiply, rewrite
from ...common.mod_ref import changes, removable
from ...common.symbol_uses import in_expr, mapped, used, uses
from .dead_stores import reads
from .restore_collectives import made_together, reaches_all

_LONG = 32  # characters of a formula that has a name


def inlined(body: list[Stmt], named: Collection[Sym] = ()) -> list[Stmt]:
    """The body with the values of names that are used once, but for those that are to be `named`."""
    counts = Bag(uses(body))
    counts.update(named)
    assigned = frozenset[Sym]().union(*map(_assigned, body))
    return list(_inline_body(tuple(body), counts, assigned, frozenset(named)))


def _inline_body(body: Body, counts: Bag[Sym], assigned: frozenset[Sym], named: frozenset[Sym]) -> Body:
    """`assigned`: what the function's statements set; `named`: what keeps its name."""
    out: list[Stmt] = list(body)
    position = 0
    while position < len(out):
        stmt = out[position]
        made = _value_of(stmt)
        if made is not None:
            sym, value = made
            if counts[sym] == 0 and not isinstance(stmt, Record):
                del out[position]
                for used in in_expr(value):
                    counts[used] -= 1
                continue
            once = counts[sym] == 1 and not _documents(sym, value, out[position + 1 :])
            if once or (_trivial(value) and sym not in named):
                moved = _move(out, position, sym, value, assigned)
                sites = (*stmt.sites, *stmt.told) if isinstance(stmt, Declare) else ()
                if moved is not None:
                    delta = counts[sym]
                    counts[sym] = 0
                    for used in in_expr(value):
                        counts[used] += delta - 1
                    out = moved if not sites else _with_sites(out, moved, sites)
                    continue
        elif isinstance(stmt, Declare) and not counts[stmt.sym] and _droppable(stmt):
            for used in reads(stmt):
                counts[used] -= 1
            del out[position]
            continue
        out[position] = rebuilt(stmt, lambda b: _inline_body(b, counts, assigned, named))
        position += 1
    return tuple(out)


def _droppable(stmt: Declare) -> bool:
    """A removable unused declaration: without a value, or of an array."""
    if isinstance(stmt.sym.type, Array):
        return True
    return stmt.init is None and not isinstance(stmt.sym.type, Pointer)


def _value_of(stmt: Stmt) -> tuple[Sym, Expr] | None:
    """A tool-made variable and the value that its declaration gives it."""
    match stmt:
        case Declare(sym, init) if (
            removable(sym) and sym.storage != "tape" and isinstance(init, Expr) and not outputs(init)
        ):
            return sym, _typed(init, sym)
        case Restore(Place(sym, ()), tape, True) if removable(sym):
            return sym, tape
        case _:
            return None


def _typed(value: Expr, sym: Sym) -> Expr:
    return value if value.type == sym.type else Cast(value, sym.type)


def _trivial(value: Expr) -> bool:
    """Whether it is a name or a constant."""
    return (isinstance(value, Place) and not value.index) or isinstance(value, Const)


def _documents(sym: Sym, value: Expr, later: list[Stmt]) -> bool:
    """Whether the author's name of a long value says what it is, in a formula that is more than the value."""
    if not sym.remade or not _long(value):
        return False
    return not any(
        isinstance(e, Place) and e.sym is sym for stmt in statements(tuple(later)) for e in expressions(stmt)
    )


def _long(value: Expr) -> bool:
    """Whether a value is too long to stand in another formula."""
    words = (part.sym.plain if isinstance(part, Place) else "0" for part in walk(value) if not part.operands)
    return sum(len(word) + 3 for word in words) > _LONG


def _move(
    body: list[Stmt], position: int, sym: Sym, value: Expr, assigned: frozenset[Sym]
) -> list[Stmt] | None:
    """The body with the name's uses replaced by the value, if nothing in between changes its operands."""
    if sym in assigned:
        return None
    if made_together(value) and not reaches_all(body[position + 1 :], sym):
        return None
    out = body[:position]
    found = False
    for k in range(position + 1, len(body)):
        stmt = body[k]
        if sym in used(stmt):
            if _in_loop(stmt, sym) and (not _trivial(value) or changes(stmt, value)):
                return None
            if _address_taken(stmt, sym):
                return None
            if found or not _reaches(stmt, sym, value):
                return None
            found = True
            out.append(_substituted(stmt, sym, value))
            if not _trivial(value):
                out += body[k + 1 :]
                return out
            found = False
            if changes(stmt, value):
                if any(sym in used(s) for s in body[k + 1 :]):
                    return None
                out += body[k + 1 :]
                return out
            continue
        if changes(stmt, value):
            if _trivial(value) and not any(sym in used(s) for s in body[k:]):
                out += body[k:]
                return out
            return None
        out.append(stmt)
    return out if _trivial(value) else None


def _with_sites(before: list[Stmt], after: list[Stmt], sites: tuple[Site, ...]) -> list[Stmt]:
    """The statements with the sites of an inlined value at the first one that contains it now."""
    old = set(statements(tuple(before)))
    waiting = [sites]

    def of(body: Body) -> Body:
        out: list[Stmt] = []
        for stmt in body:
            if waiting and stmt not in old:
                if isinstance(stmt, Accumulate | Assign | Clear | Declare):
                    stmt = replace(stmt, told=tuple(dict.fromkeys((*waiting.pop(), *stmt.told))))
                else:
                    stmt = rebuilt(stmt, of)
            out.append(stmt)
        return tuple(out)

    return list(of(tuple(after)))


@remembered
def _assigned(stmt: Stmt) -> frozenset[Sym]:
    """The variables that a statement or a nested one sets; declarations don't count."""
    match stmt:
        case Assign(target) | Accumulate(target) | Clear(target):
            return frozenset() if target.index else frozenset({target.sym})
        case Restore(target, _, declares) | Record(target, _, declares):
            return frozenset() if target.index or declares else frozenset({target.sym})
        case _:
            return frozenset[Sym]().union(*(_assigned(s) for body in bodies(stmt) for s in body))


def _in_loop(stmt: Stmt, sym: Sym) -> bool:
    match stmt:
        case For():
            return any(sym in used(s) for s in (*stmt.body, *stmt.step)) or (
                stmt.cond is not None and sym in set(in_expr(stmt.cond))
            )
        case While() | DoWhile():
            return True
        case _:
            return any(_in_loop(s, sym) for b in bodies(stmt) for s in b)


def _address_taken(stmt: Stmt, sym: Sym) -> bool:
    return any(isinstance(e, AddressOf) and e.place.sym is sym for e in all_parts(stmt))


def _reaches(stmt: Stmt, sym: Sym, value: Expr) -> bool:
    """Whether the value is unchanged where `stmt` uses the name, at any depth."""
    for body in bodies(stmt):
        for k, inner in enumerate(body):
            if sym in used(inner):
                if any(changes(s, value) for s in body[:k]):
                    return False
                if not _reaches(inner, sym, value):
                    return False
    return True


def _substituted(stmt: Stmt, sym: Sym, value: Expr) -> Stmt:
    def change(e: Expr) -> Expr | None:
        match e:
            case Place(s, ()) if s is sym:
                return value
            case Binary("*", left, Place(s, ())) if s is sym:
                return _product(rewrite(left, change), value)
            case _:
                return None

    return mapped(stmt, change)


def _product(left: Expr, value: Expr) -> Expr:
    """`a * (b * c)` as `a * b * c`; reassociation is allowed in adjoint arithmetic."""
    match value:
        case Binary("*", a, b) if is_floating(value) and value.spelling is None:
            return _product(_product(left, a), b)
        case Binary("/", a, b) if is_floating(value) and value.spelling is None:
            return divide(_product(left, a), b)
        case _:
            return multiply(left, value)
