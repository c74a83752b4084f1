"""The case file: what to run a kernel on.

A case is read against the signature of the primal and is either whole or refused
with everything that is wrong with it, each thing at its line: whoever has a `Case`
can launch it. What makes the arrays from it is recipe.py.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from ..diagnostics import Code, Diagnostic, Rejected, diagnose
from ..signature import Argument, Signature, fields
from ..source import Source, Span
from .elements import Real, dtype, holds, is_floating
from .expressions import ExpressionError, parse
from .fills import Fill, written_out
from .fills import read as read_fill
from .recipe import ArraySpec, Evaluation, LaunchSpec, Number, Problem, Recipe, Setting, Size
from .toml import Document

_KEYS = ("kernel", "of", "wrt", "launch", "args", "tolerance", "names", "template", "backward")
_BACKWARD = ("launch", "kernels", "exit", "args", "gradients", "template")  # auditing/settings.py reads them
_LAUNCH = ("grid", "block", "shared_bytes")
_ARRAY = ("shape", "fill", "seed")


@dataclass(frozen=True)
class Header:
    """What a case says of the kernel before there is a signature; empty where it is silent."""

    kernel: str = ""
    of: tuple[str, ...] = ()
    wrt: tuple[str, ...] = ()


@dataclass(frozen=True)
class Case:
    """A case file that fits a signature. `of` and `wrt` are empty where it is silent."""

    kernel: str
    of: tuple[str, ...]
    wrt: tuple[str, ...]
    recipe: Recipe
    tolerance: float | None = None
    names: Mapping[str, str] = field(default_factory=dict)  # audit: the backward's name for the adjoint of x
    document: Document | None = field(repr=False, compare=False, default=None)

    @staticmethod
    def read(path: str | Path, signature: Signature) -> Case:
        """The case in that file, for a primal of that signature. Raises Rejected with all that is wrong."""
        return _Reader(Document.read(path), signature).case()

    @staticmethod
    def parse(text: str, signature: Signature, name: str = "case.toml") -> Case:
        """The case that a text spells. Raises Rejected with all that is wrong."""
        return _Reader(Document.of(Source(name, text)), signature).case()

    def setting(self, real: Real = "float", least_blocks: int = 1) -> Setting:
        """Launch and arguments, made anew; a grid that is an expression has at least so many blocks.

        Raises Rejected where a size has no value, which can only come of `least_blocks`
        and `real`: with one block and `float`, reading has tried it.
        """
        evaluation = Evaluation(self.recipe, real, least_blocks)
        setting = evaluation.run()
        if setting is None:
            raise Rejected(*(_diagnostic(self.document, problem) for problem in evaluation.problems))
        return setting


def header(path: str | Path) -> Header:
    """Kernel, `of` and `wrt` of a case file, for choosing what to transform. Raises Rejected."""
    reader = _Reader(Document.read(path), Signature("", ()))
    found = Header(reader.text("kernel"), reader.names_of("of"), reader.names_of("wrt"))
    reader.done()
    return found


def find(path: str | Path) -> Path | None:
    """NAME.toml beside NAME.cu, if there is one."""
    case = Path(path).with_suffix(".toml")
    return case if case.is_file() else None


def default_seed(name: str) -> int:
    """The seed of an array that names none: the same on every machine and in every version."""
    return zlib.crc32(name.encode())


def _diagnostic(document: Document | None, problem: Problem, code: Code = Code.CASE_VALUE) -> Diagnostic:
    span: Span | None = None
    if document is not None and problem.text:
        span = document.inside(problem.text, problem.start, problem.end, *problem.path)
    elif document is not None:
        span = document.span(*problem.path)
    where = ".".join(problem.path)
    what = f"{where}: {problem.what}" if code is Code.CASE_VALUE and where else problem.what
    return diagnose(code, span, what=what, label="", help=problem.help)


class _Reader:
    """Reads one document and collects what is wrong with it; values that are wrong read as empty."""

    def __init__(self, document: Document, signature: Signature) -> None:
        self.document = document
        self.signature = signature
        self.found: list[Diagnostic] = []

    def done(self) -> None:
        """Raises what was found, in the order of the file."""
        if self.found:
            raise Rejected(*sorted(self.found, key=lambda d: d.span.start if d.span else 0))

    def wrong(
        self, *path: str, what: str, text: str = "", start: int = 0, end: int = 0, help: str = ""
    ) -> None:
        self.found.append(_diagnostic(self.document, Problem(path, what, text, start, end, help)))

    def missing(self, *path: str, what: str, help: str) -> None:
        self.found.append(_diagnostic(self.document, Problem(path, what, help=help), Code.CASE_MISSING))

    def unknown(self, *path: str, what: str, known: tuple[str, ...]) -> None:
        help = f"there is {', '.join(known)}" if known else ""
        self.found.append(_diagnostic(self.document, Problem(path, what, help=help), Code.CASE_UNKNOWN))

    # ---- the whole --------------------------------------------------------------

    def case(self) -> Case:
        for key in self.document.values:
            if key not in _KEYS:
                self.unknown(key, what=f"a case file has no {key}", known=_KEYS)
        kernel = self.text("kernel") or self.signature.name
        if re.sub(r"^.*::|@.*$", "", kernel) != self.signature.name:  # `step`, of `fluid::step@40`
            self.wrong("kernel", what=f"the case is for {kernel}, the kernel is {self.signature.name}")
        of, wrt = self.names_of("of"), self.names_of("wrt")
        self.check_names("of", of, pointer=True)
        self.check_names("wrt", wrt, pointer=False)
        launch = self.launch(self.table("launch"), ("launch",), None)
        before = len(self.found)
        args = self.args()
        sound = len(self.found) == before
        backward = self.backward(launch)
        case = Case(
            kernel,
            of,
            wrt,
            Recipe(launch, args, backward, self.launches(backward or launch)),
            self.tolerance(),
            self.adjoint_names(),
            self.document,
        )
        if sound:  # else sizes would be missed that are only missing because their argument is wrong
            evaluation = Evaluation(case.recipe, "float")
            evaluation.run()
            self.found += [_diagnostic(self.document, problem) for problem in evaluation.problems]
        self.done()
        return case

    def table(self, *path: str) -> Mapping[str, object]:
        """The table at that path; empty if there is none or something else stands there."""
        value: object = self.document.values
        for key in path:
            value = value.get(key, {}) if isinstance(value, dict) else {}
        if isinstance(value, dict):
            return value
        self.wrong(*path, what="a table is meant", help=f"[{'.'.join(path)}]")
        return {}

    def text(self, key: str) -> str:
        value = self.document.values.get(key, "")
        if isinstance(value, str):
            return value
        self.wrong(key, what="a string is meant")
        return ""

    def names_of(self, key: str) -> tuple[str, ...]:
        value = self.document.values.get(key, [])
        if isinstance(value, str):
            value = [name.strip() for name in value.split(",")]
        if isinstance(value, list) and all(isinstance(name, str) and name for name in value):
            return tuple(value)
        self.wrong(key, what="a list of names is meant", help=f'{key} = ["x"]')
        return ()

    def check_names(self, key: str, names: tuple[str, ...], *, pointer: bool) -> None:
        for name in names:
            if any(a.within == name and is_floating(a.type) for a in self.signature.arguments):
                continue
            argument = self.parameter(name)
            if argument is None:
                known = tuple(a.name for a in self.signature.arguments if is_floating(a.type))
                self.unknown(key, what=f"{key}: {self.signature.name} has no parameter {name}", known=known)
            elif not is_floating(argument.type):
                self.wrong(key, what=f"{name} is of type {argument.type} and has no derivative")
            elif pointer and not argument.pointer:
                self.wrong(key, what=f"{name} is passed by value and isn't an output")

    def parameter(self, name: str) -> Argument | None:
        for argument in self.signature.arguments:
            if argument.name == name:
                return argument
        return None

    # ---- launches ---------------------------------------------------------------

    def launch(
        self, table: Mapping[str, object], path: tuple[str, ...], other: LaunchSpec | None
    ) -> LaunchSpec:
        for key in table:
            if key not in _LAUNCH:
                self.unknown(*path, key, what=f"a launch has no {key}", known=_LAUNCH)
        if other is None:
            for key in ("grid", "block"):
                if key not in table:
                    example = "grid = 4" if key == "grid" else "block = 64"
                    self.missing(*path, key, what=f"{'.'.join(path)}.{key}", help=f"for instance {example}")
        grid = self.sizes(table["grid"], (*path, "grid")) if "grid" in table else ()
        block = self.sizes(table["block"], (*path, "block")) if "block" in table else ()
        shared: Size = other.shared_bytes if other else 0
        if "shared_bytes" in table:
            shared = self.size(table["shared_bytes"], (*path, "shared_bytes"))
        return LaunchSpec(
            grid or (other.grid if other else (1,)), block or (other.block if other else (1,)), shared
        )

    def backward(self, forward: LaunchSpec) -> LaunchSpec | None:
        table = self.table("backward")
        for key in table:
            if key not in _BACKWARD:
                self.unknown("backward", key, what=f"[backward] has no {key}", known=_BACKWARD)
        launch = self.table("backward", "launch") if "launch" in table else {}
        common = {key: value for key, value in launch.items() if not isinstance(value, dict)}
        if not common:
            return None
        return self.launch(common, ("backward", "launch"), forward)

    def launches(self, common: LaunchSpec) -> dict[str, LaunchSpec]:
        """Of a backward of several kernels, those with launches of their own: [backward.launch.K]."""
        if "launch" not in self.table("backward"):
            return {}
        launch = self.table("backward", "launch")
        return {
            kernel: self.launch(table, ("backward", "launch", kernel), common)
            for kernel, table in launch.items()
            if isinstance(table, dict)
        }

    def sizes(self, value: object, path: tuple[str, ...], most: int = 3) -> tuple[Size, ...]:
        if not isinstance(value, list):
            return (self.size(value, path),)
        if not 1 <= len(value) <= most:
            number = "three" if most == 3 else str(most)
            self.wrong(*path, what=f"one to {number} sizes are meant, not {len(value)}")
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
        self.wrong(*path, what="an integer or an expression in quotes is meant")
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
        for argument in self.signature.arguments:
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
        """A field of a struct: as the table of the struct says, or what that says of all fields."""
        path: tuple[str, ...] = ("args", argument.within)
        if not isinstance(value, dict):
            help = f'{argument.within} = {{ shape = "n", fill = "normal" }}'
            self.wrong(*path, what=f"{argument.within} is a struct: a table is meant", help=help)
            return 1
        own = next(a for a in self.signature.wholes if a.name == argument.within)
        at, known = path, value
        inner: object = value
        if own.pointer:
            self.known_keys(value, path, (*_ARRAY, "fields"))
            inner = self.table(*path, "fields") if "fields" in value else {}
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
            self.wrong(*at, what='the name of a fill is meant, as "normal", or a list of values')
        extents = next(e for p, _, e in fields(own.layout) if p == argument.path)
        fill = self.fill(argument, table["fill"], at if inner is not None else (*path, "fill"))
        shape: tuple[Size, ...] = tuple(extents)
        if own.pointer:
            if "shape" not in known:
                self.missing(*path, what=f"the shape of {argument.within}", help='for instance shape = "n"')
                return 1
            shape = (*self.sizes(known["shape"], (*path, "shape"), most=8), *extents)
        return ArraySpec(argument.type, shape or (1,), fill, self.seed(argument.name, table))

    def known_keys(self, table: Mapping[str, object], path: tuple[str, ...], known: tuple[str, ...]) -> None:
        for key in table:
            if key not in known:
                self.unknown(*path, key, what=f"{path[-1]} has no {key}", known=known)

    def known_fields(self, table: object, path: tuple[str, ...], names: set[tuple[str, ...]]) -> None:
        """Says of keys that name no field, once."""
        if not isinstance(table, dict):
            return
        for key, value in table.items():
            inner = {name[1:] for name in names if name[0] == key}
            where = (*path, key)
            if not inner:
                known = tuple(dict.fromkeys(name[0] for name in sorted(names)))
                problem = _diagnostic(
                    self.document,
                    Problem(where, f"there is no field {key}", help=f"there is {', '.join(known)}"),
                    Code.CASE_UNKNOWN,
                )
                if problem not in self.found:
                    self.found.append(problem)
            elif () not in inner:
                self.known_fields(value, where, inner)

    def number(self, argument: Argument, value: object, path: tuple[str, ...] = ()) -> Number:
        path = path or ("args", argument.name)
        if isinstance(value, dict):
            self.wrong(*path, what=f"{argument.type} {argument.name} is passed by value: a number is meant")
        elif not isinstance(value, int | float):
            self.wrong(*path, what="a number is meant")
        elif is_floating(argument.type):
            if np.isfinite(value):
                return float(value)
            self.wrong(*path, what=f"{value} is not finite")
        elif isinstance(value, float):
            self.wrong(*path, what=f"{value} is not an integer, and the parameter is {argument.type}")
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
            self.wrong(*path, what=f"{argument.name} is an array: a shape and a fill are meant", help=help)
            return empty
        for key in value:
            if key not in _ARRAY:
                self.unknown(*path, key, what=f"an array has no {key}", known=_ARRAY)
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
            self.wrong(*path, what='the name of a fill is meant, as "normal", or a list of values')
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
        self.wrong("args", name, "seed", what="an integer that isn't negative is meant")
        return 0

    # ---- the rest ---------------------------------------------------------------

    def tolerance(self) -> float | None:
        table = self.table("tolerance")
        for key in table:
            if key != "relative":
                self.unknown("tolerance", key, what=f"[tolerance] has no {key}", known=("relative",))
        value = table.get("relative")
        if value is None:
            return None
        if isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < 1:
            return float(value)
        self.wrong("tolerance", "relative", what="a number between 0 and 1 is meant", help="relative = 1e-6")
        return None

    def adjoint_names(self) -> dict[str, str]:
        names: dict[str, str] = {}
        for name, value in self.table("names").items():
            argument = self.parameter(name)
            if argument is None:
                known = tuple(a.name for a in self.signature.arguments)
                self.unknown(
                    "names", name, what=f"{self.signature.name} has no parameter {name}", known=known
                )
            elif isinstance(value, list) and len(value) == 2:
                continue  # its seed and its gradient: auditing/settings.py reads them
            elif not isinstance(value, str) or not value.isidentifier():
                self.wrong("names", name, what="the backward's name for its adjoint is meant, in quotes")
            else:
                names[name] = value
        return names
