"""The final accumulations as rows of the plan; and sums whose rounding depends on the order of threads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from ...analysis.access.accumulation_reasons import some
from ...analysis.plan import Accumulation, Plan
from ...diagnostics import Code, Diagnostic, diagnose
from ...ir import (
    ATOMICS,
    REDUCTIONS,
    Accumulate,
    Array,
    Cast,
    Declare,
    Expr,
    How,
    Place,
    Stmt,
    Sym,
    statements,
)
from ...irtext import show
from ...source import Span
from ..build.add_scalar_totals import SHARE
from ..common.algebra import rewrite
from ..plan.accumulation_verdicts import elements


def with_sums(plan: Plan, prefix: str, totals: Iterable[tuple[Sym, Sym]], body: Iterable[Stmt]) -> Plan:
    """Return the plan with a row for each by-value scalar and with the additions reduced per block.

    The adjoint of a block sum has a row only if it is still a variable.
    """
    body = tuple(body)
    declared = {s.sym.name for s in statements(body) if isinstance(s, Declare)}
    hows: dict[Sym, dict[str, list[Place]]] = {}
    for stmt in statements(body):
        if isinstance(stmt, Accumulate) and stmt.how in ATOMICS:
            sites = hows.setdefault(stmt.target.sym, {}).setdefault(stmt.how, [])
            sites.append(_stored_to(stmt))
    named = {elements(sym.of, prefix): found for sym, found in hows.items() if sym.of is not None}
    rows: list[Accumulation] = []
    for row in plan.accumulations:
        found = named.get(row.target, {})
        if row.how == "atomic" and _reduction(found):
            rows += _split(row, found, [r for r in plan.accumulations if r.target == row.target])
        elif row.how != "total" or row.target in declared:
            rows.append(row)
    for _, pointer in totals:
        found = hows.get(pointer, {})
        if (how := _reduction(found)) is not None:
            rows.append(Accumulation(pointer.name, how, SHARE))
        if "atomic" in found:
            rows.append(Accumulation(pointer.name, "atomic", f"{SHARE}, with one addition per thread"))
    return replace(plan, accumulations=tuple(dict.fromkeys(rows)))


def with_shares(plan: Plan, totals: Iterable[tuple[Sym, Sym]]) -> Plan:
    """Return the plan with a row for each by-value scalar, before statements are built."""
    rows = (Accumulation(pointer.name, "atomic", SHARE) for _, pointer in totals)
    return replace(plan, accumulations=(*plan.accumulations, *rows))


def told_apart(plan: Plan, prefix: str, apart: Mapping[Sym, Sym]) -> Plan:
    """Return the plan with the adjoints of fields under the names of their separate parameters."""
    names = {elements(sym, prefix): f"{adjoint.name}[..]" for sym, adjoint in apart.items()}
    rows = (replace(row, target=names.get(row.target, row.target)) for row in plan.accumulations)
    return replace(plan, accumulations=tuple(rows))


def _stored_to(stmt: Accumulate) -> Place:
    """The element that a statement adds to; of the sums of an array, as the primal reads one of them."""
    return stmt.sites[0].place if isinstance(stmt.amount.type, Array) and stmt.sites else stmt.target


def order_problems(
    body: Iterable[Stmt], prefix: str, spans: Mapping[Sym, Sequence[Span]]
) -> list[Diagnostic]:
    """Report sums that depend on the order of threads, each where the primal reads the summed value.

    The sum within a block is always in the same order; the order of blocks isn't fixed.
    """
    hows: dict[Sym, set[str]] = {}
    for stmt in statements(tuple(body)):
        if isinstance(stmt, Accumulate) and stmt.how in ATOMICS:
            hows.setdefault(stmt.target.sym, set()).add(stmt.how)
    found: list[Diagnostic] = []
    for adjoint, ways in hows.items():
        primal = adjoint.of
        if primal is None or (adjoint.storage == "shared" and ways == {"reduce"}):
            continue
        who = "several threads" if "atomic" in ways else "several blocks"
        name = f"{prefix}{primal.name}" if adjoint.storage != "parameter" else adjoint.name
        places: Sequence[Span | None] = spans.get(primal) or [primal.span]
        for span in places:
            found.append(diagnose(Code.ORDER_OF_SUMS, span, adjoint=name, who=who))
    return found


def _split(
    row: Accumulation, found: dict[str, list[Place]], others: list[Accumulation]
) -> list[Accumulation]:
    """Split a row of atomic additions into those reduced per block and the rest."""
    how = _reduction(found)
    assert how is not None
    places = [place for one in REDUCTIONS for place in found.get(one, ())]
    if "atomic" not in found:
        return [replace(row, how=how, reason=_reduced(row.reason, places))]
    every = _every_thread(row.reason)
    if any(_every_thread(r.reason) for r in others if r is not row) or (every and len(others) > 1):
        return [replace(row, how=how)] if every else [row]
    rest = replace(row, reason=f"other threads also add to {_some(found['atomic'])}")
    return [replace(row, how=how, reason=_reduced(row.reason, places)), rest]


def _reduction(found: Mapping[str, Sequence[Place]]) -> How | None:
    """Return how threads sum before an addition, if they do: over the block somewhere, else over warps."""
    return next((how for how in REDUCTIONS if how in found), None)


def _every_thread(reason: str) -> bool:
    return reason.startswith("every thread reads")


def _reduced(reason: str, targets: Iterable[Place]) -> str:
    """Return why the threads of a block add to the same elements."""
    if _every_thread(reason):
        return reason
    return f"all threads of a block read the same {_some(targets)}"


def _some(targets: Iterable[Place]) -> str:
    plain = (replace(t, sym=t.sym.of or t.sym, index=tuple(map(_bare, t.index))) for t in targets)
    return some(list(dict.fromkeys(map(show, plain))))


def _bare(expr: Expr) -> Expr:
    """Return an index without conversions, as the author would write it."""
    return rewrite(expr, lambda e: _bare(e.arg) if isinstance(e, Cast) else None)
