"""The result of `s2sad check` as shown on the page: a verdict, its table, and marks on lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..run.coverage import Coverage, Point
    from ..validate import Report


@dataclass(frozen=True)
class Marks:
    """What a check says of a line: that it never ran, sides never taken, and why that is right."""

    silent: bool = False
    sides: tuple[str, ...] = ()
    excused: tuple[str, ...] = ()

    def with_(self, point: Point, why: str) -> Marks:
        """Return the marks with one more point that didn't run, for a reason or without one."""
        if why:
            told = f"{point.side or 'line'}: {why}"
            return replace(self, excused=tuple(dict.fromkeys((*self.excused, told))))
        if point.side:
            return replace(self, sides=(*self.sides, point.side))
        return replace(self, silent=True)


@dataclass(frozen=True)
class Checked:
    """A report and the text of its case; without a report, a page on which nothing is marked."""

    report: Report | None = None
    case: str = ""
    name: str = ""
    why_not: str = ""  # why the case that is there wasn't used
    kernel: str = ""  # the primal's name: other kernels are in the emitted file

    @property
    def state(self) -> str:
        """The verdict in a word: ok, part (ok on what ran), wrong, unclear."""
        if self.report is None:
            return "none"
        if self.report.wrong:
            return "wrong"
        if not self.report.ok:
            return "unclear"
        return "ok" if self.report.covered else "part"

    @property
    def verdict(self) -> str:
        from ..validate import page

        return "not checked" if self.report is None else page.verdict(self.report)

    @property
    def title(self) -> str:
        from ..validate import page

        return "" if self.report is None else page.title(self.report)

    @property
    def table(self) -> Sequence[tuple[str, str, str, str, bool | None]]:
        from ..validate import page

        return [] if self.report is None else page.table(self.report)

    @property
    def told(self) -> list[tuple[str, str]]:
        """Errors, warnings and notes, in this order."""
        from ..validate import page

        if self.report is None:
            return []
        found = [("wrong", text) for text in page.wrong(self.report)]
        found += [("warning", text) for text in page.warnings(self.report)]
        return found + [("note", text) for text in page.notes(self.report)]

    @cached_property
    def missed(self) -> list[tuple[str, str, int, str]]:
        """Each place that didn't run: which text, its name, its line, what didn't run."""
        found = []
        for one in self._counted:
            for point in one.missed:
                side = "primal" if self._is_primal(one, point) else "adjoint"
                found.append((side, Path(point.file).name, point.line, point.side or "the line"))
        return found

    def primal(self, file: str, line: int) -> Marks:
        """Return the marks on a line of one of the author's files."""
        return self._marks.get((Path(file).name, line, True), Marks())

    def adjoint(self, line: int) -> Marks:
        """Return the marks on a line of the emitted file."""
        return self._marks.get(("", line, False), Marks())

    @property
    def _counted(self) -> list[Coverage]:
        coverage = () if self.report is None else self.report.coverage
        return [one for one in coverage if one.counted]

    def _is_primal(self, one: Coverage, point: Point) -> bool:
        """Whether a point is in one of the author's files: an adjoint may call functions that are there."""
        return one.kernel == self.kernel or point.file not in ("", one.file)

    @cached_property
    def _marks(self) -> dict[tuple[str, int, bool], Marks]:
        """The marks by line; a file's name is that of one of the author's, "" for the emitted file."""
        found: dict[tuple[str, int, bool], Marks] = {}
        for one in self._counted:
            missed = [(point, "") for point in one.missed]
            excused = [(p, one.reasons[p.number]) for p in one.points if p.number in one.reasons]
            for point, why in (*missed, *excused):
                own = self._is_primal(one, point)
                key = Path(point.file).name if own else "", point.line, own
                found[key] = found.get(key, Marks()).with_(point, why)
        return found
