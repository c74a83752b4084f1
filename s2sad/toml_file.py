"""The values of a TOML file, and the places of its keys.

`tomllib` returns values without places. A second scan of the text, line by line,
finds the keys. It only needs to support headers, dotted keys and
inline tables on one line, because a key that it doesn't find gets the place of the
nearest key above it in the hierarchy.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from .diagnostics import Code, Rejected, diagnose
from .source import Source, Span

_PART = r"""(?:[\w-]+|"[^"]*"|'[^']*')"""
_PATH = rf"{_PART}(?:\s*\.\s*{_PART})*"
_HEADER = re.compile(rf"^\s*\[\[?\s*({_PATH})\s*\]\]?\s*(?:#.*)?$")
_KEY = re.compile(rf"^\s*({_PATH})\s*=")
_INLINE = re.compile(rf"[{{,]\s*({_PATH})\s*=")
_POSITION = re.compile(r"\s*\(at (?:line (\d+), column (\d+)|end of document)\)$")

Path_ = tuple[str, ...]


@dataclass(frozen=True)
class Document:
    """The values of a TOML file and the spans of its keys."""

    source: Source
    values: Mapping[str, object]
    spans: Mapping[Path_, Span]

    @staticmethod
    def read(path: str | Path) -> Document:
        """Read the document in that file. Raises Rejected: `unreadable`, `case-syntax`."""
        try:
            text = Path(path).read_bytes().decode("utf-8")
        except OSError as error:
            reason = error.strerror or "it cannot be read"
            raise Rejected(diagnose(Code.UNREADABLE, None, file=str(path), reason=reason)) from None
        except UnicodeDecodeError:
            raise Rejected(
                diagnose(Code.UNREADABLE, None, file=str(path), reason="it isn't UTF-8 text")
            ) from None
        return Document.of(Source(str(path), text.replace("\r\n", "\n")))

    @staticmethod
    def of(source: Source) -> Document:
        """Parse a document. Raises Rejected: `case-syntax`."""
        try:
            values = tomllib.loads(source.text)
        except tomllib.TOMLDecodeError as error:
            message, span = _place(source, str(error))
            raise Rejected(diagnose(Code.CASE_SYNTAX, span, message=message)) from None
        except RecursionError:
            raise Rejected(
                diagnose(Code.CASE_SYNTAX, Span(source, 0, 0), message="nested too deeply")
            ) from None
        return Document(source, values, _spans(source))

    def with_tables(
        self, table: Mapping[str, object], keys: Sequence[str], without: Sequence[str]
    ) -> Document:
        """Replace entries of some tables by those of `table`, and drop the keys `without`."""
        values = {key: value for key, value in self.values.items() if key not in without}
        spans = dict(self.spans)
        for key in keys:
            own, more = values.get(key), table.get(key)
            if more is None:
                continue
            both = isinstance(own, dict) and isinstance(more, dict)
            values[key] = {**own, **more} if isinstance(own, dict) and isinstance(more, dict) else more
            for path, span in self.spans.items():
                if path[1:2] == (key,) and path[0] in without and (len(path) > 2 or not both):
                    spans[path[1:]] = span
        return Document(self.source, values, spans)

    def span(self, *path: str) -> Span:
        """Return the place of a key, or of the nearest one above it."""
        for length in range(len(path), 0, -1):
            if path[:length] in self.spans:
                return self.spans[path[:length]]
        return Span(self.source, 0, 0)

    def inside(self, text: str, start: int, end: int, *path: str) -> Span:
        """Return the place of the characters `start` to `end` of a key's string value; else of the key."""
        key = self.span(*path)
        line_end = self.source.text.find("\n", key.end)
        at = self.source.text.find(text, key.end, line_end if line_end >= 0 else None) if text else -1
        return key if at < 0 else Span(self.source, at + start, at + max(end, start + 1))


def _place(source: Source, error: str) -> tuple[str, Span]:
    """Return the parser's message without its position, and the position as a span."""
    match = _POSITION.search(error)
    if not match:
        return error, Span(source, 0, 0)
    message = error[: match.start()]
    if match.group(1) is None:
        return message, Span(source, len(source.text), len(source.text))
    lines = source.text.split("\n")
    offset = sum(len(line) + 1 for line in lines[: int(match.group(1)) - 1]) + int(match.group(2)) - 1
    return message[:1].lower() + message[1:], Span(source, offset, offset + 1)


def _spans(source: Source) -> dict[Path_, Span]:
    spans: dict[Path_, Span] = {}
    table: Path_ = ()
    numbered: Path_ = ()  # the same, with the number of each element of an array of tables
    counts: dict[Path_, int] = {}
    start = 0
    for line in source.text.split("\n"):
        if header := _HEADER.match(line):
            table = _parts(header.group(1))
            numbered = _numbered(table, counts, element=line.lstrip().startswith("[["))
            for path in (table, numbered):
                spans.setdefault(path, Span(source, start + header.start(1), start + header.end(1)))
        elif key := _KEY.match(line):
            for within in (table, numbered):
                path = within + _parts(key.group(1))
                for length in range(len(within) + 1, len(path) + 1):
                    spans.setdefault(path[:length], Span(source, start + key.start(1), start + key.end(1)))
                if line[key.end() :].lstrip().startswith("{"):
                    for inner in _INLINE.finditer(line, key.end()):
                        spans.setdefault(
                            path + _parts(inner.group(1)),
                            Span(source, start + inner.start(1), start + inner.end(1)),
                        )
        start += len(line) + 1
    return spans


def _numbered(table: Path_, counts: dict[Path_, int], element: bool) -> Path_:
    """Return a table's path with numbers: the second `[[step]]` is step 1. `element` begins a new one."""
    path: Path_ = ()
    for depth, part in enumerate(table):
        path = (*path, part)
        if element and depth == len(table) - 1:
            counts[path] = counts.get(path, -1) + 1
        if path in counts:
            path = (*path, str(counts[path]))
    return path


def _parts(path: str) -> Path_:
    return tuple(part.strip("\"'") for part in re.findall(_PART, path))
