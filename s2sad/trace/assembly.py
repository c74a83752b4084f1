"""Make a trace of recorded runs.

Lines of the adjoint know the lines of the primal that they belong to, by the statements of the IR.
"""

from __future__ import annotations

import re
from collections import Counter as Bag
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from itertools import pairwise
from pathlib import Path

from ..fields import layout_of
from ..ir import Function, Struct, statements
from ..pipeline import Transformed
from ..review.emitted_lines import Line as Emitted
from ..review.emitted_lines import lines
from ..review.page import names_in, printed_functions
from ..review.partners import Partners, Places, home
from ..run.float_widening import Real
from ..run.recording import Program, Recording, Value
from ..signature import Layout
from ..transform.common.symbol_uses import symbols
from ..validate.elements import Array
from ..validate.recorded import At, Kernel, Run
from .model import Kind, Line, Pair, Ran, Role, Shown, Sweep, Taped, Trace, Went
from .rows import Row, Seen, before_gap, rows
from .values import Element, shown
from .values import number as spelled_number

_ADDS = ("+=", "-=", "atomicAdd", "atomicSub")
_ALIGNED = 1 << 18  # the most pairs of rows to compare
_WORD = re.compile(r"[A-Za-z_]\w*")


def assembled(done: Transformed, runs: Sequence[Run], at: At, case: str, notes: Sequence[str]) -> Trace:
    """Make the trace of recorded runs: one, or one in float and one in double."""
    emitted = lines(done.adjoint, done.text)
    functions = printed_functions(emitted)
    partners = Partners(functions, emitted)
    names = names_in(done.adjoint.prefix, functions)
    told = _Told(
        {line.number: partners.of(line) for line in emitted},
        _helpers(emitted),
        names.adjoints,
        names.tapes,
        _layouts((*functions, *done.program.functions.values(), done.program.kernel)),
        {**_texts(done), f"{Path(done.source.name).stem}_adj.cu": done.text.split("\n")},
    )
    kernels = runs[0].kernels
    roles: Sequence[Role] = ("primal", "adjoint") if len(kernels) == 2 else ("primal", "forward", "adjoint")
    wide: Sequence[Kernel | None] = runs[1].kernels if len(runs) > 1 else (None,) * len(kernels)
    ran = [told.ran(*one) for one in zip(roles, kernels, wide, strict=True)]
    return Trace(
        kernel=kernels[0].name,
        adjoint=kernels[-1].name,
        file=Path(done.source.name).name,
        case=case,
        block=at[0],
        thread=at[1],
        grid=kernels[0].launch.grid,
        threads=kernels[0].launch.block,
        kernels=tuple(ran),
        taped=tuple(_taped(ran[1:], names.tapes)),
        went=tuple(_went(ran[-1], kernels[-1], names.adjoints)),
        notes=tuple(notes),
        doubles=len(runs) > 1,
        adjoints=tuple(sorted(names.adjoints)),
        tapes=tuple(sorted(names.tapes)),
    )


def _helpers(emitted: Iterable[Emitted]) -> frozenset[int]:
    return frozenset(line.number for line in emitted if line.record is None)


def _layouts(functions: Iterable[Function]) -> dict[str, Layout]:
    """Return the layouts of the structs among the variables' types, by name."""
    found: dict[str, Layout] = {}
    for function in functions:
        for sym in (*function.syms, *symbols(function.body)):
            kind = sym.within.type if sym.within is not None else sym.type
            kind = getattr(kind, "target", kind)
            if isinstance(kind, Struct) and kind.fields and kind.name not in found:
                found[kind.name] = layout_of(kind)
    return found


def _texts(done: Transformed) -> dict[str, Sequence[str]]:
    """Return the lines of the author's files, by the files' names."""
    found: dict[str, Sequence[str]] = {}
    for function in (done.program.kernel, *done.program.functions.values()):
        spans = (function.span, *(getattr(stmt, "span", None) for stmt in statements(function.body)))
        for source in {home(span.source) for span in spans if span is not None}:
            found[Path(source.name).name] = source.text.split("\n")
    return found


def _begins(text: str) -> str:
    """Return the first word of a statement, or the sign that it begins with."""
    match = _WORD.match(text)
    return match[0] if match else text[:1]


def _without_comments(text: str) -> str:
    """Return a statement on one line, without comments and the brackets around it."""
    text = " ".join(re.sub(r"/\*.*?\*/|//.*", " ", text).split())
    return text.removeprefix("} ").removesuffix("{").removesuffix(";").strip()


