"""What a command found, an entry for each place: the input of the formats for tools.

Diagnostics and the findings of a check become one kind of thing. Every entry has a file and a line; what
concerns a whole file, or a kernel, has its first line.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from .diagnostics import Diagnostic
from .messages import end_of

Level = Literal["error", "warning", "note"]
Format = Literal["text", "json", "sarif", "github"]
FORMATS: tuple[Format, ...] = get_args(Format)
FOUND: Mapping[str, str] = {
    "stale": "The adjoint in the repository isn't what s2sad writes for the kernel.",
    "adjoint-changed": "The adjoint of a kernel, or its plan, isn't what it was.",
    "not-checked": "A check couldn't run, for lack of a tool.",
    "planted-fault": "The fault that s2sad mutate planted here.",
}
"""What commands report besides messages and the findings of a check, by code."""


@dataclass(frozen=True)
class Place:
    """A place in a file; lines and columns count from 1, and the end is exclusive."""

    file: str
    line: int = 1
    column: int = 1
    end_line: int | None = None
    end_column: int | None = None


@dataclass(frozen=True)
class Entry:
    """One finding and its place; `related` are other places that it concerns, each with what is there."""

    level: Level
    code: str
    message: str
    place: Place | None
    help: str = ""
    related: tuple[tuple[Place, str], ...] = ()

    @property
    def text(self) -> str:
        """The message, and below it what to do."""
        return f"{self.message}\n{self.help}" if self.help else self.message

    def to_dict(self) -> dict[str, object]:
        """Return the entry as plain values for JSON."""
        at = self.place
        return {
            "level": self.level,
            "code": self.code,
            "message": self.message,
            "file": at and at.file,
            "line": at and at.line,
            "column": at and at.column,
            "help": self.help,
        }


def of_diagnostic(diagnostic: Diagnostic, file: str = "") -> Entry:
    """Return the entry of a diagnostic; one without a place concerns the whole `file`, if there is one."""
    place = Place(file) if file else None
    span = diagnostic.span
    if span is not None:
        place = Place(span.source.name, span.line, span.column, *end_of(span))
    message = diagnostic.title if not diagnostic.label else f"{diagnostic.title}: {diagnostic.label}"
    message = f"{message}\n{diagnostic.note}" if diagnostic.note else message
    related = tuple((Place(s.source.name, s.line, s.column), label) for s, label in diagnostic.related)
    return Entry(diagnostic.severity, diagnostic.code.slug, message, place, diagnostic.help, related)
