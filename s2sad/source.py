"""Source text and places in it.

Every token, node and message points to a `Span`: a range of one author's file.
Columns count characters from 1, as editors do.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


@dataclass(frozen=True)
class Places:
    """Where a text lies in the file that it is a part of.

    From `starts[i]` on, the text's characters follow one another in the file from `there[i]` on.
    """

    file: Source
    starts: tuple[int, ...]
    there: tuple[int, ...]
    flags: tuple[str, ...] = ()  # of the compiler, as the file passes them with the text
    alone: bool = True  # whether the file has no other such text

    def offset(self, offset: int) -> int:
        """Return the offset in the file of a character of the text."""
        run = bisect_right(self.starts, offset) - 1
        return self.there[run] + offset - self.starts[run]


@dataclass(frozen=True)
class Source:
    """The text of one file and its name in messages.

    A text inside another file, as in a string of a Python script, has its places in that file.
    """

    name: str
    text: str = field(repr=False)
    inside: Places | None = field(default=None, repr=False, compare=False)

    @cached_property
    def _starts(self) -> tuple[int, ...]:
        starts = [0]
        starts.extend(i + 1 for i, c in enumerate(self.text) if c == "\n")
        return tuple(starts)

    def position(self, offset: int) -> tuple[int, int]:
        """Return line and column, both from 1, of a character offset."""
        if self.inside is not None:
            return self.inside.file.position(self.inside.offset(offset))
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def line(self, number: int) -> str:
        """Return the text of a line, from 1, without its end; empty outside the file."""
        if self.inside is not None:
            return self.inside.file.line(number)
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
    """Characters `start` to `end` (exclusive) of a source.

    In a function that was inlined, `call` is the outermost call through which they are reached.
    """

    source: Source
    start: int
    end: int
    call: Span | None = field(default=None, repr=False, compare=False)

    @property
    def line(self) -> int:
        return self.source.position(self.start)[0]

    @property
    def column(self) -> int:
        return self.source.position(self.start)[1]

    @property
    def call_line(self) -> int:
        """The line of the call through which this place is reached, or its own."""
        return (self.call or self).line

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.end]

    @property
    def words(self) -> str:
        """The text on one line, without comments, so that it can be put in one."""
        return " ".join(_COMMENT.sub(" ", self.text.replace("\\\n", " ")).split())

    def through(self, call: Span | None) -> Span:
        """Return these characters as a place in a function that is inlined for this call."""
        return self if call is None else replace(self, call=call)

    def to(self, other: Span) -> Span:
        """Return the span from the start of this one to the end of the other, if both are in one file."""
        if other.source is not self.source or other.end < self.start:
            return self
        return Span(self.source, self.start, max(self.end, other.end), self.call)

    def __str__(self) -> str:
        return f"{self.source.name}:{self.line}:{self.column}"