class _Told:
    """What is known of the emitted text, to make lines of a recording's rows."""

    def __init__(
        self,
        of: Mapping[int, Places],
        helpers: frozenset[int],
        adjoints: Container[str],
        tapes: Container[str],
        layouts: Mapping[str, Layout],
        texts: Mapping[str, Sequence[str]],
    ) -> None:
        self.of, self.helpers, self.adjoints, self.tapes, self.layouts = of, helpers, adjoints, tapes, layouts
        self.texts = texts

    def spelled(self, program: Program) -> dict[int, str]:
        """Return the statements as in their files, with macros, where a line has only one of them.

        One that begins otherwise there has a macro in front, and is shown as it is compiled.
        """
        starts = Bag((s.file, s.line) for s in program.statements if not s.side)
        found = {}
        for s in program.statements:
            lines = self.texts.get(Path(s.file).name, ())
            if not s.side and starts[s.file, s.line] == 1 and s.end <= len(lines):
                text = _without_comments(" ".join(lines[s.line - 1 : s.end]))
                if _begins(text) == _begins(s.text):
                    found[s.number] = text
        return found

    def ran(self, role: Role, kernel: Kernel, wide: Kernel | None) -> Ran:
        """Return a kernel's run; `wide` is the same with doubles."""
        narrow, self.words = rows(kernel.recording), self.spelled(kernel.recording.program)
        pairs: list[tuple[Row | None, Row | None]] = [(row, None) for row in narrow]
        if wide is not None:
            pairs = list(_paired(narrow, rows(wide.recording)))
        found = []
        for number, (row, other) in enumerate(pairs, 1):
            assert row is not None or other is not None
            found.append(self._line(number, role == "primal", row, other, kernel, wide))
        found = _handing(found, self.adjoints)
        apart = next((f"line {line.line}" for line in found if line.only), "")
        last = next((row for row in reversed(narrow) if row.depth == 1), None)
        left = ""
        if last is not None and last.statement.text.startswith("return"):
            why = _deciding(narrow, last)
            left = f"the thread returns in line {last.statement.line}" + (f", as {why}" if why else "")
        return Ran(
            kernel.name,
            role,
            tuple(found),
            left,
            apart,
            kernel.recording.missed,
            before_gap(kernel.recording),
            kernel.recording.program.coarse,
            tuple(dict.fromkeys((*kernel.differs, *(wide.differs if wide else ())))),
        )

    def _line(
        self,
        number: int,
        is_primal: bool,
        row: Row | None,
        wide: Row | None,
        kernel: Kernel,
        other: Kernel | None,
    ) -> Line:
        one = row or wide
        assert one is not None
        statement = one.statement
        places: Places = {} if is_primal else self.of.get(statement.line, {})
        sweep: Sweep = "primal"
        if not is_primal:
            is_helper = statement.line in self.helpers
            sweep = "helper" if is_helper else "reverse" if "reverse" in places.values() else "forward"
        show = _Show(kernel.recording, other.recording if other else None, self.layouts)
        reads = tuple(_shown(row, wide, "reads", show))
        writes = tuple(_shown(row, wide, "writes", show))
        returned = show.pair(row.returned if row else None, wide.returned if wide else None)
        return Line(
            number=number,
            file=Path(statement.file).name,
            line=statement.line,
            text=self.words.get(statement.number, statement.text),
            function=one.function,
            depth=one.depth,
            trips=one.trips,
            outcome=Pair(row.outcome if row else "", wide.outcome if wide else ""),
            reads=reads,
            writes=writes,
            returned=returned if returned.float or returned.double else None,
            sweep=sweep,
            kinds=() if is_primal or sweep == "helper" else tuple(self._kinds(reads, writes)),
            of=tuple(dict.fromkeys((Path(at.file).name, at.line) for at in places)),
            only="" if other is None or (row and wide) else "float" if row else "double",
            is_real=one.returned is not None and one.returned.form != "integer",
        )

    def _kinds(self, reads: Sequence[Shown], writes: Sequence[Shown]) -> Iterator[Kind]:
        if any(_base(one) in self.tapes and one.is_number for one in writes):
            yield "record"
        if any(_base(one) in self.tapes and one.is_number for one in reads):
            yield "restore"
        own = [one for one in writes if _base(one) in self.adjoints]
        if any(one.op in _ADDS for one in own):
            yield "add"
        if any(one.op == "=" and one.before.float and one.value.float == "0" for one in own):
            yield "clear"


