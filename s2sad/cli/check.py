"""`s2sad check`: is the adjoint right on this case?"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from .. import files
from ..diagnostics import Code, Diagnostic, Rejected, diagnose
from .arguments import request, request_options, usage
from .outcome import DONE, FAILED, Outcome

if TYPE_CHECKING:
    from ..validate import Report


@click.command()
@click.argument("file", metavar="FILE.cu")
@click.argument("adjoint", metavar="[FILE_adj.cu]", required=False)
@request_options
@click.option("--case", metavar="CASE.toml", help="What to run it on; NAME.toml beside NAME.cu by default.")
@click.option("--backend", type=click.Choice(["auto", "cpu", "cuda"]), default="auto", show_default=True)
@click.option("--timeout", type=float, default=None, metavar="S", help="Stop a launch after so many seconds.")
@click.option("--json", "as_json", is_flag=True, help="The report as one JSON object on standard error.")
def check(
    file: str,
    adjoint: str | None,
    case: str | None,
    backend: Any,
    timeout: float | None,
    as_json: bool,
    **given: Any,
) -> Outcome:
    """Check an adjoint on the data of a case file: its values, its accesses, the rest of its contract.

    Values are held against differences and against exact tangents; every access is watched for races and
    for indices that miss their array.
    With FILE.cu alone it is transformed afresh; with FILE_adj.cu what is on disk is judged, edits included.
    """
    wrong = []
    if timeout is not None and not timeout > 0:
        wrong.append(usage(f"--timeout {timeout:g}: not a time", "--timeout SECONDS"))
    if file == "-" and adjoint == "-":
        wrong.append(usage("standard input can't be both files"))
    if file == "-" and case is None:
        wrong.append(usage("no case file can stand beside standard input", "--case CASE.toml"))
    options = request(given, *wrong)
    from .. import checking

    source = files.read(file)
    edited = files.read(adjoint) if adjoint is not None else None
    path = case or checking.case_beside(file)
    if path is None:
        raise Rejected(diagnose(Code.NO_CASE, None, file=file, command=f"s2sad case {file}"))
    job = checking.prepare(source, edited, path, options)
    report = checking.judge(job, backend, timeout or checking.TIMEOUT, progress_line(as_json))
    return verdict(report, job.remarks)


def verdict(report: Report, remarks: tuple[Diagnostic, ...] = ()) -> Outcome:
    """What a judged adjoint comes to: the page for people, the report for machines."""
    from ..validate import page

    return Outcome(
        DONE if report.ok else FAILED,
        remarks=page.text(report),
        diagnostics=remarks,
        data={"report": report.to_dict()},
        drawn=lambda: page.drawn(report),
    )


def progress_line(as_json: bool) -> Any:
    """What is being done, on one line of a terminal; nowhere else."""
    if as_json or not sys.stderr.isatty():
        return None

    def show(done: int, total: int, what: str) -> None:
        sys.stderr.write(f"\r\x1b[K{what} {done}/{total}" if done < total else "\r\x1b[K")
        sys.stderr.flush()

    return show
