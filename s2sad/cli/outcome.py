"""The outcome of a command, and its output.

A command is a function from its arguments to an `Outcome`; only this module
prints outcomes. So the streams are chosen once: the product goes to
standard output, every message to standard error, as text or as one JSON object.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

from .. import messages
from ..diagnostics import Diagnostic
from ..entries import FORMATS, Entry, Format, of_diagnostic

if TYPE_CHECKING:
    from rich.console import RenderableType

DONE, FAILED, REFUSED, MISUSED, MISSING_TOOL = 0, 1, 2, 3, 4
INTERNAL, INTERRUPTED = 70, 130


@dataclass(frozen=True)
class Outcome:
    """`product` is the requested output; `remarks` are lines for people, `data` the same for machines."""

    status: int = DONE
    product: str = ""
    diagnostics: tuple[Diagnostic, ...] = ()
    remarks: str = ""
    data: Mapping[str, object] = field(default_factory=dict)
    drawn: Callable[[], RenderableType] | None = None  # the remarks for a terminal
    entries: Callable[[], tuple[Entry, ...]] = tuple  # for tools: findings besides the diagnostics
    about: str = ""  # the file that diagnostics without a place concern
    parts: tuple[Outcome, ...] = ()  # the outcomes that this one combines

    def found(self) -> tuple[Entry, ...]:
        """Return everything to report, with its places."""
        if self.parts:
            return tuple(entry for part in self.parts for entry in part.found())
        told = messages.in_order(self.diagnostics)
        return (*(of_diagnostic(d, self.about) for d in told), *self.entries())


class Misused(Exception):
    """The command line is invalid; `diagnostics` has all its errors."""

    def __init__(self, *diagnostics: Diagnostic) -> None:
        super().__init__(*diagnostics)
        self.diagnostics = diagnostics


@dataclass(frozen=True)
class Asked:
    """How messages are wanted: for people, as JSON beside a product, or in a format for tools."""

    as_json: bool = False
    format: Format | None = None

    @staticmethod
    def by(words: Sequence[str]) -> Asked:
        """Read it from a command line, which may be wrong otherwise."""
        after = [word.partition("=")[2] for word in words if word.startswith("--format=")]
        after += [word for flag, word in pairwise(words) if flag == "--format"]
        chosen = [format for format in FORMATS if format in after]
        return Asked("--json" in words, chosen[0] if chosen else None)


def present(outcome: Outcome, asked: Asked) -> None:
    """Print messages to standard error, then the product to standard output.

    With a format for tools the findings are all, and go to standard output; the product isn't written there.
    """
    if asked.format is not None:
        from . import formats

        sys.stdout.write(formats.written(asked.format, outcome.found(), outcome.status, outcome.data))
        sys.stdout.flush()
        return
    if asked.as_json:
        found = [messages.to_dict(d) for d in messages.in_order(outcome.diagnostics)]
        _say(json.dumps({"status": outcome.status, "diagnostics": found, **outcome.data}, indent=2) + "\n")
    else:
        _say_page(outcome.diagnostics)
        _say_remarks(outcome)
    if outcome.product:
        sys.stdout.write(outcome.product)
    sys.stdout.flush()


def _say(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()


def _say_remarks(outcome: Outcome) -> None:
    if outcome.drawn is None or _is_plain():
        _say(outcome.remarks)
        return
    from rich.console import Console

    Console(stderr=True, highlight=False).print(outcome.drawn())


def _is_plain() -> bool:
    """Whether to print without colours."""
    return bool(not sys.stderr.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb")


def _say_page(diagnostics: tuple[Diagnostic, ...]) -> None:
    if not diagnostics:
        return
    if _is_plain():
        _say(messages.page(diagnostics))
        return
    from rich.console import Console

    Console(stderr=True, highlight=False, soft_wrap=True).print(messages.styled(diagnostics), end="")
