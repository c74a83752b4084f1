"""From a file to its review page: transform, check if there is a case, compare if there is an older file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from . import checking, pipeline
from .case_options import options_of_case
from .checking import BackendName, case_beside
from .diagnostics import Diagnostic
from .options import Options
from .review.changes import changes
from .review.checked import Checked
from .review.page import page
from .source import Source
from .validate import header, worst

__all__ = ["Made", "case_beside", "made"]


@dataclass(frozen=True)
class Made:
    """A page, what is said of the kernel, and the same for machines."""

    text: str
    remarks: tuple[Diagnostic, ...]
    data: Mapping[str, object]


def made(
    source: Source,
    options: Options,
    case: str | None,
    old: Source | None,
    backend: BackendName = "auto",
    timeout: float | None = None,
) -> Made:
    """Return the page on a kernel's adjoint. Raises Rejected, BackendUnavailable.

    Values missing in the options come from the case, as for `check`. A check that fails is shown on the page.
    """
    asked = options if case is None else options.with_more(options_of_case(header(case)))
    done = pipeline.transform(source, asked)
    checked = None if case is None else _checked(done, case, backend, timeout)
    since = None if old is None else changes(Path(old.name).name, old.text, done.text)
    report = checked.report if checked is not None else None
    data: dict[str, object] = {
        "kernel": done.program.kernel.name,
        "adjoint": done.adjoint.kernel.name,
        "plan": done.adjoint.plan.to_dict(),
        "report": report.to_dict() if report is not None else None,
    }
    return Made(page(done, checked, since), done.remarks, data)


def _checked(done: pipeline.Transformed, case: str, backend: BackendName, timeout: float | None) -> Checked:
    jobs = checking.jobs(done, case)
    report = worst([checking.judge(job, backend, timeout or checking.TIMEOUT) for job in jobs])
    text = Path(case).read_text(encoding="utf-8")
    kernel = jobs[0].pair.primal.name
    return Checked(report, text, Path(case).name, kernel)
