"""The adjoints that `s2sad check --each` judges: those of kernels that have a case beside them.

A hook passes changed files that look like ours, a build passes a folder. A kernel,
its adjoint and its case are one check, whichever of them is named. An adjoint on
disk beside the kernel is judged; otherwise a fresh one is made.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from .. import checking


@dataclass(frozen=True)
class Work:
    """One check, as its command line would specify it."""

    file: str
    adjoint: str | None
    case: str


def works(paths: Iterable[str]) -> list[Work]:
    """Return the checks, each once, in the order of the paths; search folders recursively."""
    return list(dict.fromkeys(work for path in paths for work in _works(Path(path))))


def _works(path: Path) -> Iterator[Work]:
    if path.is_dir():
        for file in sorted(path.rglob("*.cu")):
            yield from _works(file)
        return
    own = path.with_suffix(".cu")
    for file in (own, own.with_name(f"{own.stem.removesuffix('_adj')}.cu")):
        case = checking.case_beside(str(file))
        if case is not None and file.exists():
            adjoint = file.with_name(f"{file.stem}_adj.cu")
            yield Work(str(file), str(adjoint) if adjoint.exists() else None, case)
            return
