"""The gaps of an exercise: the places where the learner writes.

A gap begins with a comment `// GAP 1: question` and ends with `// END`. The reference answer is the text with
all gaps filled; the exercise is the same text with empty gaps, so the two can't differ elsewhere.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_BEGIN = re.compile(r"\s*// GAP (\d+): (.*)")
_END = re.compile(r"\s*// END\s*")


@dataclass(frozen=True)
class Gap:
    """One gap; `first` is the line of its question and `last` that of its end, from 1."""

    number: int
    question: str
    first: int
    last: int
    empty: bool  # no code between them


@dataclass(frozen=True)
class Change:
    """A place where an answer differs from the reference: its lines from `first` up to `last`, from 1.

    If `last` is less than `first`, lines are missing before `first`, which is in their gap, if they have one.
    """

    first: int
    last: int
    lines: tuple[str, ...]  # the answer's
    where: tuple[int, int]  # the lines of the reference that they replace, from 0, the end exclusive


def gaps(text: str) -> tuple[Gap, ...]:
    """Return the gaps of an exercise. One whose end is missing has none."""
    found, lines = [], text.splitlines()
    for number, line in enumerate(lines, 1):
        if (begun := _BEGIN.fullmatch(line)) is None:
            continue
        end = next((at for at, one in enumerate(lines[number:], number + 1) if _END.fullmatch(one)), None)
        if end is not None:
            empty = not any(map(_code, lines[number : end - 1]))
            found.append(Gap(int(begun[1]), begun[2], number, end, empty))
    return tuple(found)


def emptied(text: str) -> str:
    """Return the text with an empty line in each gap."""
    lines = text.splitlines()
    for gap in reversed(gaps(text)):
        lines[gap.first : gap.last - 1] = [""]
    return "\n".join(lines) + "\n"


def changes(reference: str, answer: str) -> list[Change]:
    """Return where the code of an answer differs from the reference's, without comments and white space."""
    here, there = (list(_coded(text)) for text in (reference, answer))
    matcher = difflib.SequenceMatcher(None, [code for _, code in here], [code for _, code in there], False)
    lines = answer.splitlines()
    wanted = gaps(reference)
    begins = {gap.number: gap.first for gap in gaps(answer)}
    found = []
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag == "equal":
            continue
        start = here[a][0] if a < len(here) else len(reference.splitlines())
        stop = here[b - 1][0] + 1 if b > a else start
        before = there[c - 1][0] + 1 if c else 0
        first = there[c][0] if d > c else max(before, begins.get(around(wanted, start + 1) or 0, 0))
        last = there[d - 1][0] + 1 if d > c else first
        found.append(Change(first + 1, last, tuple(lines[first:last]), (start, stop)))
    return found


def applied(reference: str, change: Change) -> str:
    """Return the reference with one change of an answer."""
    lines = reference.splitlines()
    lines[slice(*change.where)] = change.lines
    return "\n".join(lines) + "\n"


def around(found: Sequence[Gap], line: int) -> int | None:
    """Return the number of the gap that a line is in."""
    return next((gap.number for gap in found if gap.first <= line <= gap.last), None)


def _coded(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines that have code, from 0, each without comments and white space at its ends."""
    for number, line in enumerate(text.splitlines()):
        if code := _code(line):
            yield number, code


def _code(line: str) -> str:
    return " ".join(line.split("//")[0].split())