def _handing(found: Sequence[Line], adjoints: Container[str]) -> list[Line]:
    """Mark the lines that hand an element of an adjoint array to a helper, which adds to it."""
    calls = {line.number for _, line in _calls(found) if any(True for _ in _handed(line, adjoints))}
    return [replace(line, kinds=(*line.kinds, "add")) if line.number in calls else line for line in found]


class _Show:
    """Values as text, in both runs."""

    def __init__(self, narrow: Recording, wide: Recording | None, layouts: Mapping[str, Layout]) -> None:
        self.narrow, self.wide, self.layouts = narrow, wide, layouts

    def pair(self, narrow: Value | None, wide: Value | None) -> Pair:
        return Pair(self._text(narrow, self.narrow, "float"), self._text(wide, self.wide, "double"))

    def _text(self, value: Value | None, recording: Recording | None, real: Real) -> str:
        if value is None or recording is None:
            return ""
        return shown(value, recording.arrays, self.layouts, real)


def _shown(row: Row | None, wide: Row | None, which: str, show: _Show) -> Iterator[Shown]:
    narrow: list[Seen] = getattr(row, which) if row else []
    other: list[Seen] = getattr(wide, which) if wide else []
    same = [one.text for one in other] == [one.text for one in narrow]
    beside = {} if same or not narrow else {one.text: one for one in other}
    for number, one in enumerate(narrow or other):
        second = beside.get(one.text) if beside else other[number] if number < len(other) else None
        first = one if narrow else None
        at = one.element
        yield Shown(
            text=one.text,
            op=one.op,
            value=show.pair(first.value if first else None, second.value if second else None),
            before=show.pair(first.before if first else None, second.before if second else None),
            added=show.pair(first.added if first else None, second.added if second else None),
            element="" if at is None or str(at) == one.text or not _names_element(one) else str(at),
            name=one.name,
            at=at,
            is_number=one.value is not None and one.value.form != "pointer",
            is_real=one.value is not None and one.value.form == "real",
        )


def _names_element(one: Seen) -> bool:
    """Whether the value is worth its element's name: it is in an array, but not a parameter itself."""
    return one.value is None or one.value.form != "pointer"


def _paired(narrow: Sequence[Row], wide: Sequence[Row]) -> Iterator[tuple[Row | None, Row | None]]:
    """Put the rows of two runs beside each other; where they took different ways, a row is alone."""
    keys, others = [row.key for row in narrow], [row.key for row in wide]
    least = min(len(keys), len(others))
    first = next((k for k in range(least) if keys[k] != others[k]), least)
    last = next((k for k in range(least - first) if keys[-1 - k] != others[-1 - k]), least - first)
    yield from zip(narrow[:first], wide[:first], strict=True)
    ends = len(keys) - last, len(others) - last
    yield from _aligned(narrow[first : ends[0]], wide[first : ends[1]])
    yield from zip(narrow[ends[0] :], wide[ends[1] :], strict=True)


def _aligned(narrow: Sequence[Row], wide: Sequence[Row]) -> Iterator[tuple[Row | None, Row | None]]:
    """Put rows beside each other that are the same in both runs, unless that takes too long."""
    keys, others = [row.key for row in narrow], [row.key for row in wide]
    codes: Sequence[tuple[str, int, int, int, int]] = [("", 0, len(keys), 0, len(others))]
    if len(keys) * len(others) <= _ALIGNED:
        codes = SequenceMatcher(None, keys, others, autojunk=False).get_opcodes()
    for _, i, j, k, m in codes:
        if keys[i:j] == others[k:m]:
            yield from zip(narrow[i:j], wide[k:m], strict=True)
        else:
            yield from ((row, None) for row in narrow[i:j])
            yield from ((None, row) for row in wide[k:m])


def _deciding(every: Sequence[Row], last: Row) -> str:
    """Return the condition that led to a return: the test before it in the same call."""
    before = [row for row in every[: every.index(last)] if row.depth == last.depth]
    if not before or before[-1].decides is None or not before[-1].statement.text.startswith("if"):
        return ""
    test = before[-1]
    condition = test.statement.text.removeprefix("if").strip()
    values = ", ".join(
        f"{one.text} = {shown(one.value, (), {}, 'float')}" for one in test.reads if one.value is not None
    )
    return f"{condition} is {test.outcome}" + (f" ({values})" if values else "")


