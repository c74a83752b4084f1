"""Coverage of a text by launches: the lines and the sides of conditions that ran, as picklable values.

A point is a place in the text that a launch may reach: the start of a statement, or one side of
a condition. Points nest as the text does. For a side that never ran, its lines are
reported, or the side itself if it has no line of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal


@dataclass(frozen=True)
class Point:
    """A place in a text.

    `side` is empty for a line, else the name of the side: "else", "no trip", "x > 0 false". `within` is the
    number of the enclosing side, -1 if there is none; `text` is the statement, or the deciding
    condition. `why` is a reason for not reaching it that the text itself gives.
    """

    number: int
    file: str
    line: int
    side: str = ""
    within: int = -1
    text: str = ""
    why: str = ""

    @property
    def key(self) -> str:
        """The point's key in a case file: line numbers change when a text is edited, statements don't."""
        words = " ".join(self.text.split())
        side = (
            "true" if self.side.endswith(" true") else "false" if self.side.endswith(" false") else self.side
        )
        return f"{words} ({side})" if side else words

    @property
    def kind(self) -> Literal["line", "side"]:
        return "side" if self.side else "line"


@dataclass(frozen=True)
class Coverage:
    """The points of one kernel's text that launches reached; unreachable points aren't listed.

    `why_not`: why nothing was counted, if so. `coarse`: sides within expressions were not counted.
    """

    kernel: str
    file: str = ""
    points: tuple[Point, ...] = ()
    reached: frozenset[int] = frozenset()
    why_not: str = ""
    coarse: bool = False
    reasons: Mapping[int, str] = field(default_factory=dict)  # why points needn't be reached

    @property
    def counted(self) -> bool:
        return not self.why_not

    @property
    def whole(self) -> bool:
        """Whether coverage was counted and every point ran or has a reason not to."""
        return self.counted and not self.missed

    @cached_property
    def lines(self) -> dict[tuple[str, int], bool]:
        """Map each line on which a statement starts to whether one of its statements ran."""
        found: dict[tuple[str, int], bool] = {}
        for point in self.points:
            if point.kind == "line":
                key = point.file, point.line
                found[key] = found.get(key, False) or point.number in self.reached
        return found

    @cached_property
    def sides(self) -> dict[int, bool]:
        """Map the number of each side of a condition to whether it ran."""
        return {p.number: p.number in self.reached for p in self.points if p.kind == "side"}

    @cached_property
    def missed(self) -> tuple[Point, ...]:
        """List the points that didn't run, in the order of the text.

        These are lines, and sides without such a line whose enclosing side ran.
        """
        parents = {point.number: point.within for point in self.points}
        silent = {key for key, ran in self.lines.items() if not ran}
        told: set[int] = set()  # sides reported by a line within them
        for point in self.points:
            if point.kind == "line" and (point.file, point.line) in silent:
                at = point.within
                while at >= 0 and at not in told:
                    told.add(at)
                    at = parents.get(at, -1)
        found: dict[tuple[str, int, str], Point] = {}
        for point in self.points:
            if point.number in self.reached or point.number in self.reasons:
                continue
            if point.kind == "line" and self.lines[point.file, point.line]:
                continue
            if (point.file, point.line) in silent and point.kind == "side":
                continue
            if point.kind == "side" and (
                point.number in told or (point.within >= 0 and point.within not in self.reached)
            ):
                continue
            found.setdefault((point.file, point.line, point.side), point)
        return tuple(sorted(found.values(), key=lambda p: (p.file != self.file, p.file, p.line)))

    @property
    def deciding(self) -> tuple[Point, ...]:
        """The points that didn't run and the conditions that guard them, innermost first."""
        known = {point.number: point for point in self.points}
        found: dict[int, Point] = {}
        for point in self.missed:
            at: Point | None = point
            while at is not None and at.number not in self.reached:
                found.setdefault(at.number, at)
                at = known.get(at.within)
        return tuple(found.values())

    def names(self, points: Sequence[Point] | None = None) -> list[str]:
        """Name the points that didn't run, or the given points: "5", "12 (else)", "util.cuh:7"."""
        return [self.name(point) for point in (self.missed if points is None else points)]

    def name(self, point: Point) -> str:
        where = str(point.line) if point.file == self.file else f"{point.file}:{point.line}"
        return f"{where} ({point.side})" if point.side else where

    def joined(self, other: Coverage) -> Coverage:
        """Merge two coverages of the same text. If one of them wasn't counted, return the other."""
        if not self.counted or not other.counted:
            return other if self.counted is False else self
        points = {point.number: point for point in (*self.points, *other.points)}
        return replace(
            self,
            points=tuple(points[number] for number in sorted(points)),
            reached=self.reached | other.reached,
            coarse=self.coarse or other.coarse,
        )

    def excused(self, why: Mapping[str, str]) -> Coverage:
        """Attach reasons to unreached points, by key or name; a reason extends to the points within."""
        reasons: dict[int, str] = {}
        known = {_spelled(key): reason for key, reason in why.items()}
        for point in self.points:
            reason = known.get(_spelled(point.key)) or known.get(_spelled(self.name(point)))
            reason = reason or reasons.get(point.within) or point.why
            if reason and point.number not in self.reached:
                reasons[point.number] = reason
        return replace(self, reasons=reasons)

    @property
    def given(self) -> list[tuple[str, str]]:
        """The outermost unreached points that have a reason, with the reason."""
        inner = {point.number for point in self.points if point.within in self.reasons}
        return [
            (self.name(p), self.reasons[p.number])
            for p in self.points
            if p.number in self.reasons.keys() - inner
        ]

    def to_dict(self) -> dict[str, object]:
        """Return the coverage as plain values.

        kernel        its name
        counted       whether lines were counted; if not, `why_not` says why
        lines, lines_reached, sides, sides_reached   how many
        missed        a list of file, line and side, which is null if the whole line didn't run
        reasons       a list of where and why, for points that the case file excuses
        coarse        whether sides within expressions were left out
        """
        return {
            "kernel": self.kernel,
            "counted": self.counted,
            "why_not": self.why_not or None,
            "lines": len(self.lines),
            "lines_reached": sum(self.lines.values()),
            "sides": len(self.sides),
            "sides_reached": sum(self.sides.values()),
            "reasons": [{"where": where, "why": why} for where, why in self.given],
            "missed": [{"file": p.file, "line": p.line, "side": p.side or None} for p in self.missed],
            "coarse": self.coarse,
        }


def _spelled(text: str) -> str:
    """Normalise a text: drop white space and the suffix of float literals, spell `double` as `float`."""
    plain = re.sub(r"\bdouble\b", "float", re.sub(r"(?<=[\d.])[fF]\b", "", text))
    return re.sub(r"\s+", "", plain)


def joined(several: Sequence[Sequence[Coverage]]) -> Iterator[Coverage]:
    """Merge the coverages of several launches, for each kernel."""
    found: dict[str, Coverage] = {}
    for each in several:
        for one in each:
            found[one.kernel] = found[one.kernel].joined(one) if one.kernel in found else one
    yield from found.values()
