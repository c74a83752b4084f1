"""Read the arguments of a case file against the signature of the primal: numbers, arrays, structs.

This also has the common parts of reading a case: tables, sizes, and errors at their
lines.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from ..diagnostics import Code, Diagnostic, Rejected, diagnose
from ..signature import Argument, Signature, fields
from ..source import Span
from ..toml_file import Document
from .elements import dtype, holds, is_floating
from .expressions import Expression, ExpressionError, parse
from .fills import Fill, written_out
from .fills import read as read_fill
from .recipe import ArraySpec, Number, Problem, Size

_ARRAY = ("shape", "fill", "seed")
ARRAY_KEYS = (*_ARRAY, "strides", "fields")  # strides of a tensor, fields of an array of structs

_VIEW = ("shape", "strides", "fill", "seed")


def default_seed(name: str) -> int:
    """Return the default seed of an array: the same on every machine and in every version."""
    return zlib.crc32(name.encode())


def problem_at(document: Document | None, problem: Problem, code: Code = Code.CASE_VALUE) -> Diagnostic:
    """Return a diagnostic at the problem's place in the document."""
    span: Span | None = None
    if document is not None and problem.text:
        span = document.inside(problem.text, problem.start, problem.end, *problem.path)
    elif document is not None:
        span = document.span(*problem.path)
    where = ".".join(problem.path)
    what = f"{where}: {problem.what}" if code is Code.CASE_VALUE and where else problem.what
    return diagnose(code, span, what=what, label="", help=problem.help)


