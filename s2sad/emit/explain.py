"""The plan as tables, and the adjoint with every decision beside its line."""

from __future__ import annotations

from collections.abc import Sequence

from ..analysis.plan import Plan
from ..transform.unit import Adjoint, FactTable
from .file import file_view, how, where
from .render import spelled
from .wrap import table as columns

DECISIONS = ("value", "line", "recovery", "reason", "needed at", "cost", "alternative")
ACCUMULATIONS = ("adjoint", "how", "reason", "lines")


def _lines(numbers: tuple[int, ...]) -> str:
    return ", ".join(str(n) for n in numbers)


def decisions(plan: Plan) -> list[tuple[str, ...]]:
    """Return one row for each decision, with the columns of DECISIONS."""
    return [
        (d.value, str(d.line or ""), where(d), d.reason, _lines(d.needed), d.cost, d.other)
        for d in plan.decisions
    ]


def accumulations(plan: Plan) -> list[tuple[str, ...]]:
    """Return one row for each accumulation, with the columns of ACCUMULATIONS."""
    return [(a.target, how(a), a.reason, _lines(a.lines)) for a in plan.accumulations]


def _markdown(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> list[str]:
    """Print a table, without columns that are empty in every row."""
    kept = [i for i in range(len(head)) if any(row[i] for row in rows)]

    def line(cells: tuple[str, ...]) -> str:
        return "| " + " | ".join(cells[i].replace("|", "\\|") for i in kept) + " |"

    return [line(head), "|" + "---|" * len(kept), *map(line, rows)]


def table(plan: Plan) -> str:
    """Print both tables of the plan, in Markdown."""
    parts: list[str] = []
    for head, rows in ((DECISIONS, decisions(plan)), (ACCUMULATIONS, accumulations(plan))):
        if rows:
            parts.append("\n".join(_markdown(head, rows)))
    return "\n\n".join(parts)


def page(name: str, command: str, plan: Plan) -> str:
    """Print the plan of one adjoint as a page in Markdown: stable, for review."""
    parts = [f"# {name}", f"    {command}"]
    if plan.decisions:
        parts += ["## Values needed by the reverse sweep", "\n".join(_markdown(DECISIONS, decisions(plan)))]
    if plan.accumulations:
        rows = accumulations(plan)
        parts += ["## Accumulation of adjoints", "\n".join(_markdown(ACCUMULATIONS, rows))]
    for title, items in (("Assumptions", plan.assumptions), ("Kinks and singular points", plan.kinks)):
        if items:
            parts += [f"## {title}", "\n".join(f"* {item}" for item in dict.fromkeys(items))]
    return "\n\n".join(parts) + "\n"


def annotated(adjoint: Adjoint) -> str:
    """Print the emitted file with each decision and its costs beside the line it concerns."""
    return spelled(file_view(adjoint), "explain")


def fact_tables(facts: Sequence[FactTable]) -> str:
    """Print tables of findings, one under the other; none that is empty."""
    parts = []
    for found in facts:
        if not found.rows:
            continue
        rows = [found.columns, *found.rows]
        parts.append("\n".join([f"## {found.title}", "", *columns(rows, 110)]) + "\n")
    return "\n".join(parts)
