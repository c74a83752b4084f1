"""What went wrong in an answer, by kind: the failures of an audit, the one to look at first in front.

A kind is the code of a check, or finer: a gradient with the wrong sign, of which nothing arrived, ... What
there is to think about is in hints.toml.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ..auditing import Job
from ..run.sanitizer_report import Access, Fault
from ..validate import Report, page
from ..validate.findings import Finding, Row

# What is found first explains what comes after it.
_ORDER = (
    "endless",
    "crash",
    "failed",
    "division-by-zero",
    "missing-return",
    "divergent-barrier",
    "out-of-bounds",
    "unwritten-shared",
    "misaligned",
    "race",
    "missed-barrier",
)
_FACTORS = (2, 3, 4, 1 / 2, 1 / 3, 1 / 4)
_NEAR = 1e-6  # relative; chance hits it once in a million


@dataclass(frozen=True)
class Failure:
    """One failing check, with the line of the text that it names, if it names one."""

    kind: str
    code: str
    found: str
    line: int | None = None
    array: str = ""
    element: int | None = None
    who: str = ""


def failures(report: Report, job: Job) -> tuple[Failure, ...]:
    """Return what is wrong with an answer, the most telling first; empty if the answer is right.

    A barrier that some threads never reach is wrong here, though the audit only warns of it: hardware may
    allow it, the language doesn't.
    """
    names = {name: adjoints[0].name for name, adjoints in job.adjoints.items()}
    parameters = {a.name for signature in job.signatures for a in signature.arguments}
    found = [_of_fault(fault, parameters) for fault in report.faults if fault.kind != "same-value"]
    found.sort(key=lambda failure: _ORDER.index(failure.code) if failure.code in _ORDER else len(_ORDER))
    found += [_of_row(row, names) for row in _worst_first(report)]
    found += [_of_finding(finding) for finding in report.findings if not finding.ok]
    found += [
        Failure("wrong-tangent", "wrong-tangent", e.text()) for e in report.exact if e.verdict == "wrong"
    ]
    found += [
        Failure("lost-digits", "lost-digits", single.text(), None, names.get(single.name, ""), single.element)
        for single in report.floats
        if single.verdict == "wrong"
    ]
    if not found and not report.ok:
        found.append(Failure("not-compared", "not-compared", "nothing could be compared"))
    return tuple(found)


@cache
def _table() -> dict[str, str]:
    text = (Path(__file__).parent / "hints.toml").read_text(encoding="utf-8")
    return {kind: str(hint) for kind, hint in tomllib.loads(text).items()}


def kinds() -> tuple[str, ...]:
    """Return all kinds that have a hint."""
    return tuple(_table())


def said(kind: str) -> str:
    """Return what there is to think about; nothing for a kind that explains itself."""
    return _table().get(kind, "")


def _of_fault(fault: Fault, parameters: set[str]) -> Failure:
    first: Access | None = next(iter(fault.accesses), None)
    kind: str = fault.kind
    if kind == "race":
        alike = len({access.line for access in fault.accesses}) == 1
        kind = "race-global" if fault.array in parameters else "race-add" if alike else "race-shared"
    line = first.line if first else None
    return Failure(
        kind, fault.kind, fault.text(), line, fault.array, fault.element, first.who if first else ""
    )


def _worst_first(report: Report) -> Iterator[Row]:
    """Yield the wrong rows; those that no thread writes come first, since they miss a whole statement."""
    wrong = [row for row in report.rows if row.verdict == "wrong"]
    yield from sorted(wrong, key=lambda row: not row.zero and row.adjoint != 0)


def _of_row(row: Row, names: dict[str, str]) -> Failure:
    access = row.writer.access if row.writer else None
    return Failure(
        _kind(row),
        "wrong-gradient",
        next(page.wrong_values(row)),
        access.line if access else None,
        names.get(row.name, row.name),
        row.element,
        access.who if access else "",
    )


def _kind(row: Row) -> str:
    """Return how a wrong value differs from the right one."""
    if row.writer is not None and row.writer.access is None:
        return "gradient-unwritten"
    if not math.isfinite(row.adjoint):
        return "gradient-not-finite"
    if row.adjoint == 0:
        return "gradient-zero"
    ratio = row.difference / row.adjoint
    if abs(ratio + 1) < _NEAR:
        return "gradient-sign"
    if any(abs(ratio * factor - 1) < _NEAR for factor in _FACTORS):
        return "gradient-factor"
    return "gradient-value"


def _of_finding(finding: Finding) -> Failure:
    kind = "broken-contract" if finding.element is None else "not-added"
    what, _, _ = finding.what.partition("; if storing is intended")  # in an exercise it isn't
    return Failure(kind, "broken-contract", what, None, finding.array, finding.element)
