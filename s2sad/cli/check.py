"""`s2sad check`: is the adjoint right on this case?"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from .. import files
from ..diagnostics import Code, Diagnostic, Rejected, diagnose
from .arguments import request, request_options, timeout_problems, usage
from .outcome import DONE, FAILED, REFUSED, Outcome

if TYPE_CHECKING:
    from ..each import Work
    from ..entries import Place
    from ..options import Options
    from ..validate import Report


@click.command()
@click.argument("paths", metavar="FILE.cu [FILE_adj.cu]", nargs=-1, required=True)
@request_options
@click.option("--case", metavar="CASE.toml", help="The case file (default: NAME.toml beside NAME.cu).")
@click.option("--backend", type=click.Choice(["auto", "cpu", "cuda"]), default="auto", show_default=True)
@click.option("--timeout", type=float, default=None, metavar="S", help="Time limit of a launch, in seconds.")
@click.option("--each", is_flag=True, help="Check all kernels that have a case file, in files and folders.")
@click.option("--require-case", is_flag=True, help="With --each, refuse kernels without a case file.")
@click.option("--require-coverage", is_flag=True, help="Fail if a line or a side of a condition never ran.")
@click.option("--json", "as_json", is_flag=True, help="The report as one JSON object on standard error.")
def check(
    paths: tuple[str, ...],
    case: str | None,
    backend: Any,
    timeout: float | None,
    each: bool,
    require_case: bool,
    require_coverage: bool,
    as_json: bool,
    **given: Any,
) -> Outcome:
    """Check an adjoint on the data of a case file: its values, its accesses, the rest of its contract.

    Gradients are compared with differences and exact tangents; every access is checked for races and for
    indices out of range.
    Without a case file one is drafted. With FILE.cu alone the adjoint is generated; with FILE_adj.cu that
    file is checked, edits included.
    With --each, NAME_adj.cu is checked if it is beside NAME.cu; kernels without a case file are skipped.
    """
    wrong = timeout_problems(timeout)
    if each and (case is not None or "-" in paths):
        wrong.append(usage("--each takes files and folders with case files beside them"))
    if require_case and not each:
        wrong.append(usage("--require-case needs --each", "s2sad check --each --require-case FILES"))
    if not each and len(paths) > 2:
        wrong.append(usage("more files than a kernel and its adjoint", "s2sad check --each FILES"))
    if not each and paths == ("-", "-"):
        wrong.append(usage("standard input can't be both files"))
    if not each and paths[0] == "-" and case is None:
        wrong.append(usage("standard input has no case file beside it", "--case CASE.toml"))
    options = request(given, *wrong)

    def judged(file: str, adjoint: str | None, path: str | None) -> Outcome:
        progress = progress_line(as_json)
        return _judged(file, adjoint, path, options, backend, timeout, progress, require_coverage)

    if each:
        return _all(paths, judged, require_case)
    return judged(paths[0], paths[1] if len(paths) > 1 else None, case)


def _judged(
    file: str,
    adjoint: str | None,
    case: str | None,
    options: Options,
    backend: Any,
    timeout: float | None,
    progress: Any,
    require_coverage: bool,
) -> Outcome:
    from .. import checking
    from ..validate import worst

    source = files.read(file)
    edited = files.read(adjoint) if adjoint is not None else None
    path = case or checking.case_beside(file)
    jobs = checking.prepare(source, edited, path, options)
    reports = [checking.judge(job, backend, timeout or checking.TIMEOUT, progress) for job in jobs]
    # all instances of a template are judged, and the first that fails is shown
    found = verdict(worst(reports), jobs[0].remarks, jobs[0].places, require_coverage=require_coverage)
    return replace(found, about=adjoint or file)


def _all(
    paths: Sequence[str], judged: Callable[[str, str | None, str | None], Outcome], require_case: bool
) -> Outcome:
    """Combine many checks into one outcome: the highest status, the pages in order."""
    from ..each import works

    found: list[tuple[Work, Outcome]] = []
    for work in works(paths, every=require_case):
        if work.case is None:
            missing = diagnose(Code.NO_CASE, None, file=work.file, command=f"s2sad case {work.file} --search")
            found.append((work, Outcome(REFUSED, diagnostics=(missing,))))
            continue
        try:
            found.append((work, judged(work.file, work.adjoint, work.case)))
        except Rejected as rejected:
            found.append((work, Outcome(REFUSED, diagnostics=rejected.diagnostics)))
    pages = [f"{work.adjoint or work.file}\n{one.remarks}" for work, one in found if one.remarks]
    told = [
        {"file": work.file, "adjoint": work.adjoint, "case": work.case, "status": one.status, **one.data}
        for work, one in found
    ]
    return Outcome(
        max((one.status for _, one in found), default=DONE),
        remarks="\n".join(pages) if found else "nothing to check: no case file beside these files\n",
        diagnostics=tuple(d for _, one in found for d in one.diagnostics),
        data={"checks": told},
        parts=tuple(replace(one, about=work.adjoint or work.file) for work, one in found),
    )


def verdict(
    report: Report,
    remarks: tuple[Diagnostic, ...] = (),
    places: Mapping[str, Place] | None = None,
    *,
    require_coverage: bool = False,
) -> Outcome:
    """Return the outcome of a judged adjoint: the page for people, the report for machines."""
    from ..validate import entries, page

    passed = report.ok and (bool(report.covered) or not require_coverage)
    return Outcome(
        DONE if passed else FAILED,
        remarks=page.text(report),
        diagnostics=remarks,
        data={"report": report.to_dict()},
        drawn=lambda: page.drawn(report),
        entries=lambda: entries.of(report, places or {}),
    )


def progress_line(as_json: bool) -> Any:
    """Return a function that shows progress on one line of a terminal; None if there is no terminal."""
    if as_json or not sys.stderr.isatty():
        return None

    def show(done: int, total: int, what: str) -> None:
        sys.stderr.write(f"\r\x1b[K{what} {done}/{total}" if done < total else "\r\x1b[K")
        sys.stderr.flush()

    return show
