"""Instrument a text for coverage: marks at each statement and at each side of each condition.

The compiler's own tools count lines and arcs between them. They don't say which side of
which condition an arc is, and not every compiler has them. So the marks are inserted
into the text: `if (s2sad_side<7, …>((i < n) ? true : false))`. Nothing else changes, no line
moves, and a text that doesn't compile with marks is compiled with fewer, or none.

A condition that the compiler knows to be constant has only one side: template arguments of the
marks record that, and the library has it when it is loaded (include/cover.h).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..coverage import Coverage, Point
from . import functions
from .lexemes import read
from .marking import Marker

_HEADERS = frozenset({"entries", "entries.h", "standard.h", "extensions.h", "cooperative.h", "cub.h"}) | {
    "whole_accessors.h"
}
_NO_FILES = ("<stdin>", "<string>")  # an author's text that isn't a file, and what is made of it


@dataclass(frozen=True)
class Counted:
    """The text with marks, its points, and the points of each kernel."""

    text: str
    points: tuple[Point, ...]
    of: Mapping[str, frozenset[int]]
    bodies: tuple[tuple[str, frozenset[int]], ...]  # for each function its name and points
    coarse: bool

    def coverage(self, kernel: str, file: str, reached: bytes, known: bytes) -> Coverage:
        """Return the coverage of a launch. `known`: bit 1 if a condition is constant, bit 2 if it isn't."""
        hit = frozenset(point.number for point in self.points if reached[point.number])
        dead: set[int] = set()
        mine = self.of.get(kernel, frozenset()) - self._uncalled(hit)
        kept = []
        for point in self.points:
            constant = bool(point.side) and known[point.number] == 1
            if point.within in dead or (constant and point.number not in hit):
                dead.add(point.number)
            elif point.number in mine:
                kept.append(point)
        return Coverage(kernel, file, tuple(kept), hit & {p.number for p in kept}, coarse=self.coarse)

    def _uncalled(self, hit: frozenset[int]) -> frozenset[int]:
        """Points of functions never entered and not named in statements that didn't run: other overloads.

        A function that such a statement names counts: its call may be what didn't run.
        """
        silent = [(name, points) for name, points in self.bodies if points and not points & hit]
        inside = frozenset[int]().union(*(points for _, points in silent))
        left = (p.text for p in self.points if p.number not in hit and p.number not in inside)
        words = set(re.findall(r"\w+", " ".join(left)))
        return frozenset[int]().union(*(points for name, points in silent if name not in words))


def count(text: str, kernels: Sequence[str], *, within_expressions: bool = True) -> Counted:
    """Insert marks into the preprocessed text. Raises lexemes.Unbalanced if it can't be parsed."""
    words = read(text)
    marker = Marker(words, within_expressions)
    found = [f for f in functions.find(words) if is_own(words.words[f.low - 1].file)]
    reach = functions.kernels_reach(kernels, found)
    parts, at = [], 0
    ranges: list[frozenset[int]] = []
    for function in found:
        if not any(len(ranges) in numbers for numbers in reach.values()):
            ranges.append(frozenset())
            continue
        parts.append(words.written(at, function.low))
        first = len(marker.points)
        parts.append(marker.statements(function.low, function.high))
        ranges.append(frozenset(range(first, len(marker.points))))
        at = function.high
    parts += [words.written(at, len(words.words)), words.rest]
    of = {k: frozenset(p for number in numbers for p in ranges[number]) for k, numbers in reach.items()}
    bodies = tuple(zip((function.name for function in found), ranges, strict=True))
    return Counted("".join(parts), tuple(marker.points), of, bodies, not within_expressions)


def is_own(file: str) -> bool:
    """Whether the file is the author's: neither one of our headers nor empty or built in."""
    if file.startswith(_NO_FILES):
        return True
    ours = file.rsplit("/", 1)[-1] in _HEADERS or file.startswith(("entry of ", "<"))
    return bool(file) and not ours
