"""Read a chain from TOML. Errors are collected, each at its key.

of = ["u"]
wrt = ["u", "k"]

[args]
steps = 60
u = { shape = "n", fill = "normal" }

[[step]]
repeat = "steps"
checkpoints = 20

  [[step.do]]
  launch = "diffuse.cu"
  grid = "(n + 63) / 64"
  block = 64
  args = { next = "v" }

  [[step.do]]
  swap = ["u", "v"]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..signature import Signature
from ..toml_file import Document
from ..validate.case_args import ArgumentsReader
from .model import Launch, Path, Repeat, Step, Swap

_KEYS = ("of", "wrt", "args", "step", "tolerance")
_LAUNCH = (
    "launch",
    "kernel",
    "grid",
    "block",
    "shared_bytes",
    "args",
    "define",
    "include",
    "template",
    "assume",
)
_REPEAT = ("repeat", "counter", "checkpoints", "bytes", "scratch", "do")
_KINDS = {"launch": _LAUNCH, "swap": ("swap",), "repeat": _REPEAT}


@dataclass(frozen=True)
class Written:
    """A chain as its file says; [args] is read when the types of its arrays are known."""

    document: Document
    of: tuple[str, ...]
    wrt: tuple[str, ...]
    steps: tuple[Step, ...]
    tolerance: float | None


def read(document: Document) -> Written:
    """Read a chain. Raises Rejected with all errors."""
    reader = _Reader(document, Signature("the chain", ()))
    for key in document.values:
        if key not in _KEYS:
            reader.unknown(key, what=f"unknown key {key} in a chain", known=_KEYS)
    written = Written(
        document, reader.names("of"), reader.names("wrt"), reader.steps(document.values), reader.tolerance()
    )
    reader.done()
    return written


class _Reader(ArgumentsReader):
    """Reads one document and collects its errors; wrong values read as empty."""

    def names(self, key: str) -> tuple[str, ...]:
        value = self.document.values.get(key)
        if value is None:
            self.missing(key, what=key, help=f'{key} = ["x"]')
            return ()
        if isinstance(value, str):
            value = [name.strip() for name in value.split(",")]
        if isinstance(value, list) and value and all(isinstance(name, str) and name for name in value):
            return tuple(value)
        self.wrong(key, what="expected a list of names", help=f'{key} = ["x"]')
        return ()

    def tolerance(self) -> float | None:
        table = self.table("tolerance")
        value = table.get("relative")
        for key in table:
            if key != "relative":
                self.unknown("tolerance", key, what=f"unknown key {key} in [tolerance]", known=("relative",))
        if value is None:
            return None
        if isinstance(value, float) and 0 < value < 1:
            return value
        self.wrong("tolerance", "relative", what="expected a number between 0 and 1", help="relative = 1e-6")
        return None

    def steps(self, table: Mapping[str, Any], path: Path = (), key: str = "step") -> tuple[Step, ...]:
        tables = table.get(key, [])
        where = (*path, key)
        if isinstance(tables, dict):
            tables = [tables]
        if not isinstance(tables, list) or not all(isinstance(one, dict) for one in tables):
            self.wrong(*where, what="expected tables", help=f"[[{_header(where)}]]")
            return ()
        if not tables:
            help = f'[[{_header(where)}]] and under it launch = "kernel.cu"'
            self.missing(*where, what="a step", help=help)
        made = [self.step(one, (*where, str(number))) for number, one in enumerate(tables)]
        return tuple(step for step in made if step is not None)

    def step(self, table: Mapping[str, Any], path: Path) -> Step | None:
        kinds = [kind for kind in _KINDS if kind in table]
        if len(kinds) != 1:
            what = f"{' and '.join(kinds)} in one step" if kinds else "a step that does nothing"
            self.wrong(*path, what=what, help="a step has one of launch, swap and repeat")
            return None
        for key in table:
            if key not in _KINDS[kinds[0]]:
                known = _KINDS[kinds[0]]
                self.unknown(*path, key, what=f"unknown key {key} beside {kinds[0]}", known=known)
        match kinds[0]:
            case "swap":
                return self.swap(table["swap"], (*path, "swap"))
            case "repeat":
                return self.repeat(table, path)
            case _:
                return self.launch(table, path)

    def swap(self, value: object, path: Path) -> Swap | None:
        pair = isinstance(value, list) and len(value) == 2 and all(isinstance(name, str) for name in value)
        if not pair or not isinstance(value, list) or value[0] == value[1]:
            self.wrong(*path, what="expected the names of two arrays", help='swap = ["u", "v"]')
            return None
        return Swap(value[0], value[1])

    def repeat(self, table: Mapping[str, Any], path: Path) -> Repeat:
        counter = table.get("counter", "")
        if not isinstance(counter, str) or (counter and not counter.isidentifier()):
            self.wrong(*path, "counter", what="expected a name", help='counter = "t"')
            counter = ""
        count = self.count(table["repeat"], (*path, "repeat"))
        room = table.get("checkpoints")
        kept = self.count(room, (*path, "checkpoints")) if room is not None else None
        limit = table.get("bytes")
        if limit is not None and (isinstance(limit, bool) or not isinstance(limit, int | str)):
            self.wrong(*path, "bytes", what="expected a number of bytes", help='bytes = "64 MB"')
            limit = None
        scratch = table.get("scratch", [])
        if not _texts(scratch):
            self.wrong(*path, "scratch", what="expected a list of names", help='scratch = ["v"]')
            scratch = []
        return Repeat(count, self.steps(table, path, "do"), counter, kept, limit, scratch)

    def count(self, value: object, path: Path) -> int | str:
        if isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool) and value >= 0):
            return value
        self.wrong(*path, what="expected an integer or an expression in quotes")
        return 1

    def launch(self, table: Mapping[str, Any], path: Path) -> Launch | None:
        for key in ("grid", "block"):
            if key not in table:
                self.missing(*path, key, what=key, help=f"{key} = {64 if key == 'block' else 4}")
        for key in ("launch", "kernel"):
            if not isinstance(table.get(key, ""), str):
                self.wrong(*path, key, what="expected a string")
                return None
        for key in ("args", "define", "template"):
            if not isinstance(table.get(key, {}), dict):
                self.wrong(*path, key, what="expected a table", help=f'{key} = {{ x = "u" }}')
                return None
        for name, value in table.get("args", {}).items():
            if not isinstance(value, str | int | float):
                self.wrong(*path, "args", name, what="expected the name of an array, or a number")
                return None
        for key in ("include", "assume"):
            if not _texts(table.get(key, [])):
                self.wrong(*path, key, what="expected a list of strings")
                return None
        for key in ("grid", "block"):
            if not isinstance(table.get(key, 1), int | str | list):
                self.wrong(*path, key, what="expected sizes", help=f"{key} = [4, 2]")
                return None
        return Launch(
            table["launch"],
            table.get("kernel", ""),
            table.get("grid", 1),
            table.get("block", 1),
            self.count(table.get("shared_bytes", 0), (*path, "shared_bytes")),
            table.get("args", {}),
            table.get("define", {}),
            table.get("include", []),
            table.get("template", {}),
            table.get("assume", []),
        )


def _texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _header(path: Path) -> str:
    return ".".join(part for part in path if not part.isdigit())
