"""The review page as one HTML text: values for the templates, from the adjoint and what is known of it."""

from __future__ import annotations

from collections import Counter as Bag
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

from ..emit.tape import memory
from ..files import STDIN, TEXT
from ..ir import Function, Stmt, Sym
from ..parse.depth import deep
from ..pipeline import Transformed
from ..signature import ROLES, Signature, told
from ..transform.common.symbol_uses import symbols
from ..transform.report.fact_tables import LEMMAS, OWNERSHIP
from ..transform.unit import Adjoint, FactTable
from ..version import VERSION
from .changes import Changes
from .checked import Checked, Marks
from .colour import Names, Run, coloured
from .controls import Live
from .emitted_lines import Line, lines, outwards
from .notes import Note, Notes, grouped
from .partners import At, Partners, Places, home
from .primal_files import File, files
from .templates import template, text_of


def refusal(name: str, said: str, live: Live) -> str:
    """Return the page of a kernel that is refused: the messages with their carets, and the options."""
    view = {
        "name": name,
        "said": said,
        "live": live,
        "version": VERSION,
        "style": text_of("style.css"),
        "live_script": text_of("live.js"),
    }
    return template("refusal.html.j2").render(view)


@dataclass(frozen=True)
class Row:
    """One line of a pane. `partners` are the ids of its lines on the other side, by role."""

    id: str
    number: int
    indent: int
    runs: Sequence[Run]
    partners: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()
    marks: Marks = field(default_factory=Marks)
    kind: str = ""  # of an emitted line: header, helper, banner, quote
    changed: bool = False

    @property
    def loud(self) -> tuple[Note, ...]:
        return tuple(note for note in self.notes if not note.quiet)

    @property
    def badge(self) -> str:
        words = list(dict.fromkeys(note.word for note in self.notes))
        return words[0] + (f" +{len(words) - 1}" if len(words) > 1 else "")


@dataclass(frozen=True)
class Folded:
    """Lines behind a summary; `is_open` if something on them should be seen."""

    rows: tuple[Row, ...]
    what: str
    is_open: bool = False


@dataclass(frozen=True)
class Pane:
    """A file on one side of the page."""

    title: str
    parts: tuple[Row | Folded, ...]


def page(
    done: Transformed,
    checked: Checked | None = None,
    changes: Changes | None = None,
    live: Live | None = None,
) -> str:
    """Return the page on an adjoint, its check on a case, and its changes since an old file.

    A page that is served is `live`: it has options, and is drawn anew when a file is saved.
    """
    return deep(lambda: _page(done, checked, changes, live))


def _page(done: Transformed, checked: Checked | None, changes: Changes | None, live: Live | None) -> str:
    adjoint = done.adjoint
    emitted = lines(adjoint, done.text)
    functions = printed_functions(emitted)
    partners = Partners(functions, emitted)
    of = {line.number: partners.of(line) for line in emitted}
    notes = Notes(adjoint.plan, [f for f in functions if f.is_kernel], adjoint.prefix)
    shown = files(done.program, [at for places in of.values() for at in places])
    ids = _ids(shown)
    names = names_in(adjoint.prefix, functions)
    marks = checked or Checked()
    right = _emitted(done, emitted, of, ids, notes, names, marks, changes)
    left = [_primal(file, ids, of, notes, names, marks, n == 0) for n, file in enumerate(shown)]
    primal = adjoint.origin or done.program.kernel
    own = shown[0].source.name if shown else ""
    view = {
        "name": adjoint.kernel.name,
        "primal": primal.name,
        "derivative": adjoint.derivative,
        "place": f"{Path(primal.span.source.name).name}:{primal.span.line}" if primal.span else "",
        "command": adjoint.command,
        "source": Path(done.source.name).name,
        "stdin": done.source.name in (STDIN, TEXT),
        "version": VERSION,
        "left": left,
        "right": right,
        "kernel_id": ids.get(_kernel_at(done), "code"),
        "ids": {(Path(at.file).name, at.line): id for at, id in ids.items()},
        "own_ids": {at.line: id for at, id in ids.items() if at.file == own},
        "values_of": notes.values,
        "sums_of": notes.sums,
        "taped": grouped([n for n in notes.values if n.word in _STORED]),
        "atomic": grouped([n for n in notes.sums if n.kind in _ATOMIC]),
        "plain": {(n.what, n.word): n for n in notes.sums if n.kind not in _ATOMIC}.values(),
        "counts": _counts(notes.values),
        "places": _places(right),
        "assumptions": list(dict.fromkeys(adjoint.plan.assumptions)),
        "kinks": list(dict.fromkeys(adjoint.plan.kinks)),
        "memory": memory(adjoint),
        "proofs": _table(adjoint, OWNERSHIP),
        "lemmas": _table(adjoint, LEMMAS),
        "kernels": [_signature(s, adjoint.contract.arguments) for s in _signatures(done)],
        "launch": adjoint.contract.launch,
        "contract": adjoint.contract.notes,
        "checked": checked,
        "changes": changes,
        "live": live,
        "live_script": text_of("live.js"),
        "style": text_of("style.css"),
        "script": text_of("script.js"),
    }
    return template("page.html.j2").render(view)


