"""Source text and places in it.

Every token, node and message points to a `Span`: a range of one author's file.
Columns count characters from 1, as editors do.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


@dataclass(frozen=True)
class Source:
    """The text of one file and its name in messages."""

    name: str
    text: str = field(repr=False)

    @cached_property
    def _starts(self) -> tuple[int, ...]:
        starts = [0]
        starts.extend(i + 1 for i, c in enumerate(self.text) if c == "\n")
        return tuple(starts)

    def position(self, offset: int) -> tuple[int, int]:
        """Return line and column, both from 1, of a character offset."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def line(self, number: int) -> str:
        """Return the text of a line, from 1, without its end; empty outside the file."""
        if not 1 <= number <= len(self._starts):
            return ""
        start = self._starts[number - 1]
        end = self._starts[number] - 1 if number < len(self._starts) else len(self.text)
        return self.text[start:end].rstrip("\r\n")

    @property
    def stem(self) -> str:
        return Path(self.name).stem


@dataclass(frozen=True)
class Span:
    """Characters `start` to `end` (exclusive) of a source."""

    source: Source
    start: int
    end: int

    @property
    def line(self) -> int:
        return self.source.position(self.start)[0]

    @property
    def column(self) -> int:
        return self.source.position(self.start)[1]

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.end]

    @property
    def words(self) -> str:
        """The text on one line, without comments, so that it can be put in one."""
        return " ".join(_COMMENT.sub(" ", self.text.replace("\\\n", " ")).split())

    def to(self, other: Span) -> Span:
        """Return the span from the start of this one to the end of the other, if both are in one file."""
        if other.source is not self.source or other.end < self.start:
            return self
        return Span(self.source, self.start, max(self.end, other.end))

    def __str__(self) -> str:
        return f"{self.source.name}:{self.line}:{self.column}"
