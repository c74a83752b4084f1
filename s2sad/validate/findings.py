"""The findings of a check: a row for each argument with an adjoint, and the contract's other promises.

Findings also record how much was compared: elements sampled, kinks
left out, values that aren't finite. If nothing of an argument could be compared,
they aren't ok.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

import numpy as np

from ..run.coverage import Coverage, joined
from ..run.sanitizer_report import Fault, worst_first
from .differences import Entry
from .elements import Array, finite
from .float_check import Single
from .race_check import Seen, Writer
from .tangent_check import Exact

RowVerdict = Literal["ok", "wrong", "not compared"]


@dataclass(frozen=True)
class Row:
    """The result for one argument: the largest error of its comparisons, and its place.

    If elements are wrong, it is the largest error of an element: a direction has no place.
    `element` is a flat index, None for a direction. `elements` counts all elements,
    `checked` those that were compared, `directions` the random directions in addition.
    """

    name: str
    elements: int
    checked: int
    directions: int
    worst: float
    element: int | None
    adjoint: float
    difference: float
    wrong: int
    kinks: tuple[int, ...]  # -1 for a direction
    not_finite: tuple[int, ...]
    zero: bool  # adjoint and differences are zero throughout
    verdict: RowVerdict
    nonzero: int = 0  # elements of the adjoint that aren't zero
    unresolved: tuple[int, ...] = ()  # below what differences resolve, and no tangent judged them
    kind: Literal["gradient", "tangent"] = "gradient"
    writer: Writer | None = None  # of the element, if it is wrong and accesses can be watched

    @staticmethod
    def of(name: str, gradient: Array, entries: Sequence[Entry]) -> Row:
        """Summarise these comparisons of a gradient."""
        compared = [entry for entry in entries if entry.verdict in ("ok", "wrong")]
        wrong_ones = [entry for entry in compared if entry.verdict == "wrong" and entry.element is not None]
        worst = max(wrong_ones or compared, key=lambda entry: entry.error, default=None)
        wrong = sum(entry.verdict == "wrong" for entry in entries)
        return Row(
            name,
            gradient.size,
            checked=sum(entry.element is not None for entry in entries),
            directions=sum(entry.element is None for entry in entries),
            worst=worst.error if worst else 0.0,
            element=worst.element if worst else None,
            adjoint=worst.adjoint if worst else math.nan,
            difference=worst.difference if worst else math.nan,
            wrong=wrong,
            kinks=_elements(entries, "kink"),
            not_finite=_elements(entries, "not finite"),
            unresolved=_elements(entries, "unresolved"),
            zero=all(entry.adjoint == 0 and entry.difference == 0 for entry in compared),
            verdict="wrong" if wrong else "ok" if compared else "not compared",
            nonzero=int(np.count_nonzero(gradient)),
        )

    def to_dict(self) -> dict[str, object]:
        """Return the row as plain values: an entry of `arguments` in `Report.to_dict`."""
        return {
            "name": self.name,
            "verdict": self.verdict,
            "elements": self.elements,
            "checked": self.checked,
            "directions": self.directions,
            "worst": finite(self.worst),
            "element": self.element,
            "adjoint": finite(self.adjoint),
            "difference": finite(self.difference),
            "wrong": self.wrong,
            "kinks": list(self.kinks),
            "not_finite": list(self.not_finite),
            "unresolved": list(self.unresolved),
            "zero": self.zero,
            "nonzero": self.nonzero,
            "last_write": self.writer.to_dict() if self.writer else None,
        }


def with_writers(
    rows: Sequence[Row], ask: Callable[[list[tuple[str, int]]], list[Writer]]
) -> tuple[Row, ...]:
    """Add to rows the last write of their wrong elements."""
    asked = [(row.name, row.element) for row in rows if row.verdict == "wrong" and row.element is not None]
    found = ask(asked) if asked else []
    known = dict(zip(asked, found, strict=True)) if len(found) == len(asked) else {}
    return tuple(
        replace(row, writer=known.get((row.name, row.element))) if row.element is not None else row
        for row in rows
    )


@dataclass(frozen=True)
class Finding:
    """One promise of the contract besides the values themselves, and whether it was kept.

    `array` is the parameter that it concerns, if it is one, and `element` the flat index where it is broken.
    """

    ok: bool
    what: str
    array: str = ""
    element: int | None = None


@dataclass(frozen=True)
class Findings:
    """All findings of a check; `ok` if nothing is wrong and something of each argument was compared."""

    kernel: str
    backend: str
    tolerance: float
    rows: tuple[Row, ...]
    findings: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()
    undetermined: tuple[str, ...] = ()  # if something is wrong, why the primal itself may be the cause
    watched: tuple[Seen, ...] = ()
    exact: tuple[Exact, ...] = ()
    floats: tuple[Single, ...] = ()
    also: tuple[tuple[Coverage, ...], ...] = ()  # the coverage of the case's further launches
    why: Mapping[str, str] = field(default_factory=dict)  # points excused from coverage, and why
    unwatched: str = ""  # why accesses weren't watched although the backend can

    @cached_property
    def coverage(self) -> tuple[Coverage, ...]:
        """The coverage of each kernel's text; empty if it wasn't requested."""
        own = [seen.coverage for seen in self.watched if seen.coverage is not None]
        return tuple(one.excused(self.why) for one in joined([own, *self.also]))

    @property
    def covered(self) -> bool | None:
        """Whether every line and every side ran or is excused by the case; None if they weren't counted."""
        if not self.coverage or not all(one.counted for one in self.coverage):
            return None
        return all(one.whole for one in self.coverage)

    @property
    def ok(self) -> bool:
        return bool(self.rows) and all(row.verdict == "ok" for row in self.rows) and self._sound

    @property
    def zero(self) -> bool:
        """Whether every gradient is zero throughout: a comparison of zeros shows little."""
        return bool(self.rows) and all(row.zero for row in self.rows)

    @property
    def wrong(self) -> bool:
        """Whether something is wrong; arguments that couldn't be compared aren't."""
        return any(row.verdict == "wrong" for row in self.rows) or not self._sound

    @property
    def _sound(self) -> bool:
        """Whether nothing is wrong apart from the rows."""
        seen = all(seen.ok for seen in self.watched)
        exact = all(exact.verdict != "wrong" for exact in self.exact)
        floats = all(single.verdict != "wrong" for single in self.floats)
        return seen and exact and floats and all(finding.ok for finding in self.findings)

    @property
    def faults(self) -> tuple[Fault, ...]:
        """The faults of watched launches, harmless ones last."""
        return tuple(worst_first([fault for seen in self.watched for fault in seen.faults]))

    @property
    def worst(self) -> float:
        """The largest relative error of all arguments; infinite if an adjoint isn't finite or wasn't run."""
        return max((row.worst for row in self.rows), default=math.inf)


def _elements(entries: Sequence[Entry], verdict: str) -> tuple[int, ...]:
    return tuple(
        -1 if entry.element is None else entry.element for entry in entries if entry.verdict == verdict
    )
