"""Errors of ours: where one happened is noted as it passes, and a user is told in a few lines.

A failed check of the IR, or a key that isn't in a table, may have a text of kilobytes: the statement or
symbol in question. It is cut; how to see all of it is said instead.
"""

from __future__ import annotations

import os
import traceback
from collections.abc import Iterator
from contextlib import contextmanager

from .diagnostics import Rejected
from .source import Span

_LONGEST = 240
_PASS, _OF = "pass: ", " of "


@contextmanager
def noting(*what: str) -> Iterator[None]:
    """Add notes to an error of ours, none to a refusal."""
    try:
        yield
    except Rejected:
        raise
    except Exception as error:
        for note in what:
            error.add_note(note)
        raise


@contextmanager
def of_pass(name: str, function: str, span: Span | None) -> Iterator[None]:
    """Note a pass, and the function that it works on with its place."""
    with noting(f"{_PASS}{name}{_OF}{function}{_at(span)}"):
        yield


def of_kernel(name: str, span: Span | None) -> str:
    """Return the note of a kernel."""
    return f"kernel: {name}{_at(span)}"


def said(error: Exception) -> str:
    """Return the kind of an error and the beginning of its text, on one line."""
    text = " ".join(str(error).split())
    if len(text) > _LONGEST:
        text = text[:_LONGEST].rstrip() + " …"
    return f"{type(error).__name__}: {text}"


def report(error: Exception, version: str) -> str:
    """Return what a user is told, and what a bug report needs."""
    notes = list(dict.fromkeys(getattr(error, "__notes__", ()))) or ["stage: command line"]
    lines = [
        f"internal error in s2sad {version} ({', '.join(notes)}): {said(error)} at {_raised(error)}",
        "this is a fault of s2sad, not of your code; please report it, with the file; nothing was written",
    ]
    if failed := next((note.removeprefix(_PASS) for note in notes if note.startswith(_PASS)), ""):
        name = failed.partition(_OF)[0]
        lines.append(
            f"for the IR, add --dump-after {name} to `s2sad transform`; of all passes: --dump-after all"
        )
    if os.environ.get("S2SAD_DEBUG"):
        return "\n".join(lines) + "\n" + "".join(traceback.format_exception(error))
    return "\n".join([*lines, "for a traceback, run it again with S2SAD_DEBUG=1"]) + "\n"


def _raised(error: BaseException) -> str:
    """Return where an error was raised first, of which it may be another form."""
    while error.__cause__ is not None and not isinstance(error.__cause__, Rejected):
        error = error.__cause__
    where = traceback.extract_tb(error.__traceback__)[-1:]
    return f"{os.path.basename(where[0].filename)}:{where[0].lineno}" if where else "?"


def _at(span: Span | None) -> str:
    return f" at {span.source.name}:{span.line}" if span is not None else ""
