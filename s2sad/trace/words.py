"""What a line of a trace says, in words, and which lines a limit leaves out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from .model import Line, Pair, Ran, Shown, Trace, Went

ROLES = {
    "primal": "the kernel as written",
    "forward": "the forward kernel, which records",
    "adjoint": "the adjoint",
}
KINDS = {
    "record": "to the tape",
    "restore": "from the tape",
    "add": "adds",
    "clear": "clears",
    "": "",
}


@dataclass(frozen=True)
class Gap:
    """Lines that a limit leaves out, or values that weren't kept."""

    lines: tuple[Line, ...]
    missed: int = 0

    @property
    def text(self) -> str:
        found = [self._lines] if self.lines else []
        if self.missed:
            found.append(f"{self.missed} values that the recording didn't keep")
        return "; ".join(found)

    @property
    def _lines(self) -> str:
        numbers = sorted({line.line for line in self.lines})
        where = f"line {numbers[0]}" if len(numbers) == 1 else f"lines {numbers[0]} to {numbers[-1]}"
        count = len(self.lines)
        return (
            f"{count} more executions of {where}, left out by --limit" if count > 1 else f"1 more of {where}"
        )


def shown(ran: Ran, lines: Sequence[Line], limit: int) -> list[Line | Gap]:
    """Return the lines to show of a kernel's, and where some are missing."""
    found: list[Line | Gap] = []
    missed = ran.missed
    for one in limited(lines, limit):
        last = one.lines[-1].number if isinstance(one, Gap) else one.number
        if missed and last > ran.gap:
            if isinstance(one, Gap):
                one = Gap(one.lines, missed)
            else:
                found.append(Gap((), missed))
            missed = 0
        found.append(one)
    return found


def limited(lines: Sequence[Line], limit: int) -> list[Line | Gap]:
    """Return the lines to show: the first and the last ones, with a gap between, if there are too many."""
    if not limit or len(lines) <= limit:
        return list(lines)
    first = (limit + 1) // 2
    last = limit - first
    middle = lines[first : len(lines) - last]
    return [*lines[:first], Gap(tuple(middle)), *lines[len(lines) - last :]]


@dataclass(frozen=True)
class Said:
    """A value with its name: with float, and with double if that differs in type or value."""

    what: str
    narrow: str
    wide: str = ""
    where: str = ""  # the element of an array, if the text doesn't say it


def results(line: Line) -> list[Said]:
    """Return what a line wrote and returned, and its outcome where float and double differ in it."""
    found = [_written(one) for one in line.writes if one.value.float or one.value.double]
    if line.returned is not None:
        found.append(_said("returns", line.returned, line.is_real))
    if line.outcome.double and line.outcome.float and line.outcome.double != line.outcome.float:
        found.append(Said("", line.outcome.float, line.outcome.double))
    return found


def outcome(line: Line) -> str:
    """Return the outcome of a condition or of a loop's test."""
    if line.outcome.float and line.outcome.double and line.outcome.double != line.outcome.float:
        return ""
    return line.outcome.float or line.outcome.double


def _said(what: str, value: Pair, is_real: bool, where: str = "") -> Said:
    same = value.float == value.double and not is_real
    return Said(what, value.float, "" if same else value.double, where)


def _written(one: Shown) -> Said:
    if one.added.float or one.added.double:
        both = Pair(
            f"{one.added.float} → {one.value.float}" if one.added.float else "",
            f"{one.added.double} → {one.value.double}" if one.added.double else "",
        )
        return _said(f"{one.text} {one.op}", both, one.is_real, one.element)
    if one.op == "&" and one.before == one.value:
        return _said(f"&{one.text}", one.value, one.is_real, one.element)
    return _said(f"{one.text} =", one.value, one.is_real, one.element)


def reads(line: Line) -> list[Said]:
    """Return what a line read, without arrays that it only names."""
    return [
        _said(f"{one.text} =", one.value, one.is_real, one.element)
        for one in line.reads
        if (one.value.float or one.value.double) and one.value.float != one.text
    ]


def origin(line: Line, own: str) -> str:
    """Return the primal's lines that a line belongs to."""
    found = []
    for file in dict.fromkeys(file for file, _ in line.of):
        numbers = sorted(number for name, number in line.of if name == file)
        for _, group in groupby(enumerate(numbers), lambda pair: pair[1] - pair[0]):
            run = [number for _, number in group]
            text = f"{run[0]}–{run[-1]}" if len(run) > 1 else f"{run[0]}"
            found.append(text if file == own else f"{file}:{text}")
    return ", ".join(found)


def trips(line: Line) -> str:
    return ", ".join(f"{trip}" for _, trip in line.trips)


def dim3(extents: tuple[int, int, int]) -> str:
    """Return a place or an extent without trailing components that say nothing."""
    x, y, z = extents
    return f"{x}.{y}.{z}" if z else f"{x}.{y}" if y else f"{x}"


def size(extents: tuple[int, int, int]) -> str:
    x, y, z = extents
    return f"{x} × {y} × {z}" if z > 1 else f"{x} × {y}" if y > 1 else f"{x}"


def remarks(trace: Trace) -> list[str]:
    """Return what must be known to read the trace: what is missing, what differs."""
    found = list(trace.notes)
    for ran in trace.kernels:
        if ran.differs:
            names = ", ".join(ran.differs)
            found.append(
                f"{ran.name}: {names} differ from what the kernel computes without recording, as if it "
                "depended on the time or on what was in memory: don't rely on these values"
            )
        if ran.apart:
            found.append(f"{ran.name}: float and double take different ways from {ran.apart} on")
        if ran.missed:
            found.append(f"{ran.name}: {ran.missed} values between the first and the last ones weren't kept")
        if ran.coarse:
            why = "the text doesn't compile with them"
            found.append(f"{ran.name}: values that are only read aren't shown, {why}")
    return found


def ran_title(ran: Ran) -> str:
    return f"{ran.name}, {ROLES[ran.role]}"


def change(one: Went) -> str:
    """Return what the thread did to an element of an adjoint array."""
    if one.through:
        return f"hands {one.left} to {one.through}" if one.left else f"by {one.through}"
    if one.added:
        return f"adds {one.added}"
    return f"{one.before} → {one.left}"
