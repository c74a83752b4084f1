"""Mark an answer to an exercise: `audit` judges it, and a failing check becomes a hint with a place.

The verdict is the audit's alone: an answer may be written in any way. The reference answer only serves to
find the place. Each place where a wrong answer differs from it is tried alone: the reference with this change
is audited, and a change with which it fails is at fault.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from .. import auditing
from ..diagnostics import Rejected
from ..entries import Entry, Place
from ..source import Source
from ..validate import Report
from . import gaps
from .gaps import Change
from .hints import Failure, failures, said
from .lessons import Exercise

TRIED = 6
"""The most changes that are tried alone; an answer with more is likely to be written in another way."""
TIMEOUT = 10.0  # seconds for a launch of an exercise, which takes milliseconds if it ends
EMPTY = "empty-gap"
WIDTH = 100

BackendName = Literal["auto", "cpu", "cuda"]


@dataclass(frozen=True)
class Hint:
    """Where an answer is wrong, and what to think about.

    `line` and `last` are lines of the answer; something is missing before `line` if `last` is less, and it is
    None if the place isn't known. `array`, `element` and `who` (block and thread) are the failing check's.
    """

    code: str
    line: int | None
    last: int
    found: str  # what the check found, a clause
    think: str  # what to think about, sentences
    array: str = ""
    element: int | None = None
    who: str = ""
    gap: int | None = None

    def to_dict(self) -> dict[str, object]:
        """Return the hint as plain values for JSON."""
        return {
            "code": self.code,
            "line": self.line,
            "last": self.last if self.line is not None else None,
            "missing": self.line is not None and self.last < self.line,
            "array": self.array or None,
            "element": self.element,
            "who": self.who or None,
            "gap": self.gap,
            "found": self.found,
            "think": self.think,
        }


@dataclass(frozen=True)
class Mark:
    """The verdict on an answer; the report is missing if a gap is empty, so that nothing was run."""

    exercise: Exercise
    source: Source
    hint: Hint | None = None
    report: Report | None = None

    @property
    def right(self) -> bool:
        return self.hint is None

    def entry(self) -> Entry | None:
        """Return the hint as an entry for tools; None if the answer is right."""
        if self.hint is None:
            return None
        place = Place(self.source.name, self.hint.line or 1)
        return Entry("error", self.hint.code, self.hint.found, place, self.hint.think)


def mark(exercise: Exercise, source: Source, backend: BackendName = "auto", timeout: float = TIMEOUT) -> Mark:
    """Mark an answer. Raises Rejected if it doesn't compile, BackendUnavailable."""
    here = gaps.gaps(source.text)
    changes = gaps.changes(exercise.answer, source.text)
    empty = next((gap for gap in here if gap.empty), None)
    if empty is not None and not any(c.lines and gaps.around(here, c.first) is None for c in changes):
        found = f"gap {empty.number} is empty: {empty.question}"
        think = _think(EMPTY, exercise, empty.number)
        hint = Hint(EMPTY, empty.first + 1, empty.last - 1, found, think, gap=empty.number)
        return Mark(exercise, source, hint)
    report, failed = _audit(exercise, source, backend, timeout)
    if not failed:
        return Mark(exercise, source, report=report)
    marker = _Marker(exercise, source, backend, timeout)
    return Mark(exercise, source, marker.hint(failed, changes), report)


def _audit(
    exercise: Exercise, source: Source, backend: BackendName, timeout: float
) -> tuple[Report, tuple[Failure, ...]]:
    job = auditing.prepare(Source(f"{exercise.name}.cu", exercise.answer), source, exercise.case)
    report = auditing.judge(job, backend, timeout)
    return report, failures(report, job)


@dataclass(frozen=True)
class _Marker:
    """What turns the failures of an answer into a hint."""

    exercise: Exercise
    source: Source
    backend: BackendName
    timeout: float

    def hint(self, failed: Sequence[Failure], changes: Sequence[Change]) -> Hint:
        """Return the hint for the first place that is wrong by itself, else for the first failure."""
        if len(changes) == 1:
            return self._of(failed[0], changes[0])
        for change in changes[:TRIED]:
            if alone := self._alone(change):
                # the answer's own failure, if it has one of the kind
                known = {(one.code, one.array) for one in alone}
                own = next((one for one in failed if (one.code, one.array) in known), failed[0])
                return self._of(own, change)
        return self._of(failed[0], None)

    def _alone(self, change: Change) -> tuple[Failure, ...]:
        """Return the failures of the reference answer with one change; none if it doesn't compile."""
        text = gaps.applied(self.exercise.answer, change)
        try:
            _, failed = _audit(self.exercise, Source(self.source.name, text), self.backend, self.timeout)
        except Rejected:
            return ()  # it needs another change
        return failed

    def _of(self, failure: Failure, change: Change | None) -> Hint:
        line, last = failure.line, failure.line or 0
        if change is not None and not self._is_exact(failure, change):
            line, last = change.first, change.last
        number = gaps.around(gaps.gaps(self.source.text), line) if line is not None else None
        think = _think(failure.kind, self.exercise, number)
        f = failure
        return Hint(f.code, line, last, f.found, think, f.array, f.element, f.who, number)

    @staticmethod
    def _is_exact(failure: Failure, change: Change) -> bool:
        """Whether the failing line is the place, and not only where the fault shows."""
        if failure.line is None:
            return False
        guard_is_missing = change.last < change.first and failure.code == "out-of-bounds"
        return guard_is_missing or change.first <= failure.line <= change.last


def _think(kind: str, exercise: Exercise, gap: int | None) -> str:
    """Return what there is to think about: the kind's hint, then the gap's, if it is about values."""
    about_values = kind == EMPTY or kind.startswith("gradient-")
    own = exercise.hints.get(gap, "") if gap is not None and about_values else ""
    return " ".join(filter(None, (said(kind), own)))


def page(mark: Mark) -> str:
    """Return the mark as text: the verdict, the place with its line, and what to think about."""
    name = mark.source.name
    hint = mark.hint
    if hint is None:
        return f"{name}: right\n"
    lines = mark.source.text.splitlines()
    told = [f"{name}: not yet right", ""]
    if hint.line is not None:
        missing = hint.last < hint.line
        where = f"lines {hint.line} to {hint.last}" if hint.last > hint.line else f"line {hint.line}"
        told.append(f"  {'something is missing before ' if missing else ''}{where}:")
        shown = range(hint.line, max(hint.line, hint.last) + 1)
        told += [f"    {number:4} | {lines[number - 1]}" for number in shown if number <= len(lines)]
        told.append("")
    told += textwrap.wrap(hint.found, WIDTH, initial_indent="  found: ", subsequent_indent="    ")
    told += textwrap.wrap(hint.think, WIDTH, initial_indent="  think: ", subsequent_indent="    ")
    return "\n".join(told) + "\n"
