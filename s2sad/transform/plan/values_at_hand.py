"""Use a value that the primal has named instead of computing it for a partial.

    c = cos(t);
    s = sin(t);      the partial of s is c, not cos(t)

The reverse sweep then needs `c`, which the analyses place like any other value.
"""

from __future__ import annotations

from dataclasses import replace

from ...analysis.ssa import Version, Versions, loads, outputs, scalars
from ...ir import Call, Expr, Place, Scalar, Stmt, collective
from ..common.algebra import rewrite
from .partials import Add, Item
from .pullbacks import Debts, Owed


def name_results(debts: Debts, versions: Versions) -> None:
    """Replace calls in partials by the author's variables that hold their results."""
    named = _named(versions)
    if not named:
        return
    for owed in (owed for every in debts.of.values() for owed in every):
        owed.items = [_with_names(item, owed, named, versions) for item in owed.items]


def _named(versions: Versions) -> dict[Call, list[Version]]:
    """The variables that are set once, to a call's result: others might have to be recorded for it."""
    found: dict[Call, list[Version]] = {}
    for stmt, made in versions.makes.items():
        for version in made.values():
            value = None if version.made is None else version.made[1]
            once = len(versions.writers.get(version.sym, ())) == 1
            if not isinstance(value, Call) or not once or value.type != version.sym.type:
                continue
            if not outputs(value) and collective(stmt) is None and not any(True for _ in loads(value)):
                found.setdefault(value, []).append(version)
    return found


def _with_names(item: Item, owed: Owed, named: dict[Call, list[Version]], versions: Versions) -> Item:
    if not isinstance(item, Add):
        return item

    def name(expr: Expr) -> Expr | None:
        for version in named.get(expr, ()) if isinstance(expr, Call) else ():
            if version.stmt is not owed.stmt and _same(version, owed.stmt, expr, versions):
                owed.afters[version.sym] = version
                assert isinstance(version.sym.type, Scalar)
                return Place(version.sym, (), version.sym.type)
        return None

    amount = item.amount
    new = replace(
        amount,
        factors=tuple(rewrite(e, name) for e in amount.factors),
        divisors=tuple(rewrite(e, name) for e in amount.divisors),
    )
    return item if new == amount else replace(item, amount=new)


def _same(version: Version, stmt: Stmt, call: Expr, versions: Versions) -> bool:
    """Whether a variable holds the value that a call would have at a statement."""
    made, here = version.stmt, versions.scope_of[stmt]
    assert made is not None
    there = versions.scope_of[made]
    if not (here is there or (here.within(there) and versions.order[made] < versions.order[stmt])):
        return False
    return all(versions.read(made, sym) is versions.read(stmt, sym) for sym in scalars(call))
