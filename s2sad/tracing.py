"""From a file to the trace of one thread: transform, take the case, run and record, assemble the lines."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from . import api_arguments, checking, files, options, pipeline
from .api_arguments import Template, sequence, template_arguments
from .case_options import options_of_case
from .diagnostics import Code, Diagnostic, Rejected, diagnose
from .options import Mode, Options
from .run.isolated import Isolated
from .run.values import Extent
from .source import Source
from .trace import model, page, table
from .trace.assembly import assembled
from .validate import header
from .validate.recorded import At, recorded

_PLACE = re.compile(r"(\d{1,9})(?:\.(\d{1,9}))?(?:\.(\d{1,9}))?")


LIMIT = 200
"""Rows of a kernel that are shown, unless more or fewer are asked for."""


@dataclass(frozen=True)
class Trace(model.Trace):
    """The run of one thread through a kernel and its adjoint, line by line, with float and double."""

    def text(
        self, limit: int = LIMIT, *, helpers: bool = False, width: int | None = None, colours: bool = False
    ) -> str:
        """Return the trace as tables of at most `limit` rows (0: all), the first and the last ones.

        `helpers`: with the lines of functions that the file needs beside the kernel.
        """
        return table.text(self, limit, helpers=helpers, width=width, colours=colours)

    def html(self, limit: int = LIMIT) -> str:
        """Return the trace as an HTML page that loads nothing."""
        return page.page(self, limit)


@dataclass(frozen=True)
class Made:
    """A trace, and the notes on what was transformed."""

    trace: Trace
    remarks: tuple[Diagnostic, ...]


def place(text: str) -> At | None:
    """Read `B,T`, each as x, x.y or x.y.z; None if it isn't that."""
    parts = [_PLACE.fullmatch(part.strip()) for part in text.split(",")]
    if len(parts) != 2 or not all(parts):
        return None
    block, one = (_extent(part) for part in parts if part is not None)
    return block, one


def _extent(match: re.Match[str]) -> Extent:
    x, y, z = (int(part or 0) for part in match.groups())
    return x, y, z


def made(
    source: Source,
    asked: Options,
    case: str | Path,
    at: At,
    *,
    launch: int = 1,
    ones: bool = False,
    timeout: float | None = None,
) -> Made:
    """Return the trace of a thread `at` a block and a thread in it. Raises Rejected, BackendUnavailable.

    `launch`: which of the case's launches, from 1. `ones`: seeds of 1 instead of those of `check`.
    """
    done = pipeline.transform(source, asked.with_more(options_of_case(header(case))))
    _refuse_others(done)
    job = checking.jobs(done, case)[0]
    launches = job.case.launches
    if not 1 <= launch <= len(launches):
        help = f"--launch 1 to --launch {len(launches)}" if len(launches) > 1 else "leave --launch out"
        what = f"--launch {launch}: the case has {len(launches)} launch{'es' * (len(launches) > 1)}"
        raise Rejected(diagnose(Code.USAGE, None, what=what, help=help))
    notes = []
    if len(launches) > 1:
        notes.append(f"launch {launch} of {len(launches)} of the case (--launch N)")
    with Isolated("cpu", timeout or checking.TIMEOUT) as backend:
        runs = recorded(job.pair, launches[launch - 1], backend, at, ones)
    found = assembled(done.kept[0] if done.kept else done, runs, at, Path(case).name, notes)
    return Made(Trace(**{f.name: getattr(found, f.name) for f in fields(found)}), job.remarks)


def trace(
    source: str | os.PathLike[str],
    *,
    thread: str | tuple[int, int],
    case: str | os.PathLike[str] | None = None,
    launch: int = 1,
    ones: bool = False,
    timeout: float = checking.TIMEOUT,
    kernel: str | None = None,
    of: str | Sequence[str] = (),
    wrt: str | Sequence[str] = (),
    name: str | None = None,
    mode: Mode | None = None,
    define: Mapping[str, str | int | float] | None = None,
    include: Sequence[str | os.PathLike[str]] = (),
    template: Template | None = None,
) -> Trace:
    """Follow one thread through a kernel and its adjoint. Raises Rejected, BackendUnavailable.

    `thread` is a block and a thread in it: (0, 3), or "1.0,4.2" in more dimensions. Without `case`, NAME.toml
    beside NAME.cu is used; `launch` is the number of the case's launch, if it has several. `ones`: the seeds
    are 1, instead of those that `check` draws.
    """
    at = place(thread if isinstance(thread, str) else ",".join(map(str, thread)))
    if at is None:
        help = 'thread=(0, 3) or, in more dimensions, thread="1.0,4.2"'
        what = f"thread={thread!r} isn't a block and a thread"
        raise Rejected(diagnose(Code.USAGE, None, what=what, help=help))
    given = files.given(source, name)
    path = case if case is not None else checking.case_beside(given.name)
    if path is None:
        command = f"s2sad case {given.name} --search"
        raise Rejected(diagnose(Code.NO_CASE, None, file=given.name, command=command))
    asked = Options(
        kernel=kernel or "",
        of=sequence(of),
        wrt=sequence(wrt),
        mode=api_arguments.chosen("mode", mode, options.MODES),
        defines=tuple((key, str(value)) for key, value in (define or {}).items()),
        includes=tuple(os.fspath(one) for one in include),
        template=template_arguments(template, keep=False),
    )
    return made(given, asked, os.fspath(path), at, launch=launch, ones=ones, timeout=timeout).trace


def _refuse_others(done: pipeline.Transformed) -> None:
    """Refuse what isn't an adjoint of one kernel in a file of its own."""
    mode = done.options.mode
    if mode in ("tangent", "second-order"):
        what, help = f"--mode {mode} with trace", "trace follows an adjoint: --mode joint or split"
    elif done.adjoint.behind is not None:
        what, help = "--companion with trace", "leave it out: the adjoint is the same"
    else:
        return
    raise Rejected(diagnose(Code.USAGE, None, what=what, help=help))
