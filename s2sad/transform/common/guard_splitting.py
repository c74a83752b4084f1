"""Split a guard at barriers: `if (c) { a; b; }` to `if (c) { a; }`, a barrier, `if (c) { b; }`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from math import prod

from ...ir import (
    BOOL,
    INT,
    Array,
    Assign,
    Barrier,
    Body,
    Const,
    Declare,
    Expr,
    If,
    Initialiser,
    Place,
    Record,
    Restore,
    Return,
    Scalar,
    Stmt,
    Sym,
    rebuilt,
    statements,
    walk,
)
from .algebra import real
from .jumps import stays
from .mod_ref import written
from .symbol_uses import mapped, renaming, uses


def without_returns(body: Body) -> Body | None:
    """Guard the statements after each early return instead; None if there are other returns."""
    for position, stmt in enumerate(body):
        match stmt:
            case If(cond, (Return(),), ()):
                rest = without_returns(body[position + 1 :])
                guarded = If(stays(cond), rest or (), (), stmt.span)
                return None if rest is None else (*body[:position], guarded)
            case _ if any(isinstance(s, Return) for s in statements((stmt,))):
                return None
            case _:
                pass
    return body


def split(cond: Expr, stretches: Sequence[Body]) -> list[Stmt]:
    """Each stretch under the guard, with a barrier between consecutive ones."""
    out: list[Stmt] = []
    changed = {s for body in stretches for stmt in body for s in written(stmt)}
    loads = any(isinstance(e, Place) and e.index for e in walk(cond))
    if loads or changed & cond.symbols:
        here = Sym("here", BOOL)
        out.append(Declare(here, cond))
        cond = Place(here, (), BOOL)
    rest = list(stretches)
    while rest:
        body, *rest = rest
        kept, moved, renamed = outwards(body, {s for later in rest for s in uses(later)})
        out += moved
        out.append(If(cond, kept))
        if rest:
            out.append(Barrier())
        rest = [with_names(later, renamed) for later in rest]
    return out


def _zero(sym: Sym) -> Expr | None:
    """Return a value for one of the tool's temporaries that only some threads set: no other reads it."""
    kind, temporary = sym.type, sym.ours and sym.of is None
    return real(0.0, kind) if temporary and isinstance(kind, Scalar) and kind.is_float else None


def outwards(body: Body, used: set[Sym]) -> tuple[Body, list[Stmt], dict[Sym, Sym]]:
    """Declare before a body those of its variables that are `used` after it.

    Returns the body, the declarations, and the renaming of variables that were const.
    """
    inside: list[Stmt] = []
    moved: list[Stmt] = []
    renamed: dict[Sym, Sym] = {}
    for stmt in body:
        match stmt:
            case Record(Place(sym) as place, value, True) if sym in used:
                moved.append(Declare(sym))
                inside.append(Record(place, value))
                continue
            case Restore(Place(old) as place, value, True) if old in used:
                sym = replace(old, const=False) if old.const else old
                if sym is not old:
                    renamed[old] = sym
                moved.append(Declare(sym))
                inside.append(Restore(replace(place, sym=sym), value))
                continue
            case _:
                pass
        if not isinstance(stmt, Declare) or stmt.sym not in used:
            inside.append(stmt)
            continue
        sym = replace(stmt.sym, const=False) if stmt.sym.const else stmt.sym
        if sym is not stmt.sym:
            renamed[stmt.sym] = sym
        if isinstance(stmt.init, Initialiser):
            begun, values = _elements(sym, stmt)
            moved.append(begun)
            inside += values
            continue
        moved.append(Declare(sym, _zero(sym), stmt.span))
        if stmt.init is not None:
            target = Place(sym, (), sym.type)
            new = Assign(target, stmt.init, span=stmt.span, sites=stmt.sites, told=stmt.told)
            inside.append(replace(new, part_of=sym.within))
    return with_names(tuple(inside), renamed), moved, renamed


def _elements(sym: Sym, stmt: Declare) -> tuple[Declare, list[Stmt]]:
    """Split an array's declaration from the element stores, which stay under the guard.

    Initial values that aren't literals may be undefined outside the guard or before it.
    """
    assert isinstance(sym.type, Array)
    assert isinstance(stmt.init, Initialiser)
    values = stmt.init.values
    if all(isinstance(value, Const) for value in values):
        return replace(stmt, sym=sym), []
    whole = len(values) == prod(sym.type.extents)
    places = product(*(range(extent) for extent in sym.type.extents))
    stores: list[Stmt] = []
    for place, value in zip(places, values, strict=False):
        index = tuple(Const(k, INT) for k in place)
        stores.append(Assign(Place(sym, index, sym.type.element), value, span=stmt.span, part_of=sym.within))
    return Declare(sym, None if whole else Initialiser(()), stmt.span), stores


def with_names(body: Body, renamed: dict[Sym, Sym]) -> Body:
    """The body with symbols replaced."""
    if not renamed:
        return body
    change = renaming(renamed)
    return tuple(mapped(s, change) for s in body)


def with_declared(body: Body, renamed: dict[Sym, Sym]) -> Body:
    """The body with symbols replaced, also where they are declared."""
    if not renamed:
        return body

    def stmt(s: Stmt) -> Stmt:
        new = rebuilt(s, lambda inner: tuple(map(stmt, inner)))
        return replace(new, sym=renamed.get(new.sym, new.sym)) if isinstance(new, Declare) else new

    return tuple(map(stmt, with_names(body, renamed)))