def _table(adjoint: Adjoint, title: str) -> FactTable | None:
    found = next((t for t in adjoint.facts if t.title == title), None)
    return found if found is not None and found.rows else None


_ATOMIC = ("sum-atomic", "sum-exchange", "sum-rims", "sum-columns", "sum-reduce", "sum-warp")
"""The ways of adding up that end in an atomicAdd somewhere."""

_STORED = ("taped", "checkpoint")


def _kernel_at(done: Transformed) -> At:
    span = done.program.kernel.span
    return At("", 0) if span is None else At(home(span.source).name, span.line)


def _counts(values: Sequence[Note]) -> str:
    """Count the values that aren't recorded, by how they are recovered."""
    words = Bag(note.word for note in values if note.word not in _STORED)
    return ", ".join(f"{n} {word}" for word, n in words.items())


def printed_functions(emitted: Iterable[Line]) -> list[Function]:
    """Return the functions of the file as they are printed."""
    found: dict[Function, None] = {}
    for line in emitted:
        for said in outwards(line.record):
            found |= {one: None for one in said.says if isinstance(one, Function)}
    return list(found)


def emitted_text(done: Transformed) -> tuple[list[list[Run]], list[Places]]:
    """Return the lines of the emitted text: the runs of each, and the primal's lines that it belongs to."""

    def found() -> tuple[list[list[Run]], list[Places]]:
        emitted = lines(done.adjoint, done.text)
        functions = printed_functions(emitted)
        partners = Partners(functions, emitted)
        runs = coloured(done.text, names_in(done.adjoint.prefix, functions))
        return runs, [partners.of(line) for line in emitted]

    return deep(found)


def names_in(prefix: str, functions: Iterable[Function]) -> Names:
    """Return the names of adjoints and tapes in functions."""
    every = {sym for function in functions for sym in (*function.syms, *symbols(function.body))}
    tapes = {sym.name for sym in every if sym.storage == "tape"} | {"tape"}
    return Names(frozenset(_adjoint_names(prefix, every)), frozenset(tapes))


def _adjoint_names(prefix: str, syms: Iterable[Sym]) -> Iterator[str]:
    for sym in syms:
        if sym.of is not None or sym.name.startswith(prefix):
            yield sym.variable


def _ids(shown: Sequence[File]) -> dict[At, str]:
    """Name the lines of the primal's files: `p15`, and `q2-7` in a header."""
    found: dict[At, str] = {}
    for number, file in enumerate(shown):
        for first, last, _ in file.ranges:
            for line in range(first, last + 1):
                found[At(file.source.name, line)] = f"q{number}-{line}" if number else f"p{line}"
    return found


def _emitted(
    done: Transformed,
    emitted: Sequence[Line],
    of: Mapping[int, Places],
    ids: Mapping[At, str],
    notes: Notes,
    names: Names,
    checked: Checked,
    changes: Changes | None,
) -> Pane:
    own = done.program.kernel.span.source.name if done.program.kernel.span is not None else ""
    text = coloured(done.text, names)
    rows: list[Row] = []
    noted: set[tuple[Stmt, ...]] = set()
    for line in emitted:
        found: tuple[Note, ...] = ()
        says = tuple(s for s in line.record.says if not isinstance(s, Function)) if line.record else ()
        if says and says not in noted:
            noted.add(says)
            near = [at.line for at in of[line.number] if at.file == own or len(of[line.number]) == 1]
            found = tuple(dict.fromkeys(note for s in says for note in notes.on(s, near)))
        partners = {ids[at]: role for at, role in of[line.number].items() if at in ids}
        changed = changes is not None and line.number in changes.new
        marks = checked.adjoint(line.number)
        before = "header" if not rows or rows[-1].kind == "header" else ""
        kind = "quote" if line.record is not None and line.record.kind == "quote" else ""
        if line.record is None:
            kind = before if before and line.text.startswith("//") else "helper"
        runs = text[line.number - 1]
        about = (line.number, _indent(runs), _unindented(runs), partners, found, marks, kind, changed)
        rows.append(Row(f"a{line.number}", *about))
    stem = Path(done.source.name).stem
    title = f"{done.adjoint.kernel.name}.cu" if stem.startswith("<") else f"{stem}_adj.cu"
    return Pane(title, _folded(rows))