def _base(one: Shown) -> str:
    """Return the variable that a value is in."""
    if one.name:
        return one.name
    match = _WORD.search(one.text)
    return match[0] if match else ""


# ---- the tape, and where sums went -----------------------------------------------------------------------


def _taped(ran: Sequence[Ran], tapes: Container[str]) -> Iterator[Taped]:
    """Yield the values that were recorded, with the lines that restore them."""
    found: dict[str, tuple[Shown, tuple[str, int], list[tuple[str, int]], list[Pair]]] = {}
    for kernel in ran:
        for line in kernel.lines:
            if line.sweep == "helper":
                continue
            for one in line.reads:
                if _base(one) in tapes and one.is_number and (known := found.get(_key(one))):
                    known[2].append((kernel.role, line.number))
                    known[3].append(one.value)
            for one in line.writes:
                if _base(one) in tapes and one.is_number and one.op != "&":
                    if known := found.get(_key(one)):
                        yield _of(known)
                    found[_key(one)] = one, (kernel.role, line.number), [], []
    for known in found.values():
        yield _of(known)


def _key(one: Shown) -> str:
    return str(one.at) if one.at is not None else one.text


def _of(known: tuple[Shown, tuple[str, int], list[tuple[str, int]], list[Pair]]) -> Taped:
    one, recorded, restored, values = known
    same = all(value.float == one.value.float for value in values)
    return Taped(one.text, one.value, recorded, tuple(restored), same)


def _went(ran: Ran, kernel: Kernel, adjoints: Container[str]) -> Iterator[Went]:
    """Yield the elements of adjoint arrays that the thread changed, and what it handed to helpers."""
    found: dict[Element, list[tuple[int, Shown]]] = {}
    for line in ran.lines:
        for one in line.writes:
            if one.at is not None and one.at.array in adjoints and one.value != one.before:
                found.setdefault(one.at, []).append((line.number, one))
    for at, writes in found.items():
        first, final = _at(kernel.before, at), _at(kernel.after, at)
        left = writes[-1][1].value.float
        yield Went(
            str(at),
            tuple(number for number, _ in writes),
            writes[0][1].before.float,
            left,
            final,
            added=_added(writes[0][1]) if len(writes) == 1 else "",
            shared=final not in ("", left) or first not in ("", writes[0][1].before.float),
        )
    for helper, line in _calls(ran.lines):
        values = ", ".join(f"{v.text} = {v.value.float}" for v in line.reads if v.is_real)
        for target in _handed(line, adjoints):
            yield Went(target, (line.number,), "", values, "", through=helper)


def _handed(line: Line, adjoints: Container[str]) -> Iterator[str]:
    """Yield the elements of adjoint arrays whose addresses a line passes on."""
    for one in (*line.reads, *line.writes):
        if not one.is_number and one.value.float.split(" + ")[0] in adjoints:
            yield one.value.float
        elif one.op == "&" and one.at is not None and one.at.array in adjoints:
            yield str(one.at)


def _added(one: Shown) -> str:
    """Return what a line adds to an element."""
    if not one.op.startswith(_ADDS) or not one.added.float:
        return ""
    negative = one.op in ("-=", "atomicSub")
    return (
        one.added.float.removeprefix("-")
        if negative and one.added.float.startswith("-")
        else (f"-{one.added.float}" if negative else one.added.float)
    )


def _calls(lines: Sequence[Line]) -> Iterator[tuple[str, Line]]:
    """Yield the lines that call a helper, with its name."""
    for before, after in pairwise(lines):
        if after.sweep == "helper" and before.sweep != "helper" and after.depth > before.depth:
            yield after.function, before


def _at(arrays: Mapping[str, Array], at: Element) -> str:
    """Return an element of the launch's arrays."""
    leaf = ".".join((at.array, *(part for part in at.path if isinstance(part, str))))
    array = arrays.get(leaf)
    if array is None:
        return ""
    flat = array.reshape(-1)
    inner = [part for part in at.path if isinstance(part, int)]
    place = at.number if not inner else at.number * (flat.size // max(len(array), 1)) + inner[-1]
    if place >= flat.size or flat.dtype.kind != "f":
        return ""
    return spelled_number(float(flat[place]), flat.dtype.itemsize)
