"""The appearance of diagnostics: a page for people, an object for machines.

For people: the title, the place, the author's line with a caret under the culprit,
why derivatives care and what to do. The caret is under the right characters in any
line: tabs are expanded, wide characters counted twice, control characters shown,
and only the part of a very long line around the culprit is shown.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from .diagnostics import Code, Diagnostic
from .source import Span

if TYPE_CHECKING:
    from rich.text import Text

TAB = 4
WIDEST = 160  # characters of a source line that are shown

Segment = tuple[str, str]
"""A style (a rich one, "" for none) and a text."""

_STYLES = {"error": "bold red", "warning": "bold yellow", "note": "bold cyan"}
_GUTTER = "blue"
_SAID_ALL = (
    Code.USAGE,
    Code.NOT_BUILT,
    Code.UNREADABLE,
    Code.UNWRITABLE,
    Code.MISSING_TOOL,
    Code.NO_SUCH_CODE,
    Code.NO_SUCH_EXAMPLE,
    Code.NO_SUCH_LESSON,
    Code.NO_SUCH_RULE,
)
"""Codes that `s2sad help` has no more to say about than their message."""


def in_order(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Sort by file and place, without duplicates; diagnostics without a place come first."""

    def place(diagnostic: Diagnostic) -> tuple[str, int]:
        span = diagnostic.span
        return (span.source.name, span.start) if span else ("", -1)

    once: dict[tuple[object, ...], Diagnostic] = {}
    for d in diagnostics:
        once.setdefault((d.code, place(d), d.title, d.label), d)
    return tuple(sorted(once.values(), key=place))


def summary(diagnostics: Sequence[Diagnostic]) -> str:
    """Return `2 errors, 1 warning`; empty if there is neither."""
    parts = []
    for severity in ("error", "warning"):
        count = sum(d.severity == severity for d in diagnostics)
        if count:
            parts.append(f"{count} {severity}{'s' if count > 1 else ''}")
    return ", ".join(parts)


def page(diagnostics: Iterable[Diagnostic]) -> str:
    """Return all diagnostics as plain text, an empty line between them, and the summary."""
    return "".join(text for line in lines(diagnostics) for _, text in [*line, ("", "\n")])


def styled(diagnostics: Iterable[Diagnostic]) -> Text:
    """Return the same page with colours, for a terminal."""
    from rich.text import Text

    text = Text()
    for line in lines(diagnostics):
        for style, part in line:
            text.append(part, style=style or None)
        text.append("\n")
    return text


def lines(diagnostics: Iterable[Diagnostic]) -> list[list[Segment]]:
    """Return the page line by line, each line in segments of one style."""
    ordered = in_order(diagnostics)
    out: list[list[Segment]] = []
    for diagnostic in ordered:
        out += _message(diagnostic)
        out.append([])
    total = summary(ordered)
    if total:
        out.append([("bold", total), ("", _pointer(ordered))])
    elif out:
        out.pop()
    return out


def _pointer(diagnostics: Sequence[Diagnostic]) -> str:
    """Return where the codes are explained, as a command to copy."""
    found = [d.code for d in diagnostics if d.severity != "note" and d.code not in _SAID_ALL]
    slugs = [code.slug for code in dict.fromkeys(found)]
    return f"; more: s2sad help {' '.join(slugs[:3])}" if slugs else ""


def to_dict(diagnostic: Diagnostic) -> dict[str, object]:
    """Return a diagnostic as plain data. Columns count from 1; the end is exclusive."""
    span = diagnostic.span
    end = end_of(span) if span else (None, None)
    return {
        "code": diagnostic.code.slug,
        "severity": diagnostic.severity,
        "title": diagnostic.title,
        "label": diagnostic.label,
        "note": diagnostic.note,
        "help": diagnostic.help,
        "file": span.source.name if span else None,
        "line": span.line if span else None,
        "column": span.column if span else None,
        "end_line": end[0],
        "end_column": end[1],
        "related": [
            {"file": s.source.name, "line": s.line, "column": s.column, "label": label}
            for s, label in diagnostic.related
        ],
    }