def _primal(
    file: File,
    ids: Mapping[At, str],
    of: Mapping[int, Places],
    notes: Notes,
    names: Names,
    checked: Checked,
    is_own: bool,
) -> Pane:
    """Return the pane of one of the author's files."""
    back: dict[At, dict[str, str]] = {}
    for number, places in of.items():
        for at, role in places.items():
            back.setdefault(at, {})[f"a{number}"] = role
    texts = file.source.text.removesuffix("\n").split("\n")
    text = coloured("\n".join(texts), Names())
    parts: list[Row | Folded] = []
    for first, last, is_shown in file.ranges:
        rows = []
        for line in range(first, last + 1):
            at = At(file.source.name, line)
            found = tuple(notes.at(line)) if is_own else ()
            marks = checked.primal(file.source.name, line)
            runs = text[line - 1]
            rows.append(Row(ids[at], line, _indent(runs), _unindented(runs), back.get(at, {}), found, marks))
        parts += rows if is_shown else [Folded(tuple(rows), "not part of the kernel")]
    return Pane(Path(file.source.name).name, tuple(parts))


def _indent(runs: Sequence[Run]) -> int:
    text = runs[0][1] if runs else ""
    return len(text) - len(text.lstrip(" "))


def _unindented(runs: Sequence[Run]) -> list[Run]:
    found = [(runs[0][0], runs[0][1].lstrip(" ")), *runs[1:]] if runs else []
    return [(kind, text) for kind, text in found if text]


_FOLDED = {"header": "the header: what this page says", "helper": "what the file needs beside the kernel"}
_FEW = 4  # lines that aren't worth folding


def _folded(rows: Sequence[Row]) -> tuple[Row | Folded, ...]:
    """Fold the header and the helper functions, unless something on them changed or never ran."""
    parts: list[Row | Folded] = []
    for kind, group in groupby(rows, key=lambda row: row.kind):
        found = list(group)
        if kind not in _FOLDED or len(found) < _FEW:
            parts += found
        else:
            is_open = any(row.changed or row.marks.silent or row.marks.sides for row in found)
            parts.append(Folded(tuple(found), _FOLDED[kind], is_open))
    return tuple(parts)


def _places(right: Pane) -> dict[str, list[str]]:
    """Map each row of the plan to the ids of the emitted lines that carry it out."""
    found: dict[str, list[str]] = {}
    for part in right.parts:
        for row in part.rows if isinstance(part, Folded) else (part,):
            for note in row.notes:
                found.setdefault(note.name, []).append(row.id)
    return found


def _signatures(done: Transformed) -> list[Signature]:
    adjoint = done.adjoint
    every = (adjoint.measure_signature, adjoint.forward_signature, adjoint.signature)
    return [s for s in every if s is not None]


def _signature(kernel: Signature, contract: Sequence[tuple[str, str, str]]) -> dict[str, object]:
    """Return a kernel's calling convention: how it is launched, and a row for each parameter."""
    said = {name.strip(): (role, text) for names, role, text in contract for name in names.split(",")}
    rows = []
    for argument in told(kernel.arguments):
        role, text = said.get(argument.name, ("", ""))
        if argument.use == "accumulates":  # the header has one row for several of these
            text = f"dJ/d{argument.of} is added"
        rows.append(
            {
                "name": argument.name,
                "type": argument.c_type,
                "role": ROLES[argument.use],
                "use": argument.use,
                "flow": role,
                "content": text,
                "size": kernel.size(argument),
            }
        )
    scalars = ", ".join(a.name for a in kernel.scalars())
    sizes = ", ".join(filter(None, ("grid, block", scalars)))
    bytes_ = ", ".join(filter(None, ("grid, block, shared_bytes", scalars)))
    shared = f", {kernel.name}_shared_bytes({bytes_})" if kernel.shared else ""
    names = ", ".join(a.name for a in kernel.arguments)
    return {
        "name": kernel.name,
        "call": f"{kernel.name}<<<grid, block{shared}>>>({names});",
        "tape": f"{kernel.name}_tape_bytes({sizes})" if kernel.tape else "",
        "rows": rows,
    }
