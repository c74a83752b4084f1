"""One report of several launches: a case's own, and those that it adds with `[[also]]`.

An added launch may leave arguments uncompared, for a kink or a value that isn't finite: others compare them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .case import Case
from .report import Report


def together(case: Case, reports: Sequence[Report]) -> Report:
    """Return the first wrong report, else the first, with the coverage of all launches."""
    number = next((n for n, report in enumerate(reports) if report.wrong), 0)
    shown = reports[number]
    notes = shown.notes
    if number:
        notes = (*notes, f"this is launch {number + 1} of the case, the {_ordinal(number)} [[also]]")
    elif len(reports) > 1 and shown.ok:
        more = len(reports) - 1
        told = (
            "one more launch of the case is also ok"
            if more == 1
            else f"{more} more launches of the case are also ok"
        )
        notes = (*notes, told)
    reached = tuple(report.coverage for n, report in enumerate(reports) if n != number)
    return replace(shown, notes=notes, also=reached, why=case.uncovered)


def worst(reports: Sequence[Report]) -> Report:
    """Return the first wrong report; else the first in which something wasn't compared, else the first."""
    return min(reports, key=lambda report: 0 if report.wrong else 2 if report.ok else 1)


def _ordinal(number: int) -> str:
    return {1: "first", 2: "second", 3: "third"}.get(number, f"{number}th")
