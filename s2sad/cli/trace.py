"""`s2sad trace`: the run of one thread, line by line, with the values."""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import replace
from typing import Any

import click

from .. import files
from ..diagnostics import Code, Rejected, diagnose
from .arguments import STDOUT_ARGUMENT, request, request_options, timeout_problems, usage
from .outcome import DONE, FAILED, Outcome

_LIMIT = 200


@click.command()
@click.argument("file", metavar="FILE.cu")
@request_options
@click.option("--case", metavar="CASE.toml", help="The case to run (default: NAME.toml beside NAME.cu).")
@click.option(
    "--thread", "place", metavar="B,T", help="The block and the thread in it, each x, x.y or x.y.z."
)
@click.option("--html", metavar="OUT.html", help="Write a page instead of tables (-: to standard output).")
@click.option(
    "--launch", type=int, default=1, metavar="N", help="Which launch of the case, if it has several."
)
@click.option("--ones", is_flag=True, help="Seeds of 1, instead of those that `check` draws.")
@click.option(
    "--limit",
    type=int,
    default=_LIMIT,
    show_default=True,
    metavar="N",
    help="The most rows of a table: the first and the last ones; 0 for all.",
)
@click.option(
    "--helpers", is_flag=True, help="Also lines of functions that the file needs beside the kernel."
)
@click.option("--timeout", type=float, default=None, metavar="S", help="Time limit of a launch, in seconds.")
@click.option("--json", "as_json", is_flag=True, help="The trace as one JSON object on standard error.")
def trace(
    file: str,
    case: str | None,
    place: str | None,
    html: str | None,
    launch: int,
    ones: bool,
    limit: int,
    helpers: bool,
    timeout: float | None,
    as_json: bool,
    **given: Any,
) -> Outcome:
    """Follow one thread through a kernel and its adjoint: each line that it runs, with its values.

    The values come from running both kernels on the CPU, once with float and once with double. Rows of the
    adjoint name the line of FILE.cu that they belong to, what they put on the tape or take from it,
    and what they add where.
    """
    from .. import tracing

    problems = timeout_problems(timeout)
    at = tracing.place(place or "")
    if at is None:
        what = "no --thread" if place is None else f"--thread {place}: not a block and a thread"
        problems.append(usage(what, "--thread 0,3 or, in more dimensions, --thread 1.0,4.2"))
    if limit < 0:
        problems.append(usage(f"--limit {limit}: not a number of rows", "--limit 50, or --limit 0 for all"))
    if launch < 1:
        problems.append(usage(f"--launch {launch}: launches count from 1"))
    if html == "":
        problems.append(usage("--html '' isn't a file name"))
    if file == STDOUT_ARGUMENT and case is None:
        problems.append(usage("standard input has no case file beside it", "--case CASE.toml"))
    if (mode := given.get("mode")) in ("tangent", "second-order"):
        problems.append(usage(f"--mode {mode} with trace", "trace follows an adjoint: --mode joint or split"))
    options = request(given, *problems)
    assert at is not None
    from .. import checking

    source = files.read(file)
    path = case or checking.case_beside(file)
    if path is None:
        raise Rejected(diagnose(Code.NO_CASE, None, file=file, command=f"s2sad case {file} --search"))
    if html not in (None, STDOUT_ARGUMENT):
        for name in (file, path):
            if name != STDOUT_ARGUMENT and files.same(name, html or ""):
                raise Rejected(diagnose(Code.OUTPUT_IS_INPUT, None, file=name, suggestion="another file"))
    made = tracing.made(source, options, path, at, launch=launch, ones=ones, timeout=timeout)
    outcome = Outcome(
        DONE if made.trace.ok else FAILED,
        diagnostics=made.remarks,
        data={"trace": made.trace.to_dict()},
        about=file,
    )
    if html is None:
        text = made.trace.text(limit, helpers=helpers, width=_width(), colours=_colours())
        return replace(outcome, product=text)
    text = made.trace.html(limit)
    if html == STDOUT_ARGUMENT:
        return replace(outcome, product=text)
    files.replace(html, text)
    return outcome


def _width() -> int | None:
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def _colours() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
