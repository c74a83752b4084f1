"""The lines of an emitted file, each with the statements that it says.

The file is rendered from the same records as the emitted text, by a skin that puts a line before
and after what each record says. Taken out again, these lines leave the emitted text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher

from ..emit.file import file_view
from ..emit.records import View
from ..emit.render import spelled
from ..ir import Function, Stmt
from ..transform.unit import Adjoint

MARK = "\x02"


@dataclass(frozen=True, eq=False)
class Record:
    """What one record of the file says: a function or statements, inside of another record.

    `kind` is the record's: quote, banner, comment, assign, … or empty for a function.
    """

    says: tuple[Function | Stmt, ...]
    within: Record | None = None
    quote: Record | None = None  # whose adjoint it is a part of
    kind: str = ""


@dataclass(frozen=True)
class Line:
    """One line of the file; `record` is the innermost record that it belongs to."""

    number: int
    text: str
    record: Record | None = None


def lines(adjoint: Adjoint, text: str) -> tuple[Line, ...]:
    """Return the lines of an adjoint's emitted text."""
    found: list[View] = []
    shown = spelled(_marked(file_view(adjoint), found), "review")
    said: list[tuple[str, Record | None]] = []
    open_: list[Record] = []
    quotes: list[Record | None] = [None]
    for line in shown.removesuffix("\n").split("\n"):
        word = line.strip()
        if not word.startswith(MARK):
            said.append((line, open_[-1] if open_ else None))
        elif word == MARK:
            open_.pop()
            quotes.pop()
        else:
            view = found[int(word[len(MARK) :])]
            kind = str(view.get("kind", ""))
            if kind in ("quote", "banner"):
                quotes[-1] = None
            record = Record(_says(view), open_[-1] if open_ else None, quotes[-1], kind)
            if kind == "quote":
                quotes[-1] = record
            open_.append(record)
            quotes.append(None)
    return _aligned(said, text.removesuffix("\n").split("\n"))


def _marked(view: object, found: list[View]) -> View:
    """Return records that know their number; `found` is extended by them."""
    marked = _numbered(view, found)
    assert isinstance(marked, dict)
    return marked


def _numbered(view: object, found: list[View]) -> object:
    match view:
        case Mapping():
            new = {str(key): value if key == "ir" else _numbered(value, found) for key, value in view.items()}
            if "ir" in new or "kind" in new:
                new["mark"] = str(len(found))
                found.append(new)
            return new
        case list():
            return [_numbered(one, found) for one in view]
        case _:
            return view


def _says(view: View) -> tuple[Function | Stmt, ...]:
    says = view.get("ir", ())
    assert isinstance(says, tuple)
    return says


def _aligned(said: list[tuple[str, Record | None]], texts: list[str]) -> tuple[Line, ...]:
    """Return the lines of a text that may differ: that of a template is merged from its instances."""
    if [text for text, _ in said] == texts:
        return tuple(Line(i, text, record) for i, (text, record) in enumerate(said, 1))
    records: dict[int, Record | None] = {}
    for block in SequenceMatcher(None, [text for text, _ in said], texts, False).get_matching_blocks():
        records |= {block.b + k: said[block.a + k][1] for k in range(block.size)}
    return tuple(Line(i + 1, text, records.get(i)) for i, text in enumerate(texts))


def outwards(record: Record | None) -> Iterator[Record]:
    """Yield a record and those around it."""
    while record is not None:
        yield record
        record = record.within
