"""Every message in one table, and the exception that carries them.

A title states the fact, a label says what is wrong at this place, a note why
derivatives care, a help what to do. All are format strings over the keyword
arguments of `diagnose`; each part is formatted by itself, because C source is
full of braces. Lower case, no full stop.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Literal

from .source import Span

Severity = Literal["error", "warning", "note"]


@dataclass(frozen=True)
class Message:
    title: str
    label: str = ""
    note: str = ""
    help: str = ""
    severity: Severity = "error"


class Code(Enum):
    """The stable code in words is the member's name in lower case with hyphens."""

    # ---- the file and the command --------------------------------------------
    # ---- preprocessing and syntax --------------------------------------------
    # ---- names, types, the fence ---------------------------------------------
    # ---- analysis and plan ---------------------------------------------------
    SHARED_WRITER = Message(
        title="cannot prove that only one thread writes {place}",
        label="two threads may write the same element",
        note="the reverse sweep reads adj_{array} here and then clears it; "
        "with two writers one of them would read zero",
        help="if no two threads store the same element, say so: --assume injective:{index}",
    )
    # ---- checking and running ------------------------------------------------

    @property
    def slug(self) -> str:
        return self.name.lower().replace("_", "-")


@dataclass(frozen=True)
class Diagnostic:
    """One message at one place."""

    code: Code
    span: Span | None
    values: Mapping[str, str] = field(default_factory=dict)
    related: tuple[tuple[Span, str], ...] = ()  # "macro defined here" and kin

    @property
    def severity(self) -> Severity:
        return self.code.value.severity

    def _part(self, text: str) -> str:
        return text.format_map(self.values) if text else ""

    @property
    def title(self) -> str:
        return self._part(self.code.value.title)

    @property
    def label(self) -> str:
        return self._part(self.code.value.label)

    @property
    def note(self) -> str:
        return self._part(self.code.value.note)

    @property
    def help(self) -> str:
        return self._part(self.code.value.help)


def diagnose(code: Code, span: Span | None, **values: str) -> Diagnostic:
    """A diagnostic with the given values for its message's fields."""
    return Diagnostic(code, span, values)


class Rejected(Exception):
    """The input is refused; `diagnostics` says everything that is wrong with it."""

    def __init__(self, *diagnostics: Diagnostic) -> None:
        super().__init__(*diagnostics)
        self.diagnostics = diagnostics

    def __str__(self) -> str:
        return "\n".join(f"{d.span or ''}: {d.severity}[{d.code.slug}]: {d.title}" for d in self.diagnostics)
