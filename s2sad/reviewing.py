"""From a file to its review page: transform, check if there is a case, compare if there is an older file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from . import checking, files, pipeline
from .case_options import options_of_case
from .checking import BackendName
from .diagnostics import Diagnostic
from .entries import Place
from .options import Options
from .review.changes import changes
from .review.checked import Checked
from .review.page import page
from .run.backend import BackendUnavailable
from .source import Source
from .validate import Header, Report, header, worst


@dataclass(frozen=True)
class Case:
    """The case file to check on, if any; `found` beside the kernel, rather than asked for."""

    path: str | None = None
    found: bool = False
    why_not: str = ""

    @staticmethod
    def of(file: str, path: str | None) -> Case:
        """Return the case that was given, else the one beside the kernel's file."""
        if path is not None:
            return Case(path)
        return Case(checking.case_beside(file), found=True)


@dataclass(frozen=True)
class Made:
    """A page, what is said of the kernel, and the same for machines; `verdict` is the check's, in a line."""

    text: str
    remarks: tuple[Diagnostic, ...]
    data: Mapping[str, object]
    report: Report | None = None
    verdict: str = ""
    places: Mapping[str, Place] = field(default_factory=dict)


def made(
    source: Source,
    options: Options,
    case: Case,
    old: Source | None,
    backend: BackendName = "auto",
    timeout: float | None = None,
) -> Made:
    """Return the page on a kernel's adjoint. Raises Rejected, BackendUnavailable.

    Values missing in the options come from the case, as for `check`. A check that fails is shown on the page.
    """
    case, head, options = fitting(options, case)
    done = pipeline.transform(source, options)
    checked = judged(done, case, backend, timeout)
    since = None if old is None else changes(Path(old.name).name, old.text, done.text)
    report = None if checked is None else checked.report
    data: dict[str, object] = {
        "kernel": done.program.kernel.name,
        "adjoint": done.adjoint.kernel.name,
        "plan": done.adjoint.plan.to_dict(),
        "report": None if report is None else report.to_dict(),
    }
    remarks = tuple(d for d in done.remarks if d.severity != "note" or not head.of)
    text = page(done, checked, since)
    if checked is None or report is None:
        return Made(text, remarks, data)
    verdict = f"{report.kernel}: {checked.verdict}: {checked.title}\n"
    return Made(text, remarks, data, report, verdict, checking.places(done))


def fitting(options: Options, case: Case) -> tuple[Case, Header, Options]:
    """Return the case if it is of the kernel, its head, and the options with the case's. Raises Rejected."""
    head = Header() if case.path is None else header(case.path)
    if case.found and options.kernel and head.kernel and head.kernel != options.kernel:
        case, head = Case(why_not=f"the case beside the file is of the kernel {head.kernel}"), Header()
    return case, head, options.with_more(options_of_case(head))


def judged(
    done: pipeline.Transformed, case: Case, backend: BackendName, timeout: float | None
) -> Checked | None:
    """Return what a check says; None if there is neither a case nor a reason. Raises BackendUnavailable."""
    if case.path is None:
        return Checked(why_not=case.why_not) if case.why_not else None
    jobs = checking.jobs(done, case.path)
    try:
        report = worst([checking.judge(job, backend, timeout or checking.TIMEOUT) for job in jobs])
    except BackendUnavailable as unavailable:
        if not case.found:
            raise
        return Checked(why_not=str(unavailable))
    text = files.content(case.path) or ""
    return Checked(report, text, Path(case.path).name, kernel=jobs[0].pair.primal.name)
