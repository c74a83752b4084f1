"""The author's comments on a statement, so that they come back where its line is computed again.

Comments above a statement on lines of their own, and one at the end of its last
line. What is addressed to s2sad or to other tools stays behind.
"""

from __future__ import annotations

import re

from ..source import Span

_SAYS = re.compile(r"\s*(//[/!]?|/\*[*!]?|\*/|\*(?!/))\s?(.*?)\s*(\*/)?\s*$")
_FOR_TOOLS = re.compile(r"//\s*(s2sad:|NOLINT|clang-format|\^)")


def above(span: Span) -> list[str]:
    """The lines of the comment that stands directly above, without marks."""
    source, number = span.source, span.line
    if source.line(number)[: span.column - 1].strip():
        return []
    lines: list[str] = []
    inside = False  # a `/* … */` that we entered at its end
    while (number := number - 1) > 0:
        line = source.line(number).strip()
        inside = inside or (line.endswith("*/") and not line.startswith("//"))
        if line.endswith("\\"):
            break  # the next line is part of it
        if inside:
            if "/*" in line and not line.startswith("/*"):
                break  # code stands before it
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
    """The comment at the end of the statement's last line, if it is the last statement there."""
    text = span.source.text
    end = text.find("\n", span.end)
    rest = text[span.end : end if end >= 0 else len(text)].strip().lstrip(";").strip()
    if not rest.startswith(("//", "/*")) or _FOR_TOOLS.match(rest):
        return ""
    if rest.endswith("\\") or (rest.startswith("/*") and not rest.endswith("*/")):
        return ""
    match = _SAYS.match(rest)
    return match[2] if match else ""
