"""String constants of a Python script as texts whose characters have places in the script.

A constant may consist of several literals, `"a" "b"`, raw or not, in one or three quotes. An escape is one
character of the text and several of the script. The result is compared with what Python itself makes of it.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
import warnings
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from .source import Places, Source, Span

_ESCAPE = re.compile(
    r"\\(?:\n|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|N\{[^}\n]*\}|[0-7]{1,3}|(?s:.))"
)
_LITERAL = re.compile(r"(?P<prefix>[a-zA-Z]*)(?P<quote>\"\"\"|'''|\"|')")

Characters = list[tuple[str, int]]
"""A text, each character with the offset in the script at which it is written."""


@dataclass(frozen=True)
class Script:
    """A Python script, and where its nodes and its string literals are."""

    source: Source

    @cached_property
    def _literals(self) -> tuple[tuple[int, str], ...]:
        """Return the offset and the spelling of each string literal, in order."""
        found = tokenize.generate_tokens(io.StringIO(self.source.text).readline)
        return tuple(
            (self._at(*token.start), token.string) for token in found if token.type == tokenize.STRING
        )

    @cached_property
    def _lines(self) -> tuple[int, ...]:
        starts = [0]
        starts.extend(i + 1 for i, c in enumerate(self.source.text) if c == "\n")
        return tuple(starts)

    def _at(self, line: int, column: int) -> int:
        return self._lines[line - 1] + column

    def span(self, node: ast.expr | ast.stmt) -> Span:
        """Return the place of a node, whose columns count bytes."""
        start = self._byte(node.lineno, node.col_offset)
        if node.end_lineno is None or node.end_col_offset is None:
            return Span(self.source, start, start)
        return Span(self.source, start, self._byte(node.end_lineno, node.end_col_offset))

    def _byte(self, line: int, column: int) -> int:
        whole = self.source.line(line).encode("utf-8")
        return self._at(line, len(whole[:column].decode("utf-8", errors="ignore")))

    def characters(self, node: ast.Constant) -> Characters | None:
        """Return the characters of a string constant; None if its literals don't have its value."""
        span = self.span(node)
        first = bisect_left(self._literals, (span.start, ""))
        found: Characters = []
        for start, spelled in self._literals[first:]:
            if start >= span.end:
                break
            found += _decoded(spelled, start)
        return found if "".join(c for c, _ in found) == node.value else None


def text_of(file: Source, characters: Sequence[tuple[str, int]], flags: Sequence[str]) -> Source:
    """Return characters as a text with its places in the script, and the flags that compile it."""
    starts, there = [0], [characters[0][1] if characters else 0]
    for number, (_, at) in enumerate(characters):
        if at != there[-1] + number - starts[-1]:
            starts.append(number)
            there.append(at)
    text = "".join(c for c, _ in characters)
    return Source(file.name, text, Places(file, tuple(starts), tuple(there), tuple(flags)))


def _decoded(spelled: str, start: int) -> Iterator[tuple[str, int]]:
    """Yield the characters of one literal, each with its offset."""
    opening = _LITERAL.match(spelled)
    if opening is None:
        return
    at, end = opening.end(), len(spelled) - len(opening["quote"])
    raw = "r" in opening["prefix"].lower()
    while at < end:
        escape = None if raw else _ESCAPE.match(spelled, at, end)
        written = spelled[at] if escape is None else escape.group()
        for c in written if escape is None else _meant(written):
            yield c, start + at
        at += len(written)


def _meant(escape: str) -> str:
    """Return what an escape stands for; an unknown one stands for itself."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of an unknown escape
            return str(ast.literal_eval(f"'{escape}'"))
    except (SyntaxError, ValueError):
        return escape
