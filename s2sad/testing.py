"""For tests: assert that the adjoint of a kernel is right.

    from s2sad.testing import assert_adjoint

    def test_relax() -> None:
        x = np.linspace(-1, 1, 300, dtype=np.float32)
        args = {"x": x, "w": np.ones(8, "f4"), "y": np.zeros_like(x), "n": 300}
        assert_adjoint("relax.cu", of="y", wrt="x,w", args=args, grid=3, block=128)

It works in every test runner; pytest isn't imported.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from numpy.typing import ArrayLike

from . import api
from .api import Adjoint, Report
from .api_arguments import Template
from .checking import TIMEOUT, BackendName
from .options import Mode

__all__ = ["assert_adjoint"]


def assert_adjoint(
    source: str | os.PathLike[str] | Adjoint,
    adjoint: str | os.PathLike[str] | None = None,
    *,
    case: str | os.PathLike[str] | None = None,
    args: Mapping[str, ArrayLike] | None = None,
    grid: int | tuple[int, ...] | None = None,
    block: int | tuple[int, ...] | None = None,
    shared_bytes: int = 0,
    tolerance: float | None = None,
    require_coverage: bool = False,
    backend: BackendName = "auto",
    timeout: float = TIMEOUT,
    kernel: str | None = None,
    of: str | Sequence[str] = (),
    wrt: str | Sequence[str] = (),
    name: str | None = None,
    mode: Mode | None = None,
    define: Mapping[str, str | int | float] | None = None,
    include: Sequence[str | os.PathLike[str]] = (),
    template: Template | None = None,
    assume: str | Sequence[str] = (),
) -> Report:
    """Check an adjoint as `s2sad.check` does, and return its report.

    Raises AssertionError with the report as its text if the adjoint isn't right, or with
    `require_coverage` if a line or a side of a condition didn't run. Raises Rejected, BackendUnavailable.
    """
    __tracebackhide__ = True  # pytest shows the caller's line
    report = api.check(
        source,
        adjoint,
        case=case,
        args=args,
        grid=grid,
        block=block,
        shared_bytes=shared_bytes,
        tolerance=tolerance,
        backend=backend,
        timeout=timeout,
        kernel=kernel,
        of=of,
        wrt=wrt,
        name=name,
        mode=mode,
        define=define,
        include=include,
        template=template,
        assume=assume,
    )
    if not report.ok:
        raise AssertionError(report.text())
    if require_coverage and not report.covered:
        raise AssertionError(f"not everything ran on this launch\n{report.text()}")
    return report
