"""Read an emitted text again, in the dialect of emitted files: every name must be declared.

A text that can't be parsed, that uses a name without a declaration, or whose types don't fit
is an internal error. It is raised as `Unreadable`, with the line, and nothing is written.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from . import parse
from .diagnostics import Diagnostic, Rejected
from .ir import Program
from .source import Source


class Unreadable(Exception):
    """The emitted text isn't valid; with the place and the reason."""


def reread(
    text: str,
    name: str,
    kernels: Iterable[str],
    defines: Mapping[str, str] | None = None,
    includes: Sequence[Path] = (),
) -> list[Program]:
    """Parse and type each of these kernels and its closure. Raises Unreadable."""
    source = Source(name, text)
    found = []
    for kernel in kernels:
        try:
            found.append(
                parse.program(source, kernel=kernel, defines=defines, includes=includes, dialect="emitted")
            )
        except Rejected as rejected:
            raise Unreadable(_said(rejected.diagnostics[0])) from rejected
    return found


def _said(found: Diagnostic) -> str:
    """Return the place of the first fault, its title, and the line."""
    if found.span is None:
        return found.title
    line = found.span.source.text.splitlines()[found.span.line - 1].strip()
    return f"the emitted file can't be read again: {found.span}: {found.title}: `{line}`"
