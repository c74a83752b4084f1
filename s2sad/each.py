"""The adjoints that `s2sad check --each` judges: those of kernels that have a case beside them.

A hook passes changed files that look like ours, a build passes a folder. A kernel,
its adjoint and its case are one check, whichever of them is named. An adjoint on
disk beside the kernel is judged; otherwise a fresh one is made.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from . import checking, emitted_header, files

SUFFIXES = (".cu", ".cuh", ".py")
"""The names of files that may have kernels."""


@dataclass(frozen=True)
class Work:
    """One check, as its command line would specify it."""

    file: str
    adjoint: str | None
    case: str | None


def works(paths: Iterable[str], *, every: bool = False) -> list[Work]:
    """Return the checks, each once, in the order of the paths; search folders recursively.

    With `every`, files with kernels but without a case are among them.
    """
    return list(dict.fromkeys(work for path in paths for work in _works(Path(path), every)))


def _works(path: Path, every: bool) -> Iterator[Work]:
    if path.is_dir():
        for file in sorted(file for suffix in SUFFIXES for file in path.rglob(f"*{suffix}")):
            # a header's kernels may be those of a file that includes it and has the case
            yield from _works(file, every and file.suffix != ".cuh")
        return
    stems = dict.fromkeys((path.stem, path.stem.removesuffix("_adj")))
    for file in (path.with_name(stem + suffix) for stem in stems for suffix in SUFFIXES):
        case = checking.case_beside(str(file))
        if case is not None and file.exists() and _may_have_kernels(file):
            adjoint = file.with_name(f"{file.stem}_adj.cu")
            yield Work(str(file), str(adjoint) if adjoint.exists() else None, case)
            return
    text = files.content(str(path)) or "" if every else ""
    if "__global__" in text and not emitted_header.is_ours(text):
        yield Work(str(path), None, None)


def _may_have_kernels(file: Path) -> bool:
    """Whether a file isn't a script or a header without kernels, such as a script beside its own settings."""
    return file.suffix == ".cu" or "__global__" in (files.content(str(file)) or "")
