"""Give every declaration its own symbol.

A body's slice runs both in the forward sweep and in the reverse sweep, and each copy
declares the same local. The emitter needs two symbols, which may have the same name:
names are assigned later, by scope.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ...ir import (
    AddressOf,
    Block,
    Body,
    Declare,
    DoWhile,
    Expr,
    For,
    If,
    Place,
    Record,
    Restore,
    Stmt,
    Switch,
    Sym,
    While,
    statements,
)
from ..common.algebra import rewrite
from ..common.symbol_uses import mapped


def unique_declarations(body: Body) -> Body:
    """The body with a distinct symbol for each declaration."""
    return _Renaming(set()).body(body, {})


def copied(body: Body) -> Body:
    """A copy with new statement objects, and new symbols for what it declares."""
    own = {s.sym for s in statements(body) if isinstance(s, Declare)}
    return tuple(map(_fresh, _Renaming(own).body(body, {})))


def _fresh(stmt: Stmt) -> Stmt:
    match stmt:
        case If():
            return replace(stmt, then=tuple(map(_fresh, stmt.then)), other=tuple(map(_fresh, stmt.other)))
        case Block():
            return replace(stmt, body=tuple(map(_fresh, stmt.body)))
        case For():
            init, step, body = (tuple(map(_fresh, b)) for b in (stmt.init, stmt.step, stmt.body))
            return replace(stmt, init=init, step=step, body=body)
        case While() | DoWhile():
            return replace(stmt, body=tuple(map(_fresh, stmt.body)))
        case Switch():
            return replace(stmt, cases=tuple(replace(c, body=tuple(map(_fresh, c.body))) for c in stmt.cases))
        case _:
            return replace(stmt)


class _Renaming:
    def __init__(self, seen: set[Sym]) -> None:
        self.seen = seen
        self.wholes: dict[Sym, Sym] = {}  # structs of the fields that the body at hand declares again
        self.owners: dict[Sym, dict[Sym, Sym]] = {}  # … and of all fields, the body that declares one first

    def body(self, body: Body, names: Mapping[Sym, Sym]) -> Body:
        out: list[Stmt] = []
        outside, self.wholes = self.wholes, {}
        for stmt in body:
            new, names = self.stmt(stmt, names)
            out.append(new)
        self.wholes = outside
        return tuple(out)

    def stmt(self, stmt: Stmt, names: Mapping[Sym, Sym]) -> tuple[Stmt, Mapping[Sym, Sym]]:
        """The statement, and the renaming in effect after it."""
        match stmt:
            case Declare(sym):
                used = _renamed(stmt, names)
                names = self.declared(sym, names)
                assert isinstance(used, Declare)
                return replace(used, sym=names.get(sym, sym)), names
            case Record(Place(sym, ()), _, True) | Restore(Place(sym, ()), _, True):
                used = _renamed(stmt, {k: v for k, v in names.items() if k is not sym})
                names = self.declared(sym, names)
                return _renamed_target(used, names), names
            case If():
                cond = _in(stmt.cond, names)
                return replace(
                    stmt, cond=cond, then=self.body(stmt.then, names), other=self.body(stmt.other, names)
                ), names
            case Block():
                return replace(stmt, body=self.body(stmt.body, names)), names
            case For():
                inner = names
                init: list[Stmt] = []
                for first in stmt.init:
                    new, inner = self.stmt(first, inner)
                    init.append(new)
                test = None if stmt.cond is None else _in(stmt.cond, inner)
                step = self.body(stmt.step, inner)
                # The spelling of `++k` contains the counter's name; the new symbol has the same name.
                return replace(
                    stmt, init=tuple(init), cond=test, step=step, body=self.body(stmt.body, inner)
                ), names
            case While() | DoWhile():
                return replace(stmt, cond=_in(stmt.cond, names), body=self.body(stmt.body, names)), names
            case Switch():
                cases = tuple(replace(c, body=self.body(c.body, names)) for c in stmt.cases)
                return replace(stmt, selector=_in(stmt.selector, names), cases=cases), names
            case _:
                return _renamed(stmt, names), names

    def declared(self, sym: Sym, names: Mapping[Sym, Sym]) -> Mapping[Sym, Sym]:
        whole = sym.within
        apart = whole is not None and self.owners.setdefault(whole, self.wholes) is not self.wholes
        if sym in self.seen or apart:
            return {**names, sym: self.again(sym)}
        self.seen.add(sym)
        return {k: v for k, v in names.items() if k is not sym}

    def again(self, sym: Sym) -> Sym:
        """Another variable of the same name; fields that one body declares stay together."""
        if sym.within is None:
            return replace(sym.again(), otherwise=(*sym.otherwise, sym.then))
        return replace(sym, within=self.wholes.setdefault(sym.within, replace(sym.within)))


def _in(expr: Expr, names: Mapping[Sym, Sym]) -> Expr:
    if not names:
        return expr

    def change(e: Expr) -> Expr | None:
        match e:
            case Place(sym, index) if sym in names:
                return replace(e, sym=names[sym], index=tuple(rewrite(i, change) for i in index))
            case AddressOf(Place(sym) as place) if sym in names:
                new = rewrite(place, change)
                assert isinstance(new, Place)
                return replace(e, place=new)
            case _:
                return None

    return rewrite(expr, change)


def _renamed(stmt: Stmt, names: Mapping[Sym, Sym]) -> Stmt:
    return mapped(stmt, lambda e: _whole(e, names)) if names else stmt


def _whole(expr: Expr, names: Mapping[Sym, Sym]) -> Expr | None:
    new = _in(expr, names)
    return None if new is expr else new


def _renamed_target(stmt: Stmt, names: Mapping[Sym, Sym]) -> Stmt:
    match stmt:
        case Record(Place(sym) as place) if sym in names:
            return replace(stmt, tape=replace(place, sym=names[sym]))
        case Restore(Place(sym) as place) if sym in names:
            return replace(stmt, target=replace(place, sym=names[sym]))
        case _:
            return stmt
