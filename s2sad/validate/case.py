"""The case file: the launch and arguments for a kernel.

A case is read against the signature of the primal. It is either accepted, and then can be
launched, or rejected with all its errors, each at its line. recipe.py makes the arrays
from it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from ..diagnostics import Rejected
from ..signature import Argument, Signature
from ..source import Source, Span
from ..toml_file import Document
from .case_args import ARRAY_KEYS, ArgumentsReader, problem_at
from .elements import Real, is_floating
from .recipe import Evaluation, LaunchSpec, Recipe, Setting, Size

_KEYS = (
    "kernel",
    "of",
    "wrt",
    "launch",
    "args",
    "tolerance",
    "names",
    "template",
    "define",
    "include",
    "assume",
    "backward",
    "also",
    "uncovered",
)
_BACKWARD = ("launch", "kernels", "exit", "args", "gradients", "template")  # auditing/settings.py reads them
_LAUNCH = ("grid", "block", "shared_bytes")
_ALSO = ("launch", "args")
ACCEPTED = {
    "": _KEYS,
    "launch": _LAUNCH,
    "array": ARRAY_KEYS,
    "tolerance": ("relative",),
    "also": _ALSO,
    "backward": _BACKWARD,
}
"""The keys of each table whose keys aren't names of the kernel's; `array` is an entry of [args]."""


@dataclass(frozen=True)
class Header:
    """The part of a case that is read before there is a signature; fields that it omits are empty.

    `options` are further options of the command line, `("define", ("N=16",), place)`; folders are relative
    to the working directory.
    """

    kernel: str = ""
    of: tuple[str, ...] = ()
    wrt: tuple[str, ...] = ()
    options: tuple[tuple[str, tuple[str, ...], Span | None], ...] = ()


@dataclass(frozen=True)
class Case:
    """A case file that fits a signature. `of` and `wrt` are empty if it omits them."""

    kernel: str
    of: tuple[str, ...]
    wrt: tuple[str, ...]
    recipe: Recipe
    tolerance: float | None = None
    names: Mapping[str, str] = field(default_factory=dict)  # audit: the backward's name for the adjoint of x
    document: Document | None = field(repr=False, compare=False, default=None)
    also: tuple[Case, ...] = ()  # further launches, for points that this one doesn't reach
    uncovered: Mapping[str, str] = field(default_factory=dict)  # points excused from coverage, and why

    @staticmethod
    def read(path: str | Path, signature: Signature) -> Case:
        """Read the case in that file, for a primal of that signature. Raises Rejected with all errors."""
        return _Reader(Document.read(path), signature).case()

    @staticmethod
    def parse(text: str, signature: Signature, name: str = "case.toml") -> Case:
        """Parse the text of a case. Raises Rejected with all errors."""
        return _Reader(Document.of(Source(name, text)), signature).case()

    @property
    def launches(self) -> tuple[Case, ...]:
        """This case and its further launches."""
        return (self, *self.also)

    def varied(self, signature: Signature, args: Mapping[str, object], launch: Mapping[str, object]) -> Case:
        """Return this case with other entries under [args] and [launch]. Raises Rejected."""
        assert self.document is not None
        tables = {key: table for key, table in (("args", args), ("launch", launch)) if table}
        document = self.document.with_tables(tables, _ALSO, ("also",))
        return _Reader(document, signature).case()

    def with_also(self, also: tuple[Case, ...]) -> Case:
        """Return this case with these further launches."""
        return replace(self, also=also)

    def setting(self, real: Real = "float", least_blocks: int = 1) -> Setting:
        """Make launch and arguments anew; a grid that is an expression has at least so many blocks.

        Raises Rejected if a size has no value, which only `least_blocks` and `real` can
        cause: reading has evaluated it with one block and `float`.
        """
        evaluation = Evaluation(self.recipe, real, least_blocks)
        setting = evaluation.run()
        if setting is None:
            raise Rejected(*(problem_at(self.document, problem) for problem in evaluation.problems))
        return setting


def header(path: str | Path) -> Header:
    """Read from a case file what to transform, and with which options. Raises Rejected."""
    reader = _Reader(Document.read(path), Signature("", ()))
    found = Header(
        reader.text("kernel"), reader.names_of("of"), reader.names_of("wrt"), tuple(reader.options())
    )
    reader.done()
    return found


def find(path: str | Path) -> Path | None:
    """Return NAME.toml beside NAME.cu, if it exists."""
    case = Path(path).with_suffix(".toml")
    return case if case.is_file() else None


class _Reader(ArgumentsReader):
    """Reads one document and collects its errors; wrong values read as empty."""

    # ---- the whole --------------------------------------------------------------

    def case(self) -> Case:
        for key in self.document.values:
            if key not in _KEYS:
                self.unknown(key, what=f"unknown key {key} in a case file", known=_KEYS)
        kernel = self.text("kernel") or self.signature.name
        if re.sub(r"^.*::|@.*$", "", kernel) != self.signature.name:  # `step`, of `fluid::step@40`
            self.wrong("kernel", what=f"the case is for {kernel}, but the kernel is {self.signature.name}")
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
            self.also(),
            self.uncovered(),
        )
        if sound:  # else errors about sizes would only follow from errors in arguments
            evaluation = Evaluation(case.recipe, "float")
            evaluation.run()
            self.found += [problem_at(self.document, problem) for problem in evaluation.problems]
        self.done()
        return case

    def text(self, key: str) -> str:
        value = self.document.values.get(key, "")
        if isinstance(value, str):
            return value
        self.wrong(key, what="expected a string")
        return ""

    def names_of(self, key: str) -> tuple[str, ...]:
        value = self.document.values.get(key, [])
        if isinstance(value, str):
            value = [name.strip() for name in value.split(",")]
        if isinstance(value, list) and all(isinstance(name, str) and name for name in value):
            return tuple(value)
        self.wrong(key, what="expected a list of names", help=f'{key} = ["x"]')
        return ()

    def options(self) -> Iterator[tuple[str, tuple[str, ...], Span | None]]:
        """Read macros, folders, template arguments and assumptions: texts, a list of texts, or a table."""
        for key in ("define", "include", "template", "assume"):
            value = self.document.values.get(key, [])
            if isinstance(value, dict) and key in ("define", "template"):
                value = [f"{name}={text}" for name, text in value.items()]
            texts = [value] if isinstance(value, str) else value
            if not isinstance(texts, list) or not all(isinstance(text, str) and text for text in texts):
                self.wrong(key, what="expected a text or a list of texts")
                continue
            if key == "include":
                folder = Path(self.document.source.name).parent
                texts = [os.path.normpath(folder / text) for text in texts]
            if texts:
                yield key, tuple(texts), self.document.spans.get((key,))

    def check_names(self, key: str, names: tuple[str, ...], *, pointer: bool) -> None:
        for name in names:
            if any(a.within == name and is_floating(a.type) for a in self.signature.arguments):
                continue
            argument = self.parameter(name)
            if argument is None:
                known = tuple(a.name for a in self.signature.arguments if is_floating(a.type))
                self.unknown(key, what=f"{key}: {self.signature.name} has no parameter {name}", known=known)
            elif not is_floating(argument.type):
                self.wrong(key, what=f"{name} has type {argument.type} and no derivative")
            elif pointer and not argument.pointer:
                self.wrong(key, what=f"{name} is passed by value and isn't an output")

    def parameter(self, name: str) -> Argument | None:
        for argument in self.signature.arguments:
            if argument.name == name:
                return argument
        return None

    # ---- further launches -----------------------------------------------------------

    def also(self) -> tuple[Case, ...]:
        """Read `[[also]]`: this case with other arguments, or another launch."""
        tables = self.document.values.get("also", [])
        if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
            self.wrong("also", what="expected tables", help="[[also]] and under it args = { n = 1 }")
            return ()
        found = []
        for table in tables:
            for key in table:
                if key not in _ALSO:
                    self.unknown("also", key, what=f"unknown key {key} in [[also]]", known=_ALSO)
            other = _Reader(self.document.with_tables(table, _ALSO, ("also", "uncovered")), self.signature)
            try:
                found.append(other.case())
            except Rejected as rejected:
                self.found += [d for d in rejected.diagnostics if d not in self.found]
        return tuple(found)

    def uncovered(self) -> dict[str, str]:
        """Read the points excused from coverage: "12 (else)", or a statement or a condition, and why."""
        found = {}
        for key, reason in self.table("uncovered").items():
            if isinstance(reason, str) and reason.strip():
                found[key] = reason.strip()
            else:
                self.wrong("uncovered", key, what="expected a reason, in quotes")
        return found

    # ---- launches ---------------------------------------------------------------

    def launch(
        self, table: Mapping[str, object], path: tuple[str, ...], other: LaunchSpec | None
    ) -> LaunchSpec:
        for key in table:
            if key not in _LAUNCH:
                self.unknown(*path, key, what=f"unknown key {key} in a launch", known=_LAUNCH)
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
                self.unknown("backward", key, what=f"unknown key {key} in [backward]", known=_BACKWARD)
        launch = self.table("backward", "launch") if "launch" in table else {}
        common = {key: value for key, value in launch.items() if not isinstance(value, dict)}
        if not common:
            return None
        return self.launch(common, ("backward", "launch"), forward)

    def launches(self, common: LaunchSpec) -> dict[str, LaunchSpec]:
        """Read launches of single kernels of a backward: [backward.launch.K]."""
        if "launch" not in self.table("backward"):
            return {}
        launch = self.table("backward", "launch")
        return {
            kernel: self.launch(table, ("backward", "launch", kernel), common)
            for kernel, table in launch.items()
            if isinstance(table, dict)
        }

    # ---- the rest ---------------------------------------------------------------

    def tolerance(self) -> float | None:
        table = self.table("tolerance")
        for key in table:
            if key not in ACCEPTED["tolerance"]:
                known = ACCEPTED["tolerance"]
                self.unknown("tolerance", key, what=f"unknown key {key} in [tolerance]", known=known)
        value = table.get("relative")
        if value is None:
            return None
        if isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < 1:
            return float(value)
        self.wrong("tolerance", "relative", what="expected a number between 0 and 1", help="relative = 1e-6")
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
                self.wrong("names", name, what="expected the backward's name for its adjoint, in quotes")
            else:
                names[name] = value
        return names
