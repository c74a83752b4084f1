"""Remove what a careful author would not have written.

An intermediate adjoint keeps its name only if it is used more than once (`inline_single_use`).
Stores to adjoints that aren't read later and unused declarations are removed (`dead_stores`).
Consecutive additions to one adjoint are merged; so are a clear and the addition after it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from ....fixpoint import rounds
from ....ir import (
    ATOMICS,
    Accumulate,
    Assign,
    Body,
    Clear,
    Comment,
    Const,
    Declare,
    Expr,
    Place,
    Quote,
    Site,
    Stmt,
    Sym,
    Unary,
    rebuilt,
    statements,
    walk,
)
from ...common.algebra import add, converted, is_const, subtract
from ...common.mod_ref import meets, removable, written
from ...common.symbol_uses import symbols, uses
from .dead_code import count, without_empty
from .dead_stores import without_dead_stores, without_unread
from .factor import factored
from .inline_single_use import inlined

_ROUNDS = 4  # per statement: an upper bound


def with_whole_structs(body: Body) -> Body:
    """The same; a struct of which some fields keep their names keeps them all."""
    named = frozenset[Sym]()
    fields = frozenset(s for s in _declared(body) if struct_of(s) is not None)
    for _ in rounds(len(fields) + 1, "structs that stay whole"):
        new = tuple(simplify(list(body), named))
        left = fields & _declared(new)
        split = {struct_of(s) for s in fields - left - named} & {struct_of(s) for s in left}
        if not split:
            return new
        named |= {s for s in fields if struct_of(s) in split}
    return body


def struct_of(sym: Sym) -> Sym | None:
    """The struct, or the primal's, that a variable is a field of."""
    return sym.within or (sym.of.within if sym.of is not None else None)


def _declared(body: Body) -> frozenset[Sym]:
    return frozenset(s.sym for s in statements(body) if isinstance(s, Declare))


def simplify(body: list[Stmt], named: Collection[Sym] = ()) -> list[Stmt]:
    """The same computation without redundant stores and names, but those that are to stay `named`.

    Each round shrinks the body, except those in which `factored` changed something; after it nothing
    is left to factor, so there are fewer of those than statements.
    """
    previous = -1
    for _ in rounds(_ROUNDS * (count(body) + 1), "tidying"):
        if previous == (size := count(body)):
            break
        previous = size
        body = without_dead_stores(without_unread(body))
        body = inlined(body, named)
        body = list(_gathered(tuple(body)))
        body = without_empty(body)
        whole = tuple(body)
        body = list(new := factored(whole))
        if new is not whole:
            previous = -1  # factoring may have left a name with a single use
    return body


def _gathered(body: Body) -> Body:
    """Merge two consecutive additions to one adjoint: one atomic, or one load and store."""
    out: list[Stmt] = []
    cleared: set[Place] = set()
    added: set[Place] = set()  # what is in `out`, which is searched only for what may be there
    declared: set[Sym] = set()
    for stmt in body:
        match stmt:
            case Clear(target):
                cleared.add(target)
            case Accumulate(target):
                sym = target.sym
                if (target in added or sym in declared) and _merged(out, stmt):
                    continue
                added.add(target)
                if target in cleared:
                    stmt = _after_clear(out, stmt)
                elif sym in declared and (first := at_declaration(out, stmt)) is not None:
                    stmt = first
            case Declare(sym):
                declared.add(sym)
            case _:
                stmt = rebuilt(stmt, _gathered)
        out.append(stmt)
    return tuple(out)


def _merged(out: list[Stmt], stmt: Accumulate) -> bool:
    """Merge an addition into an earlier one of the same primal statement; whether it succeeded."""
    if stmt.target.sym in stmt.amount.symbols:
        return False  # in `adj_b += 0.5f * adj_b`, the amount depends on the earlier addition
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
                first = Accumulate(stmt.target, init, "local", sites=before.sites, told=before.told)
                both = sum_of(first, stmt)
                value = signed(both)
                out[k] = Declare(sym, converted(value, sym.type), before.span, both.sites, both.told)
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


def at_declaration(out: list[Stmt], stmt: Accumulate, copies: bool = False) -> Declare | None:
    """The declaration of a variable with its first addition, in place of zero and the addition.

    float adj_s = 0.0f;                    // y = s * s
    // y = s * s                     ->    float adj_s = 2.0f * s * g;
    adj_s += 2.0f * s * g;

    `copies`: also if a variable alone is added.
    """
    sym = stmt.target.sym
    if stmt.how != "local" or stmt.target.index or not removable(sym) or sym in stmt.amount.symbols:
        return None
    if not copies and isinstance(stmt.amount, Place) and not stmt.amount.index:
        return None  # perhaps a sum that goes into another one: `coalesce_sums` makes them one
    for k in range(len(out) - 1, -1, -1):
        match out[k]:
            case Declare(declared, init, span) if declared is sym:
                if not isinstance(init, Const) or not is_const(init, 0.0):
                    return None
                del out[k]
                return Declare(sym, converted(signed(stmt), sym.type), span, stmt.sites, stmt.told)
            case Quote() | Comment():
                continue
            case Accumulate() | Declare() | Assign() as before if sym not in symbols([before]):
                continue
            case _:
                return None
    return None


def _after_clear(out: list[Stmt], stmt: Accumulate) -> Stmt:
    """Store what is added to an adjoint that was just cleared, and remove the clear."""
    if stmt.how in ATOMICS:
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
                told = merged(before.told, stmt.told)
                return Assign(stmt.target, converted(amount, stmt.target.type), sites=sites, told=told)
            case Quote() | Comment():
                continue
            case _ if meets(before) and not _own(stmt.target.sym):
                return stmt  # other threads may access it
            case _ if stmt.target.sym in symbols([before]) or written(before) & _index_syms(stmt):
                return stmt
            case _:
                continue
    return stmt


def _own(sym: Sym) -> bool:
    """Whether a variable is private to each thread."""
    return removable(sym) and sym.storage == "local"


def _index_syms(stmt: Accumulate) -> set[Sym]:
    return {sym for e in stmt.target.index for sym in e.symbols}


def _touch(before: Accumulate, stmt: Accumulate) -> bool:
    """Whether an addition can't be moved above another one."""
    return before.target.sym in stmt.amount.symbols or stmt.target.sym in before.amount.symbols


SHORT = 24
"""The number of nodes of an expression up to which sums are merged, for readability."""


def _short(expr: Expr) -> bool:
    return sum(1 for _ in walk(expr)) <= SHORT


def signed(addition: Accumulate) -> Expr:
    """The added amount, with its sign."""
    amount = addition.amount
    return Unary("-", amount, amount.type) if addition.negative else amount


def sum_of(a: Accumulate, b: Accumulate) -> Accumulate:
    """±a ± b as one addition; negative only if both are."""
    if isinstance(a.amount, Unary) and a.amount.op == "-":
        a = replace(a, amount=a.amount.arg, negative=not a.negative)
    sites, told = merged(a.sites, b.sites), merged(a.told, b.told)
    if a.negative == b.negative:
        return replace(a, amount=add(a.amount, b.amount), sites=sites, told=told)
    if a.negative:
        a, b = b, a
    return replace(a, amount=subtract(a.amount, b.amount), sites=sites, told=told)


def merged(*sites: tuple[Site, ...]) -> tuple[Site, ...]:
    """The sites of several statements, without duplicates."""
    return tuple(dict.fromkeys(site for some in sites for site in some))