def end_of(span: Span) -> tuple[int, int]:
    """Return the line and the column after a span, from 1."""
    if span.end <= span.start:
        return span.source.position(span.start)
    line, column = span.source.position(span.end - 1)
    return line, column + 1


# ---- one message ------------------------------------------------------------


def _message(diagnostic: Diagnostic) -> list[list[Segment]]:
    style = _STYLES[diagnostic.severity]
    spans = [span for span, _ in diagnostic.related]
    if diagnostic.span:
        spans.append(diagnostic.span)
    width = max((len(str(span.line)) for span in spans), default=1)

    out: list[list[Segment]] = [
        [
            (style, f"{diagnostic.severity}[{diagnostic.code.slug}]"),
            ("bold", f": {_visible(diagnostic.title)}"),
        ]
    ]
    if diagnostic.span:
        out += _snippet(diagnostic.span, diagnostic.label, "-->", "^", width, style)
    for span, label in diagnostic.related:
        out += _snippet(span, label, ":::", "-", width, _GUTTER)
    for word, text in (("note", diagnostic.note), ("help", diagnostic.help)):
        if text:
            out += _remark(word, text, width)
    return out


def _snippet(span: Span, label: str, arrow: str, mark: str, width: int, style: str) -> list[list[Segment]]:
    line, column = span.line, span.column
    text = span.source.line(line)
    last, end = end_of(span)
    length = end - column if last == line else len(text) - column + 1
    shown, start, marks = _window(text, column - 1, max(1, length))
    empty: Segment = (_GUTTER, f"{'':{width}} |")
    under: Segment = (style, f" {' ' * start}{mark * marks}{' ' + _visible(label) if label else ''}")
    return [
        [(_GUTTER, f"{'':{width}}{arrow} "), ("", _visible(str(span)))],
        [empty],
        [(_GUTTER, f"{line:{width}} |"), ("", f" {shown}".rstrip())],
        [empty, under],
    ]


def _remark(word: str, text: str, width: int) -> list[list[Segment]]:
    first, *rest = text.splitlines()
    indent = " " * (width + 3 + len(word) + 2)
    out: list[list[Segment]] = [[(_GUTTER, f"{'':{width}} = "), ("bold", word), ("", f": {_visible(first)}")]]
    out += [[("", f"{indent}{_visible(line)}".rstrip())] for line in rest]
    return out


# ---- columns ----------------------------------------------------------------


def _window(text: str, start: int, length: int) -> tuple[str, int, int]:
    """Return the line as shown, where in it the marks begin and how many there are.

    `start` and `length` count characters of `text`; the results count cells of a terminal.
    """
    length = min(length, max(1, len(text) - start))
    first, last = 0, len(text)
    if last > WIDEST:
        first = max(0, min(start - WIDEST // 4, last - WIDEST))
        last = first + WIDEST
    before, _ = _cells(text[first:start], 0)
    culprit, cells = _cells(text[start : min(start + length, last)], _width(before))
    after, _ = _cells(text[min(start + length, last) : last], _width(before) + cells)
    head = "… " if first > 0 else ""
    tail = " …" if last < len(text) else ""
    return head + before + culprit + after + tail, len(head) + _width(before), max(1, cells)


def _cells(text: str, column: int) -> tuple[str, int]:
    """Return text as shown from a column on, and the number of cells that it occupies."""
    out = []
    at = column
    for c in text:
        shown = " " * (TAB - at % TAB) if c == "\t" else _visible(c)
        out.append(shown)
        at += _width(shown)
    return "".join(out), at - column


def _visible(text: str) -> str:
    """Replace control characters by their pictures, so that none reaches a terminal."""
    return "".join(
        c if not _is_control(c) else chr(0x2400 + ord(c)) if ord(c) < 32 else "\ufffd" for c in text
    )


def _is_control(c: str) -> bool:
    return unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp")


def _width(text: str) -> int:
    """Return the width in terminal cells: wide characters count two, combining ones none."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text
    )
