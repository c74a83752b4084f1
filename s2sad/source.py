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
_PART = re.compile(r"\s*(?:\[([^][]*)\]|(?:\.|->)\s*(\w+))")
_BRACKETS = frozenset("()[]")
_TYPE = re.compile(r"(?!\b(?:else|do)\b)[\w*&>]+\s*$")  # before a name that is declared
# A variable, or an element or a field of one, that is assigned; or a bracket.
_ASSIGNMENT = re.compile(
    r"([A-Za-z_]\w*(?:\s*(?:\.|->)\s*\w+|\s*\[[^][]*\])*)\s*(?:[-+*/%&|^]|<<|>>)?=(?!=)|[()[\]]"
)


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
    def target(self) -> str:
        """The variable that the statement around this place, or around its call, assigns, as a word.

        `o8` of `o[8 * cells] = …`, `k_i` of `k[i] += …`; empty if the statement assigns none.
        """
        place = self.call or self
        text = place.source.text
        start = place.start
        while (start := max(text.rfind(c, 0, start) for c in ";{}")) > 0 and text[:start].rstrip().endswith(
            "="
        ):
            pass  # into an initialiser's braces
        start += 1
        end = min((k for c in ";{}" if (k := text.find(c, place.start)) >= 0), default=len(text))
        assigned = ""
        depth = 0
        statement = _COMMENT.sub(lambda c: " " * len(c[0]), text[start:end])
        for found in _ASSIGNMENT.finditer(statement):
            if found[0] in _BRACKETS:
                depth = depth + 1 if found[0] in "([" else max(depth - 1, 0)
            elif depth == 0 and found[1] and (not assigned or start + found.start() <= place.start):
                declared = _TYPE.search(statement, 0, found.start())
                assigned = _as_word(found[1].partition("[")[0] if declared else found[1])
        return assigned

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


def joined(stem: str, index: str) -> str:
    """Return a name with an index: `v0` for v[0], `v_k` for v[k]; empty without one."""
    if not index:
        return ""
    return f"{stem}{index}" if index.isdigit() and not stem[-1].isdigit() else f"{stem}_{index}"


def _as_word(variable: str) -> str:
    """The name of a variable with a short index: `o8` for o[8 * cells], `a_i` for a[i], `s` for s[i + 1]."""
    parts = _PART.findall(variable)
    words = [member or _index_word(index) for index, member in parts]
    word = _PART.sub("", variable).strip()
    for part in words if all(words) else [member for _, member in parts if member]:
        word = joined(word, part)
    return word


def _index_word(index: str) -> str:
    """An index as a word: a name or a number alone, or a row's number (`8 * cells + x`); or an empty one."""
    row = re.match(r"\s*(\w+)\s*$|\s*(\d+)\s*\*", index)
    return row[row.lastindex or 0] if row else ""
