"""What two commits change in the adjoints of a repository's kernels, and which committed adjoints are stale.

Adjoints of both commits are made by this version of s2sad, so what differs is due to the commits.
"""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Literal, Protocol

from .. import checking, files, pipeline
from ..diagnostics import Code, Diagnostic, Rejected, diagnose
from ..entries import Entry, Place, of_diagnostic
from ..options import Options, command
from ..run.backend import BackendUnavailable
from ..validate import Report, entries, page, worst
from .changes import Changes, changes
from .commits import Commit, Commits
from .requests import Folder, Key, Request
from .templates import template

State = Literal["same", "moved", "changed", "new", "gone", "refused"]
"""`moved`: other line numbers of the primal are all that differs."""

WORDS: Mapping[State, str] = {
    "same": "the adjoint is the same",
    "moved": "the adjoint names other lines, and is the same otherwise",
    "changed": "the adjoint changed",
    "new": "new",
    "gone": "gone",
    "refused": "refused",
}


class Judge(Protocol):
    """Checks the adjoints of a kernel on its case. Raises Rejected, BackendUnavailable."""

    def __call__(self, file: str, adjoint: str | None, case: str) -> tuple[Report, Mapping[str, Place]]: ...


@dataclass(frozen=True)
class Made:
    """The adjoint of one request, or why there is none."""

    request: Request
    done: pipeline.Transformed | None = None
    refused: tuple[Diagnostic, ...] = ()

    @property
    def text(self) -> str:
        return "" if self.done is None else self.done.text


@dataclass(frozen=True)
class Row:
    """One kernel: how its adjoint differs between the commits, whether it is stale, what the check says."""

    key: Key
    place: Place
    state: State
    was: str = ""  # if it is refused in one of the commits: what it was before
    new: int = 0
    gone: int = 0
    plan: tuple[tuple[str, str, str], ...] = ()
    stale: Place | None = None
    command: str = ""
    verdict: str = ""
    not_checked: str = ""
    report: Report | None = None
    diagnostics: tuple[Diagnostic, ...] = ()
    found: tuple[Entry, ...] = ()
    wanted: bool = True
    failed: bool = False  # the check

    @property
    def who(self) -> str:
        """Return the kernel, and the file of its adjoint if there is one."""
        name = self.key.kernel or "its kernels"
        return f"{name} ({self.key.adjoint})" if self.key.adjoint else name

    @property
    def what(self) -> str:
        """Return what happened, in words."""
        if self.was:
            return f"{self.was}, now {'refused' if self.state == 'refused' else 'differentiated'}"
        if self.state == "changed":
            return f"the adjoint changed: {_counted(self.new, 'line')} new, {self.gone} gone"
        return WORDS[self.state]

    @property
    def is_told(self) -> bool:
        """Whether to tell of it: not of a kernel that still can't be differentiated, and needn't be."""
        if self.state == "refused" and not self.wanted:
            return bool(self.was)
        return self.state != "same" or self.stale is not None or self.status > 0 or bool(self.found)

    @property
    def status(self) -> int:
        """The status that it gives the command: 2 refused, 1 stale or wrong."""
        if self.diagnostics and self.wanted:
            return 2
        return 1 if self.failed or self.stale is not None else 0

    def to_dict(self) -> dict[str, object]:
        """Return the row as plain values for JSON."""
        return {
            "file": self.place.file,
            "line": self.place.line,
            "kernel": self.key.kernel,
            "adjoint": self.key.adjoint or None,
            "state": self.state,
            "lines_new": self.new,
            "lines_gone": self.gone,
            "plan": [{"part": part, "before": was, "now": now} for part, was, now in self.plan],
            "stale": self.stale is not None,
            "command": self.command,
            "status": self.status,
            "report": None if self.report is None else self.report.to_dict(),
        }


@dataclass(frozen=True)
class Between:
    """The kernels that the commits concern; `count` is the number of kernels in all."""

    base: Commit
    head: Commit
    rows: tuple[Row, ...]
    files: int  # files with kernels, touched or not
    lost: tuple[Entry, ...] = ()

    @property
    def told(self) -> tuple[Row, ...]:
        return tuple(row for row in self.rows if row.is_told)

    def entries(self) -> tuple[Entry, ...]:
        """Return what was found besides refusals of what somebody asked for."""
        return (*(entry for row in self.told for entry in _entries(row, self.base)), *self.lost)

    @property
    def refusals(self) -> tuple[Diagnostic, ...]:
        """Why adjoints that somebody asked for can't be made, or checked."""
        return tuple(d for row in self.rows if row.wanted for d in row.diagnostics)

    @property
    def status(self) -> int:
        return max((row.status for row in self.rows), default=0) or int(bool(self.lost))

    @property
    def summary(self) -> str:
        kinds: dict[str, int] = {}
        for row in self.rows:
            kinds[row.state] = kinds.get(row.state, 0) + 1
        words = [f"{n} {kind}" for kind, n in kinds.items()]
        stale = sum(row.stale is not None for row in self.rows) + len(self.lost)
        wrong = sum(row.failed for row in self.rows)
        words += [f"{n} {what}" for n, what in ((stale, "stale"), (wrong, "with a failed check")) if n]
        return f"{_counted(len(self.rows), 'adjoint')} looked at: {', '.join(words) or 'none'}"

    @property
    def text(self) -> str:
        """Return it in words: a paragraph for each kernel."""
        said = {"told": self.told, "lost": self.lost, "summary": self.summary}
        view = {**said, "base": self.base.short, "head": self.head.short}
        return template("between.txt.j2").render(view)

    def to_dict(self) -> dict[str, object]:
        """Return it as plain values for JSON."""
        return {
            "base": self.base.id,
            "head": self.head.id,
            "summary": self.summary,
            "kernels": [row.to_dict() for row in self.told],
        }


