"""The outcome of a command, and its output.

A command is a function from its arguments to an `Outcome`; only this module
prints outcomes. So the streams are chosen once: the product goes to
standard output, every message to standard error, as text or as one JSON object.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .. import messages
from ..diagnostics import Diagnostic

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


class Misused(Exception):
    """The command line is invalid; `diagnostics` has all its errors."""

    def __init__(self, *diagnostics: Diagnostic) -> None:
        super().__init__(*diagnostics)
        self.diagnostics = diagnostics


def present(outcome: Outcome, as_json: bool) -> None:
    """Print messages to standard error, then the product to standard output."""
    if as_json:
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
