"""Check a user's backward kernel: two files and a case, no transformation.

Signatures are read as declarations, and bodies go to the C++ compiler unchanged. So this
judges kernels that the transformer can't read, and shares no mistake with it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from ..run.isolated import Isolated
from ..validate import Report, find, together
from ..validate.check import Progress
from . import judging
from .job import Job, outline, prepare
from .reaching import Reaching
from .roles import Roles

__all__ = ["TIMEOUT", "Job", "Reaching", "case_beside", "judge", "outline", "prepare"]

TIMEOUT = 60.0  # seconds for a launch; one of a small case takes milliseconds


def case_beside(file: str) -> str | None:
    """Return NAME.toml beside NAME.cu, if it exists."""
    found = find(file)
    return str(found) if found else None


def judge(
    job: Job,
    name: Literal["auto", "cpu", "cuda"] = "auto",
    timeout: float = TIMEOUT,
    progress: Progress | None = None,
) -> Report:
    """Judge a job; kernels run in a separate process. Raises Rejected, BackendUnavailable."""
    with Isolated(name, timeout) as backend:
        reports: list[Report] = []
        found: Roles | None = None
        for case in job.case.launches:
            one = replace(job, case=case)
            report, roles = judging.judge(one, backend, progress=progress, shown=found)
            reports.append(report)
            found = found or roles
        return together(job.case, reports)