def judge(backend: checking.BackendName, timeout: float | None) -> Judge:
    """Return what `s2sad check` does, for a kernel of a commit."""

    def judged(file: str, adjoint: str | None, case: str) -> tuple[Report, Mapping[str, Place]]:
        edited = None if adjoint is None else files.read(adjoint)
        jobs = checking.prepare(files.read(file), edited, case, Options())
        report = worst([checking.judge(job, backend, timeout or checking.TIMEOUT) for job in jobs])
        return report, jobs[0].places

    return judged


def between(commits: Commits, paths: Sequence[str] = (), check: Judge | None = None) -> Between:
    """Compare the adjoints of two commits, those of some files and folders or of all. Raises Rejected.

    Paths are relative to the current folder, as are those of what is found.
    """
    changed = {_relative(path, commits.below) for path in commits.changed}
    with tempfile.TemporaryDirectory(prefix="s2sad-") as scratch:
        trees = [Path(scratch, name) for name in ("base", "head")]
        for tree, commit in zip(trees, (commits.base, commits.head), strict=True):
            tree.mkdir()
            commits.write(commit, tree)
        here = [tree.joinpath(*commits.below.parts) for tree in trees]
        folders = []
        for folder, commit in zip(here, (commits.base, commits.head), strict=True):
            with contextlib.chdir(folder):
                folders.append(Folder.of(_relative(path, commits.below) for path in commit.files))
        base, head = folders
        every = sorted({*base.kernels, *head.kernels})
        if not every:
            where = f"{commits.base.name}..{commits.head.name}"
            help = "a kernel is a __global__ function, in a .cu or .cuh file or a Python script"
            raise Rejected(diagnose(Code.NO_KERNEL, None, file=where, help=help))
        touched: set[str] = set()
        for folder, one in zip(here, folders, strict=True):
            with contextlib.chdir(folder):
                touched |= one.touched(changed)
        chosen = [file for file in every if file in touched and _is_within(file, paths)]
        rows = tuple(_rows(chosen, base, head, here, check))
    return Between(commits.base, commits.head, rows, len(every), _lost(base, head, changed, paths))


def _relative(path: str, below: PurePosixPath) -> str:
    return os.path.relpath(path, os.fspath(below)) if below.parts else path


def _is_within(file: str, paths: Iterable[str]) -> bool:
    """Whether a file is among these files, or in one of these folders; no paths are all."""
    wanted = [Path(os.path.abspath(path)) for path in paths]
    one = Path(os.path.abspath(file))
    return not wanted or any(one == path or path in one.parents for path in wanted)


def _lost(base: Folder, head: Folder, changed: Collection[str], paths: Iterable[str]) -> tuple[Entry, ...]:
    """Return the emitted files whose kernel these commits took away."""
    return tuple(
        Entry("error", "stale", f"{path}: its kernel's file {named} is gone", Place(path), "remove it")
        for path, named in head.lost.items()
        if (path in changed or path not in base.lost) and _is_within(path, paths)
    )


def _rows(
    chosen: Iterable[str], base: Folder, head: Folder, here: Sequence[Path], check: Judge | None
) -> Iterator[Row]:
    for file in chosen:
        asked = []
        for folder, one in zip(here, (base, head), strict=True):
            with contextlib.chdir(folder):
                asked.append({r.key: r for r in (one.requests(file) if file in one.kernels else [])})
        for before, after in _paired(*asked):
            with contextlib.chdir(here[0]):
                was = None if before is None else _made(before)
            with contextlib.chdir(here[1]):
                yield _row(was, None if after is None else _made(after), check)


_Pair = tuple[Request | None, Request | None]


