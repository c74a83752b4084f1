"""The author's comments on a statement, to be repeated where its line is computed again.

These are comments above a statement on lines of their own, and one at the end of its last
line. Comments addressed to s2sad or to other tools are left out.
"""

from __future__ import annotations

import re

from ..source import Span

_SAYS = re.compile(r"\s*(//[/!]?|/\*[*!]?|\*/|\*(?!/))\s?(.*?)\s*(\*/)?\s*$")
_FOR_TOOLS = re.compile(r"//\s*(s2sad:|NOLINT|clang-format|\^)")


def above(span: Span) -> list[str]:
    """Return the lines of the comment directly above, without marks."""
    source, number = span.source, span.line
    if source.line(number)[: span.column - 1].strip():
        return []
    lines: list[str] = []
    inside = False  # a `/* … */` entered at its end
    while (number := number - 1) > 0:
        line = source.line(number).strip()
        inside = inside or (line.endswith("*/") and not line.startswith("//"))
        if line.endswith("\\"):
            break  # the next line is part of it
        if inside:
            if "/*" in line and not line.startswith("/*"):
                break  # code precedes it on the line
        elif not line.startswith("//") or _FOR_TOOLS.match(line):
            break
        lines.append(line)
        inside = inside and "/*" not in line
    said = [match[2] for line in reversed(lines) if (match := _SAYS.match(line))] if not inside else []
    while said and not said[0]:
        said.pop(0)
    while said and not said[-1]:
        said.pop()
    return said


def behind(span: Span) -> str:
    """Return the comment at the end of the statement's last line, if no statement follows there."""
    text = span.source.text
    end = text.find("\n", span.end)
    rest = text[span.end : end if end >= 0 else len(text)].strip().lstrip(";").strip()
    if not rest.startswith(("//", "/*")) or _FOR_TOOLS.match(rest):
        return ""
    if rest.endswith("\\") or (rest.startswith("/*") and not rest.endswith("*/")):
        return ""
    match = _SAYS.match(rest)
    return match[2] if match else ""


def uncommented(span: Span | None) -> Span | None:
    """The place of a second statement for one of the author's: none if that has a comment, said once."""
    return None if span is None or above(span) or behind(span) else span
