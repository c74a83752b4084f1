"""A trace as one HTML page that loads nothing: the kernel's run on the left, the adjoint's on the right."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..resources import folder, templates
from ..review.colour import Names, Run, coloured
from ..version import VERSION
from . import words
from .model import Line, Ran, Trace
from .words import Gap, Said

if TYPE_CHECKING:
    pass

_IDS = {"primal": "p", "forward": "f", "adjoint": "a"}


@dataclass(frozen=True)
class Row:
    """An executed line as shown: its results, the numbers that it read, and what it read besides.

    `of` are the primal's lines that it belongs to, each with a row; `inside` are rows of a helper that it
    calls.
    """

    id: str
    line: Line
    runs: Sequence[Run]
    results: Sequence[Said]
    numbers: Sequence[Said]
    rest: Sequence[Said]
    of: Sequence[tuple[str, str]]
    kinds: Sequence[tuple[str, str]]
    tape: Sequence[str] = ()  # the rows that restore what it records, or record what it restores
    outcome: str = ""
    inside: tuple[Row, ...] = ()
    more: int = 0  # rows of a helper that aren't shown


@dataclass(frozen=True)
class Section:
    """One kernel's rows, with gaps; `sweeps` says where the reverse sweep begins, by row."""

    id: str
    title: str
    name: str
    rows: Sequence[Row | Gap]
    left: str = ""
    reverse: str = ""  # the row at which the reverse sweep begins


@dataclass
class _Links:
    """Rows by what they do: the first of each line of the primal, and those of one value on the tape."""

    first: dict[tuple[str, int], str] = field(default_factory=dict)
    tape: dict[str, list[str]] = field(default_factory=dict)


def page(trace: Trace, limit: int) -> str:
    """Return the page on a trace, with at most `limit` rows for each kernel; 0 for all."""
    links = _links(trace)
    sections = [_section(trace, ran, limit, links) for ran in trace.kernels]
    rows = [row for section in sections for row in section.rows if isinstance(row, Row)]
    shown = {one.id for row in rows for one in (row, *row.inside)}
    view = {
        "trace": trace,
        "left": sections[:1],
        "right": sections[1:],
        "shown": shown,
        "remarks": words.remarks(trace),
        "block": words.dim3(trace.block),
        "thread": words.dim3(trace.thread),
        "grid": words.size(trace.grid),
        "threads": words.size(trace.threads),
        "taped": trace.taped[: limit or None],
        "went": trace.went[: limit or None],
        "ids": _IDS,
        "change": words.change,
        "version": VERSION,
        "style": _text("review", "style.css") + _text("trace", "style.css"),
        "script": _text("trace", "script.js"),
    }
    return templates("trace").get_template("page.html.j2").render(view)


def _links(trace: Trace) -> _Links:
    links = _Links()
    for line in trace.kernels[0].lines:
        links.first.setdefault((line.file, line.line), f"p{line.number}")
    for one in trace.taped:
        recorded = _IDS[one.recorded[0]] + str(one.recorded[1])
        restored = [_IDS[role] + str(number) for role, number in one.restored]
        links.tape.setdefault(recorded, []).extend(restored)
        for row in restored:
            links.tape.setdefault(row, []).append(recorded)
    return links


def _section(trace: Trace, ran: Ran, limit: int, links: _Links) -> Section:
    names = Names(frozenset(trace.adjoints), frozenset(trace.tapes))
    own = [line for line in ran.lines if line.sweep != "helper"]
    inside = _inside(ran.lines)
    prefix = _IDS[ran.role]
    rows: list[Row | Gap] = []
    reverse = ""
    for line in words.shown(ran, own, limit):
        if isinstance(line, Gap):
            rows.append(line)
            continue
        within = inside.get(line.number, [])
        few = within[: limit or None]
        rows.append(_row(line, prefix, names, links, few, len(within) - len(few), trace))
        if line.sweep == "reverse" and not reverse and ran.role == "adjoint":
            reverse = f"{prefix}{line.number}"
    return Section(prefix, words.ROLES[ran.role], ran.name, rows, ran.left, reverse)


def _inside(lines: Sequence[Line]) -> Mapping[int, list[Line]]:
    """Return the lines of helpers by the line that called them."""
    found: dict[int, list[Line]] = {}
    caller = 0
    for line in lines:
        if line.sweep != "helper":
            caller = line.number
        else:
            found.setdefault(caller, []).append(line)
    return found


def _row(
    line: Line,
    prefix: str,
    names: Names,
    links: _Links,
    within: Sequence[Line],
    more: int,
    trace: Trace,
) -> Row:
    id = f"{prefix}{line.number}"
    said = words.reads(line)
    numbers = [one for one in said if one.wide]
    return Row(
        id,
        line,
        coloured(line.text, names)[0],
        words.results(line),
        numbers,
        [one for one in said if one not in numbers],
        list(_of(line, links, trace)),
        [(kind, words.KINDS[kind]) for kind in line.kinds],
        links.tape.get(id, ()),
        words.outcome(line),
        tuple(_row(one, prefix, names, links, (), 0, trace) for one in within),
        more,
    )


def _of(line: Line, links: _Links, trace: Trace) -> Iterator[tuple[str, str]]:
    """Yield each of the primal's lines, as text, with the row of its first execution."""
    for file, number in line.of:
        text = str(number) if file == trace.file else f"{file}:{number}"
        yield text, links.first.get((file, number), "")


def _text(part: str, name: str) -> str:
    return (folder("templates") / part / name).read_text(encoding="utf-8")