class ArgumentsReader:
    """Reads one document and collects its errors; wrong values read as empty."""

    def __init__(self, document: Document, signature: Signature) -> None:
        self.document = document
        self.signature = signature
        self.found: list[Diagnostic] = []

    def done(self) -> None:
        """Raise Rejected with the errors, if any, in the order of the file."""
        if self.found:
            raise Rejected(*sorted(self.found, key=lambda d: d.span.start if d.span else 0))

    def wrong(
        self, *path: str, what: str, text: str = "", start: int = 0, end: int = 0, help: str = ""
    ) -> None:
        self.found.append(problem_at(self.document, Problem(path, what, text, start, end, help)))

    def missing(self, *path: str, what: str, help: str) -> None:
        self.found.append(problem_at(self.document, Problem(path, what, help=help), Code.CASE_MISSING))

    def unknown(self, *path: str, what: str, known: tuple[str, ...]) -> None:
        help = f"valid: {', '.join(known)}" if known else ""
        self.found.append(problem_at(self.document, Problem(path, what, help=help), Code.CASE_UNKNOWN))

    def table(self, *path: str) -> Mapping[str, object]:
        """Return the table at that path; empty if there is none or the value isn't a table."""
        value: object = self.document.values
        for key in path:
            value = value.get(key, {}) if isinstance(value, dict) else {}
        if isinstance(value, dict):
            return value
        self.wrong(*path, what="expected a table", help=f"[{'.'.join(path)}]")
        return {}

    def sizes(self, value: object, path: tuple[str, ...], most: int = 3) -> tuple[Size, ...]:
        if not isinstance(value, list):
            return (self.size(value, path),)
        if not 1 <= len(value) <= most:
            number = "three" if most == 3 else str(most)
            self.wrong(*path, what=f"expected one to {number} sizes, not {len(value)}")
            return ()
        return tuple(self.size(size, path) for size in value)

    def size(self, value: object, path: tuple[str, ...]) -> Size:
        if isinstance(value, int) and not isinstance(value, bool):
            return value
        if isinstance(value, str):
            try:
                return parse(value)
            except ExpressionError as error:
                self.wrong(*path, what=str(error), text=value, start=error.start, end=error.end)
                return 1
        self.wrong(*path, what="expected an integer or an expression in quotes")
        return 1

    # ---- arguments --------------------------------------------------------------

    def args(self) -> dict[str, Number | ArraySpec]:
        table = self.table("args")
        names = tuple(dict.fromkeys(a.within or a.name for a in self.signature.arguments))
        for name in table:
            if name not in names:
                what = f"{self.signature.name} has no parameter {name}"
                self.unknown("args", name, what=what, known=names)
        read: dict[str, Number | ArraySpec] = {}
        for whole in dict.fromkeys(a.within for a in self.signature.arguments if a.within):
            if whole not in table:
                example = '{ shape = "n", fill = "normal" }'
                self.missing("args", what=f"the struct {whole}", help=f"under [args]: {whole} = {example}")
        views = [own for own in self.signature.wholes if own.layout and own.layout.rank]
        for own in views:
            if own.name in table and not _has_fields(table[own.name], own):
                read |= self.view(own, table[own.name])
        for argument in self.signature.arguments:
            if argument.name in read:
                continue
            if argument.within and dtype(argument.type) is not None:
                if argument.within in table:
                    read[argument.name] = self.field(argument, table[argument.within])
            elif dtype(argument.type) is None:
                self.found.append(
                    diagnose(
                        Code.UNSUPPORTED_TYPE,
                        self.document.span("args", argument.name),
                        name=argument.name,
                        type=argument.type,
                    )
                )
            elif argument.name not in table:
                example = '{ shape = "n", fill = "normal" }' if argument.pointer else "1"
                what = f"the {'array' if argument.pointer else 'number'} {argument.name} of {argument.type}"
                self.missing("args", what=what, help=f"under [args]: {argument.name} = {example}")
            elif argument.pointer:
                read[argument.name] = self.array(argument, table[argument.name])
            else:
                read[argument.name] = self.number(argument, table[argument.name])
        return read

    def field(self, argument: Argument, value: object) -> Number | ArraySpec:
        """Read a field of a struct, from its own entry or from the struct's common entries."""
        path: tuple[str, ...] = ("args", argument.within)
        own = next(a for a in self.signature.wholes if a.name == argument.within)
        listed = _by_field(own, value) if isinstance(value, list) else None
        value = listed or value
        if not isinstance(value, dict):
            what, example = "is a struct", 'shape = "n", fill = "normal"'
            if not own.pointer and own.layout is not None:
                example = ", ".join(f"{name} = …" for name, _, _ in own.layout.fields)
            elif own.pointer:
                what = "is an array of structs"
            help = f"{argument.within} = {{ {example} }}"
            self.wrong(*path, what=f"{argument.within} {what}: expected a table", help=help)
            return 1
        at, known = path, value
        inner: object = value
        if own.pointer:
            self.known_keys(value, path, ARRAY_KEYS)
            inner = (
                self.table(*path, "fields")
                if listed is None and "fields" in value
                else value.get("fields", {})
            )
            at = (*path, "fields")
        assert own.layout is not None
        names = {p for p, _, _ in fields(own.layout)}
        self.known_fields(inner, at, names)
        for name in argument.path:
            inner = inner.get(name) if isinstance(inner, dict) else None
            at = (*at, name)
        if not own.pointer:
            if inner is None:
                example = '{ shape = "n", fill = "normal" }' if argument.held else "…"
                help = f"{argument.within} = {{ {argument.path[-1]} = {example} }}"
                self.missing(*path, what=f"{argument.name}", help=help)
                return 1
            if argument.held:
                return self.array(argument, inner, at)
            if not argument.pointer:
                return self.number(argument, inner, at)
        table: dict[str, object] = {"fill": "zeros"}
        if is_floating(argument.type) and "fill" in known:
            table["fill"] = known["fill"]
        if isinstance(inner, str | list):
            table["fill"] = inner
        elif isinstance(inner, dict):
            table.update(inner)
        elif inner is not None:
            self.wrong(*at, what='expected the name of a fill, such as "normal", or a list of values')
        extents = next(e for p, _, e in fields(own.layout) if p == argument.path)
        fill = self.fill(argument, table["fill"], at if inner is not None else (*path, "fill"))
        shape: tuple[Size, ...] = tuple(extents)
        if own.pointer:
            if "shape" not in known:
                self.missing(*path, what=f"the shape of {argument.within}", help='for instance shape = "n"')
                return 1
            shape = (*self.sizes(known["shape"], (*path, "shape"), most=8), *extents)
        return ArraySpec(argument.type, shape or (1,), fill, self.seed(argument.name, table))

    def view(self, own: Argument, value: object) -> dict[str, Number | ArraySpec]:
        """Read a view of a tensor: its elements like an array's, with an extent for each dimension.

        `strides` are those of its memory, which may have gaps; without them it has none.
        """
        path, rank = ("args", own.name), own.layout.rank if own.layout is not None else 0
        data, sizes, strides = (a for a in self.signature.arguments if a.within == own.name)
        table = {"fill": value} if isinstance(value, list) else value
        if not isinstance(table, dict):
            help = f'{own.name} = {{ shape = [{", ".join(["8"] * rank)}], fill = "normal" }}'
            self.wrong(*path, what=f"{own.name} is a tensor: expected a shape and a fill", help=help)
            table = {"fill": "zeros", "shape": [1] * rank}
        self.known_keys(table, path, _VIEW)
        fill = self.fill(data, table.get("fill"), path if isinstance(value, list) else (*path, "fill"))
        extents = self.extents(own, table, "shape", list(fill.extents))
        steps = tuple(_product(extents[k + 1 :]) for k in range(rank))
        shape: tuple[Size, ...] = extents
        if "strides" in table:
            steps = self.extents(own, table, "strides", [])
            last = (f"({n.text} - 1) * ({s.text})" for n, s in zip(extents, steps, strict=True))
            shape = (parse(" + ".join(["1", *last])),)
        seed = self.seed(own.name, table)
        return {
            data.name: ArraySpec(data.type, shape, fill, seed),
            sizes.name: ArraySpec(sizes.type, (rank,), Fill("sizes", sizes=extents), 0),
            strides.name: ArraySpec(strides.type, (rank,), Fill("sizes", sizes=steps), 0),
        }

    def extents(
        self, own: Argument, table: Mapping[str, object], key: str, known: list[int]
    ) -> tuple[Expression, ...]:
        """Read a size for each dimension of a tensor; `known` are those of its written-out values."""
        path, rank = ("args", own.name, key), own.layout.rank if own.layout is not None else 0
        if key not in table and not known:
            help = f"for instance {key} = [{', '.join(['8'] * rank)}]"
            self.missing(*path[:2], what=f"the {key} of {own.name}", help=help)
            return (parse("1"),) * rank
        value = table.get(key, known)
        if (len(value) if isinstance(value, list) else 1) == rank:
            sizes = self.sizes(value, path, most=rank)
            return tuple(size if isinstance(size, Expression) else parse(f"{size}") for size in sizes)
        self.wrong(*path, what=f"the parameter is an accessor of {rank} dimension{'s' * (rank > 1)}")
        return (parse("1"),) * rank

    def known_keys(self, table: Mapping[str, object], path: tuple[str, ...], known: tuple[str, ...]) -> None:
        for key in table:
            if key not in known:
                self.unknown(*path, key, what=f"unknown key {key} in {path[-1]}", known=known)

    def known_fields(self, table: object, path: tuple[str, ...], names: set[tuple[str, ...]]) -> None:
        """Report keys that name no field, once."""
        if not isinstance(table, dict):
            return
        for key, value in table.items():
            inner = {name[1:] for name in names if name[0] == key}
            where = (*path, key)
            if not inner:
                known = tuple(dict.fromkeys(name[0] for name in sorted(names)))
                problem = problem_at(
                    self.document,
                    Problem(where, f"there is no field {key}", help=f"valid: {', '.join(known)}"),
                    Code.CASE_UNKNOWN,
                )
                if problem not in self.found:
                    self.found.append(problem)
            elif () not in inner:
                self.known_fields(value, where, inner)

    def number(self, argument: Argument, value: object, path: tuple[str, ...] = ()) -> Number:
        path = path or ("args", argument.name)
        if isinstance(value, dict):
            self.wrong(*path, what=f"{argument.type} {argument.name} is passed by value: expected a number")
        elif not isinstance(value, int | float):
            self.wrong(*path, what="expected a number")
        elif is_floating(argument.type):
            if np.isfinite(value):
                return float(value)
            self.wrong(*path, what=f"{value} is not finite")
        elif isinstance(value, float):
            self.wrong(*path, what=f"{value} is not an integer, but the parameter is {argument.type}")
        else:
            kind = dtype(argument.type)
            if kind is not None and holds(kind, int(value)):
                return int(value)
            self.wrong(*path, what=f"{value} does not fit {argument.type}")
        return 1

    def array(self, argument: Argument, value: object, path: tuple[str, ...] = ()) -> ArraySpec:
        path = path or ("args", argument.name)
        empty = ArraySpec(argument.type, (1,), Fill("zeros"), 0)
        if isinstance(value, list):
            return ArraySpec(argument.type, None, self.fill(argument, value, path), 0)
        if not isinstance(value, dict):
            help = f'{argument.name} = {{ shape = "n", fill = "normal" }}'
            self.wrong(*path, what=f"{argument.name} is an array: expected a shape and a fill", help=help)
            return empty
        for key in value:
            if key not in _ARRAY:
                self.unknown(*path, key, what=f"unknown key {key} in an array", known=_ARRAY)
        fill = self.fill(argument, value.get("fill"), (*path, "fill"))
        if "shape" in value:
            shape = self.sizes(value["shape"], (*path, "shape"), most=8)
        elif fill.kind in ("file", "values"):
            return ArraySpec(argument.type, None, fill, 0)
        else:
            self.missing(*path, what=f"the shape of {argument.name}", help='for instance shape = "n"')
            return empty
        return ArraySpec(argument.type, shape or (1,), fill, self.seed(argument.name, value))

    def fill(self, argument: Argument, value: object, path: tuple[str, ...]) -> Fill:
        if value is None:
            self.missing(
                *path,
                what=f"the fill of {argument.name}",
                help='for instance fill = "normal" or fill = "zeros"',
            )
        elif isinstance(value, list):
            try:
                return written_out(value, is_floating(argument.type))
            except ExpressionError as error:
                self.wrong(*path, what=str(error))
        elif not isinstance(value, str):
            self.wrong(*path, what='expected the name of a fill, such as "normal", or a list of values')
        else:
            try:
                folder = Path(self.document.source.name).parent
                return read_fill(value, folder, is_floating(argument.type))
            except ExpressionError as error:
                self.wrong(*path, what=str(error), text=value, start=error.start, end=error.end)
        return Fill("zeros")

    def seed(self, name: str, table: Mapping[str, object]) -> int:
        value = table.get("seed", default_seed(name))
        if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            return value
        self.wrong("args", name, "seed", what="expected a non-negative integer")
        return 0