def _paired(old: Mapping[Key, Request], new: Mapping[Key, Request]) -> Iterator[_Pair]:
    """Pair the requests for a kernel.

    Where one commit has no file of the adjoint, it is made like that of the other.
    """
    left = dict(old)
    for key, request in new.items():
        before = left.pop(key, None)
        if before is None and key.adjoint:
            plain = left.pop(key._replace(adjoint=""), None)
            before = None if plain is None else replace(plain, options=request.options)
        if before is None and not key.adjoint:
            mates = [one for one in left if one.kernel == key.kernel]
            before = left.pop(mates[0]) if mates else None
            if before is not None:
                request = replace(request, options=before.options)
        yield before, request
    for before in left.values():
        yield before, None


def _made(request: Request) -> Made:
    if request.refused:
        return Made(request, refused=request.refused)
    try:
        return Made(request, pipeline.transform(files.read(request.key.file), request.options))
    except Rejected as rejected:
        return Made(request, refused=tuple(rejected.diagnostics))


def _row(before: Made | None, after: Made | None, check: Judge | None) -> Row:
    """Return what is told of a kernel; the current folder is that of the second commit."""
    if after is None:
        assert before is not None
        key = before.request.key
        place = before.request.place if os.path.exists(key.file) else Place(key.file)
        return Row(key, Place(place.file), "gone")
    key, place = after.request.key, after.request.place
    if after.done is None:
        was = "new" if before is None else "differentiated before" if before.done is not None else ""
        return Row(key, place, "refused", was, diagnostics=after.refused, wanted=after.request.wanted)
    row = Row(key, place, "new", wanted=after.request.wanted)
    if before is not None:
        row = _compared(row, changes("", before.text, after.text), before, after)
    return _checked(_with_stale(row, after), after, check)


def _compared(row: Row, found: Changes, before: Made, after: Made) -> Row:
    if before.done is None:
        return replace(row, state="changed", was="refused before")
    if found.same:
        return replace(row, state="same")
    plan = tuple((part, was, now) for part, was, now in found.plan if _unnumbered(was) != _unnumbered(now))
    if not plan and _unnumbered(before.text) == _unnumbered(after.text):
        return replace(row, state="moved")
    return replace(row, state="changed", new=len(found.new), gone=found.removed, plan=plan)


_NUMBERS = re.compile(
    r"(?<=\blines )\d+(?:(?:, | and |–)\d+)*|(?<=\bline )\d+|(?<=// )(?:[\w./]+:)?\d+(?=:  )"
    r"|(?<=[\w)]:)\d+(?=\)|$)",
    re.MULTILINE,
)
"""Numbers of lines of the primal in reasons, and in older texts before quotes and in their first line."""


def _unnumbered(text: str) -> str:
    """Return an emitted text, or a row of its plan, without the line numbers of the primal."""
    return " ".join(_NUMBERS.sub("#", re.sub(r"\blines? ", "line ", text)).split())


def _with_stale(row: Row, after: Made) -> Row:
    """Compare the adjoint in the repository with what is written for the kernel."""
    if not row.key.adjoint or after.done is None:
        return row
    there = (files.content(row.key.adjoint) or "").split("\n")
    wanted = after.text.split("\n")
    if there == wanted:
        return row
    pairs = enumerate(zip(there, wanted, strict=False), 1)
    line = next((n for n, (a, b) in pairs if a != b), min(len(there), len(wanted)))
    again = command("transform", row.key.file, after.request.options, "-o", row.key.adjoint)
    return replace(row, stale=Place(row.key.adjoint, line), command=again)


def _checked(row: Row, after: Made, check: Judge | None) -> Row:
    """Check the adjoint in the repository, or the one that was made, on its case."""
    case = after.request.case
    if check is None or case is None:
        return row
    try:
        report, places = check(row.key.file, row.key.adjoint or None, case)
    except BackendUnavailable as missing:
        return replace(row, not_checked=str(missing))
    except Rejected as rejected:
        return replace(row, diagnostics=tuple(rejected.diagnostics))
    verdict = f"{page.verdict(report)}: {page.title(report)}"
    found = entries.of(report, places)
    return replace(row, verdict=verdict, report=report, found=found, failed=not report.ok)


def _entries(row: Row, base: Commit) -> Iterator[Entry]:
    """Yield what is found of a kernel: errors first."""
    for diagnostic in () if row.wanted else row.diagnostics:
        yield replace(of_diagnostic(diagnostic, row.place.file), level="note")
    if row.stale is not None:
        said = f"{row.key.adjoint} isn't what s2sad writes for {row.key.kernel}"
        yield Entry("error", "stale", said, row.stale, row.command, ((row.place, "the kernel"),))
    yield from row.found
    if row.not_checked:
        yield Entry("warning", "not-checked", f"{row.key.kernel}: {row.not_checked}", row.place)
    if row.state not in ("same", "moved", "refused"):
        told = [f"{row.who}: {row.what} since {base.short}"]
        for part, was, now in row.plan:
            told += [f"{part}:", *(f"- {text}" for text in [was] if text), *(f"+ {t}" for t in [now] if t)]
        yield Entry("note", "adjoint-changed", "\n".join(told), row.place)


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
