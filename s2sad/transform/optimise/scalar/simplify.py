"""Taking out what a careful author would not have written.

An intermediate adjoint has a name if it is used twice (`inline_single_use`). A store to an
adjoint that nobody reads afterwards goes, and a declaration that nobody uses (`dead_stores`).
Additions to one adjoint in a row are one; so are a clear and what is added after it.
"""

from __future__ import annotations

from dataclasses import replace

from ....fixpoint import rounds
from ....ir import (
    Accumulate,
    Assign,
    Body,
    Clear,
    Comment,
    Declare,
    Expr,
    Place,
    Quote,
    Site,
    Stmt,
    Sym,
    Unary,
    rebuilt,
    walk,
)
from ...common.algebra import add, converted, is_const, subtract
from ...common.mod_ref import meets, removable, written
from ...common.symbol_uses import symbols, uses
from .dead_code import count, without_empty
from .dead_stores import without_dead_stores, without_unread
from .factor import factored
from .inline_single_use import inlined

_ROUNDS = 4  # for each statement: no more is ever needed


def simplify(body: list[Stmt]) -> list[Stmt]:
    """The same computation without needless stores and names.

    Each round makes the body smaller, but those in which `factored` found something: after it nothing of
    that is left to find, so those are fewer than the statements.
    """
    previous = -1
    for _ in rounds(_ROUNDS * (count(body) + 1), "tidying"):
        if previous == (size := count(body)):
            break
        previous = size
        body = without_dead_stores(without_unread(body))
        body = inlined(body)
        body = list(_gathered(tuple(body)))
        body = without_empty(body)
        whole = tuple(body)
        body = list(new := factored(whole))
        if new is not whole:
            previous = -1  # a name may stand only once now
    return body


def _gathered(body: Body) -> Body:
    """Two additions to one adjoint in a row are one: one atomic, one load and store."""
    out: list[Stmt] = []
    cleared: set[Place] = set()
    for stmt in body:
        match stmt:
            case Clear(target):
                cleared.add(target)
            case Accumulate():
                if _merged(out, stmt):
                    continue
                if stmt.target in cleared:
                    stmt = _after_clear(out, stmt)
            case _:
                stmt = rebuilt(stmt, _gathered)
        out.append(stmt)
    return tuple(out)


def _merged(out: list[Stmt], stmt: Accumulate) -> bool:
    """Whether an earlier addition of the same primal statement took this one in."""
    if stmt.target.sym in stmt.amount.symbols:
        return False  # of `adj_b += 0.5f * adj_b` what is added is of what the earlier one leaves
    for k in range(len(out) - 1, -1, -1):
        before = out[k]
        match before:
            case Accumulate(target) if target == stmt.target and before.how == stmt.how:
                if not _short(before.amount) or not _short(stmt.amount):
                    return False
                out[k] = sum_of(before, stmt)
                return True
            case Declare(sym, init) if (
                stmt.target == Place(sym, (), sym.type) and removable(sym) and isinstance(init, Expr)
            ):
                if not _short(init) or not _short(stmt.amount) or is_const(init, 0.0):
                    return False
                first = Accumulate(stmt.target, init, "local", sites=before.sites)
                both = sum_of(first, stmt)
                value = signed(both)
                out[k] = Declare(sym, converted(value, sym.type), before.span, both.sites)
                return True
            case Accumulate() if not _touch(before, stmt):
                continue
            case Declare(sym) if removable(sym) and sym not in stmt.amount.symbols:
                if stmt.target.sym in set(uses([before])):
                    return False
                continue
            case _:
                return False
    return False


def _after_clear(out: list[Stmt], stmt: Accumulate) -> Stmt:
    """What is added to an adjoint that was just cleared is stored; the clear goes."""
    if stmt.how in ("atomic", "reduce"):
        return stmt
    for k in range(len(out) - 1, -1, -1):
        before = out[k]
        match before:
            case Clear(target) if target == stmt.target:
                if stmt.target.sym in stmt.amount.symbols:
                    return stmt
                del out[k]
                amount = signed(stmt)
                sites = merged(before.sites, stmt.sites)
                return Assign(stmt.target, converted(amount, stmt.target.type), sites=sites)
            case Quote() | Comment():
                continue
            case _ if meets(before) and not _own(stmt.target.sym):
                return stmt  # others may come to it
            case _ if stmt.target.sym in symbols([before]) or written(before) & _index_syms(stmt):
                return stmt
            case _:
                continue
    return stmt


def _own(sym: Sym) -> bool:
    """Whether a variable is each thread's own."""
    return removable(sym) and sym.storage == "local"


def _index_syms(stmt: Accumulate) -> set[Sym]:
    return {sym for e in stmt.target.index for sym in e.symbols}


def _touch(before: Accumulate, stmt: Accumulate) -> bool:
    """Whether an addition can't move above another one."""
    return before.target.sym in stmt.amount.symbols or stmt.target.sym in before.amount.symbols


SHORT = 24
"""Nodes of an expression beyond which a sum of two would be hard to read."""


def _short(expr: Expr) -> bool:
    return sum(1 for _ in walk(expr)) <= SHORT


def signed(addition: Accumulate) -> Expr:
    """What is added, with its sign."""
    amount = addition.amount
    return Unary("-", amount, amount.type) if addition.negative else amount


def sum_of(a: Accumulate, b: Accumulate) -> Accumulate:
    """±a ± b as one addition; negative only if both are."""
    if isinstance(a.amount, Unary) and a.amount.op == "-":
        a = replace(a, amount=a.amount.arg, negative=not a.negative)
    sites = merged(a.sites, b.sites)
    if a.negative == b.negative:
        return replace(a, amount=add(a.amount, b.amount), sites=sites)
    if a.negative:
        a, b = b, a
    return replace(a, amount=subtract(a.amount, b.amount), sites=sites)


def merged(*sites: tuple[Site, ...]) -> tuple[Site, ...]:
    """The contributions of several statements, each once."""
    return tuple(dict.fromkeys(site for some in sites for site in some))
