"""What a check found: one row for each argument that has an adjoint, and the contract's other promises.

Found is how much was compared, not only that nothing was wrong: elements sampled, kinks
left out, values that aren't finite. A check that could compare nothing of an argument is
not a check, so what it found is not ok.
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
    """One argument: the largest error among those compared, and where it is.

    Where elements are wrong it is the largest of theirs: a direction is no place.
    `element` is a flat index, None for a direction. `elements` are all there are,
    `checked` those that were looked at, `directions` the random ones on top.
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
    writer: Writer | None = None  # of the element, where it is wrong and accesses can be watched

    @staticmethod
    def of(name: str, gradient: Array, entries: Sequence[Entry]) -> Row:
        """The row that sums up these comparisons of elements of a gradient."""
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
            "zero": self.zero,
            "nonzero": self.nonzero,
            "last_write": self.writer.to_dict() if self.writer else None,
        }


def with_writers(
    rows: Sequence[Row], ask: Callable[[list[tuple[str, int]]], list[Writer]]
) -> tuple[Row, ...]:
    """Rows that say who wrote their wrong elements last."""
    asked = [(row.name, row.element) for row in rows if row.verdict == "wrong" and row.element is not None]
    found = ask(asked) if asked else []
    known = dict(zip(asked, found, strict=True)) if len(found) == len(asked) else {}
    return tuple(
        replace(row, writer=known.get((row.name, row.element))) if row.element is not None else row
        for row in rows
    )


@dataclass(frozen=True)
class Finding:
    """One promise of the contract beside the values themselves, and whether it was kept."""

    ok: bool
    what: str


@dataclass(frozen=True)
class Findings:
    """All that a check found; `ok` if it found nothing wrong and compared something of each argument."""

    kernel: str
    backend: str
    tolerance: float
    rows: tuple[Row, ...]
    findings: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()
    undetermined: tuple[str, ...] = ()  # why the primal itself may be to blame, where something is wrong
    watched: tuple[Seen, ...] = ()
    exact: tuple[Exact, ...] = ()
    floats: tuple[Single, ...] = ()
    also: tuple[tuple[Coverage, ...], ...] = ()  # what further launches of the case reached
    why: Mapping[str, str] = field(default_factory=dict)  # what of the texts needn't be reached
    unwatched: str = ""  # why accesses weren't watched, where this backend could

    @cached_property
    def coverage(self) -> tuple[Coverage, ...]:
        """What of each kernel's text ran; nothing where nobody asked for it."""
        own = [seen.coverage for seen in self.watched if seen.coverage is not None]
        return tuple(one.excused(self.why) for one in joined([own, *self.also]))

    @property
    def covered(self) -> bool | None:
        """Whether every line and every side ran, or the case says why not; None where it wasn't counted."""
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
        """Whether something is wrong; what couldn't be compared on this data isn't."""
        return any(row.verdict == "wrong" for row in self.rows) or not self._sound

    @property
    def _sound(self) -> bool:
        """Whether nothing but values of the gradient can be wrong."""
        seen = all(seen.ok for seen in self.watched)
        exact = all(exact.verdict != "wrong" for exact in self.exact)
        floats = all(single.verdict != "wrong" for single in self.floats)
        return seen and exact and floats and all(finding.ok for finding in self.findings)

    @property
    def faults(self) -> tuple[Fault, ...]:
        """What watching found, the harmless last."""
        return tuple(worst_first([fault for seen in self.watched for fault in seen.faults]))

    @property
    def worst(self) -> float:
        """The largest relative error of all arguments; infinite if an adjoint isn't finite or none ran."""
        return max((row.worst for row in self.rows), default=math.inf)


def _elements(entries: Sequence[Entry], verdict: str) -> tuple[int, ...]:
    return tuple(
        -1 if entry.element is None else entry.element for entry in entries if entry.verdict == verdict
    )
