"""Transform a kernel, and check its gradient, in tests of forms of one kernel."""

from __future__ import annotations

from s2sad.options import Mode, Options
from s2sad.pipeline import Transformed, transform
from s2sad.run.backend import Backend
from s2sad.source import Source
from s2sad.validate import Case, check_pair


def made(text: str, of: str, wrt: str, mode: Mode = "joint", **more: object) -> Transformed:
    """Return the adjoint of a kernel; the names are those of the command line."""
    options = Options(of=tuple(of.split(",")), wrt=tuple(wrt.split(",")), mode=mode, **more)  # type: ignore[arg-type]
    return transform(Source("k.cu", text), options)


def right(done: Transformed, case: str, backend: Backend, tolerance: float = 1e-7) -> None:
    """Check a gradient, computed in double precision, against differences of the primal."""
    report = check_pair(done.pair, Case.parse(case, done.pair.primal), backend, tolerance=tolerance)
    assert report.ok, report.text()