def _by_field(own: Argument, values: list[object]) -> dict[str, object] | None:
    """Return the table of a struct whose numbers are listed in order, or of an array of such structs.

    None if a field isn't one number, or the numbers don't fit.
    """
    assert own.layout is not None
    names = [name for name, type, extents in own.layout.fields if isinstance(type, str) and not extents]
    if len(names) < len(own.layout.fields):
        return None
    if not own.pointer:
        return dict(zip(names, values, strict=True)) if len(values) == len(names) else None
    if any(isinstance(row, list) for row in values):
        rows = [row for row in values if isinstance(row, list) and len(row) == len(names)]
        if len(rows) < len(values):
            return None
    else:
        rows = [values[k : k + len(names)] for k in range(0, len(values), len(names))]
    if not rows or len(rows[-1]) < len(names):
        return None
    columns = (list(column) for column in zip(*rows, strict=True))
    return {"shape": len(rows), "fill": "zeros", "fields": dict(zip(names, columns, strict=True))}


def _has_fields(value: object, own: Argument) -> bool:
    """Whether an entry has the fields of a struct by name."""
    assert own.layout is not None
    return isinstance(value, dict) and any(name in value for name, _, _ in own.layout.fields)


def _product(sizes: Sequence[Expression]) -> Expression:
    """Return the product of sizes."""
    return parse(" * ".join(f"({size.text})" for size in sizes) or "1")
