"""A trace as tables for a terminal: one for each kernel, then the tape, then where the sums went."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import TYPE_CHECKING

from . import words
from .model import Line, Ran, Trace
from .words import Gap, Said

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table
    from rich.text import Text

_NARROW, _WIDE = 100, 150
_STYLES = {"primal": "", "forward": "", "reverse": "yellow", "helper": "dim"}


def text(
    trace: Trace, limit: int, *, helpers: bool = False, width: int | None = None, colours: bool = False
) -> str:
    """Return the trace as text, in colours for a terminal; `helpers`: with lines of the file's helpers."""
    from rich.console import Console

    file = io.StringIO()
    console = Console(
        file=file,
        width=max(_NARROW, min(width or 120, _WIDE)),
        force_terminal=colours,
        no_color=not colours,
        highlight=False,
        legacy_windows=False,
    )
    for part in _parts(trace, limit, helpers):
        console.print(part)
    return "".join(line.rstrip() + "\n" for line in file.getvalue().splitlines())


def _parts(trace: Trace, limit: int, helpers: bool) -> Iterator[RenderableType]:
    from rich.text import Text

    head = Text()
    head.append(f"{trace.kernel} and {trace.adjoint}", "bold")
    head.append(
        f": block {words.dim3(trace.block)} of {words.size(trace.grid)}, "
        f"thread {words.dim3(trace.thread)} of {words.size(trace.threads)}; {trace.file} on {trace.case}\n"
    )
    yield head
    for remark in words.remarks(trace):
        yield Text(f"note: {remark}", "yellow")
    for ran in trace.kernels:
        yield Text()
        yield Text(words.ran_title(ran), "bold")
        yield _table(trace, ran, limit, helpers)
        if ran.left:
            yield Text(f"  {ran.left}")
    if trace.taped:
        yield Text()
        yield Text("the tape", "bold")
        yield _tape(trace, limit)
    if trace.went:
        yield Text()
        yield Text("where it went", "bold")
        yield _went(trace, limit)


def _new(*columns: str) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1))
    for name in columns:
        table.add_column(name, overflow="fold", justify="right" if name in ("row", "line", "of") else "left")
    return table


def _table(trace: Trace, ran: Ran, limit: int, helpers: bool) -> Table:
    from rich.text import Text

    is_adjoint = ran.role != "primal"
    values = ["float", "double"] if trace.doubles else ["value"]
    table = _new("row", "line", *(["of"] if is_adjoint else []), "trip", "statement", *values)
    for column in table.columns:
        column.no_wrap = column.header in ("row", "line", "trip")
    lines = [line for line in ran.lines if helpers or line.sweep != "helper"]
    for line in words.shown(ran, lines, limit):
        if isinstance(line, Gap):
            cells = ["⋮", "", *([""] if is_adjoint else []), ""]
            table.add_row(*cells, Text(f"… {line.text}", "dim italic"))
            continue
        said = words.results(line)
        of = [words.origin(line, trace.file)] if is_adjoint else []
        outcome = words.outcome(line)
        narrow = "\n".join([*(_value(one) for one in said), *([outcome] if outcome else [])])
        wide = "\n".join(one.wide for one in said)
        cells = [str(line.number), str(line.line), *of, words.trips(line)]
        both = [narrow, wide] if trace.doubles else [narrow]
        table.add_row(*cells, _statement(line), *both, style=_STYLES[line.sweep])
    return table


def _value(one: Said) -> str:
    where = f" ({one.where})" if one.where else ""
    name = one.what.removesuffix(" =")
    if where and name != one.what:
        return f"{name}{where} = {one.narrow}"
    return f"{one.what}{where} {one.narrow}".strip()


def _statement(line: Line) -> Text:
    from rich.text import Text

    found = Text("  " * (line.depth - 1) + line.text)
    kinds = [words.KINDS[kind] for kind in line.kinds]
    if kinds or line.only:
        told = [*kinds, f"only in {line.only}"] if line.only else kinds
        found.append(f"   [{', '.join(told)}]", "bold")
    if said := words.reads(line):
        read = ", ".join(f"{one.what} {one.narrow or one.wide}" for one in said)
        found.append("\n" + "  " * line.depth + read, "dim")
    return found


def _tape(trace: Trace, limit: int) -> Table:
    columns = ["value", "float" if trace.doubles else "recorded", *(["double"] if trace.doubles else [])]
    table = _new(*columns, "recorded in row", "restored in row")
    kept = trace.taped if not limit else trace.taped[:limit]
    for one in kept:
        cells = [one.text, one.value.float, *([one.value.double] if trace.doubles else [])]
        restored = ", ".join(str(row) for _, row in one.restored) or "not restored by this thread"
        table.add_row(*cells, str(one.recorded[1]), restored if one.same else f"{restored}: another value")
    if len(kept) < len(trace.taped):
        table.add_row(f"… {len(trace.taped) - len(kept)} more values, left out by --limit")
    return table


def _went(trace: Trace, limit: int) -> Table:
    table = _new("adjoint", "in row", "this thread", "after the launch")
    kept = trace.went if not limit else trace.went[:limit]
    for one in kept:
        rows = ", ".join(map(str, one.lines[:8])) + (", …" if len(one.lines) > 8 else "")
        final = one.final + (", with other threads" if one.shared else "")
        table.add_row(one.text, rows, words.change(one), final)
    if len(kept) < len(trace.went):
        table.add_row(f"… {len(trace.went) - len(kept)} more elements, left out by --limit")
    return table
