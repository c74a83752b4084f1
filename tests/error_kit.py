"""Examples of messages, run anew: kernels of errors/, and command lines of errors/commands/.

A file of errors/commands begins with its commands, each after a `$`; the files that they need
follow, each under a line `---- NAME`, and what the last command prints is under `---- printed`.
`s2sad` and Python run in this process, other commands in a shell.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from test_errors import EXPECTATION
from test_errors import FILES as KERNELS

from s2sad import Rejected
from s2sad.cli import main

FOLDER = Path(__file__).parent / "errors"
COMMANDS = sorted((FOLDER / "commands").glob("*.test"))
PRINTED = "printed"
_COMMAND = "// command: "
_CODE = re.compile(r"^(?:[\w.]*Rejected: )?(error|warning|note)\[([a-z0-9-]+)\]: ", re.MULTILINE)


@dataclass(frozen=True)
class Example:
    """Files, commands in their order, and what the last one prints; `name` is where it comes from."""

    name: str
    files: tuple[tuple[str, str], ...]
    commands: tuple[str, ...]
    printed: str = ""

    @property
    def codes(self) -> frozenset[str]:
        return frozenset(code for _, code in _CODE.findall(self.printed))

    def rank(self, code: str) -> tuple[bool, int, int, int, str]:
        """Return what makes it a good example of a code: named after it, little else, few lines."""
        found = [c for kind, c in _CODE.findall(self.printed) if kind != "note" or c == code]
        lines = sum(text.count("\n") for _, text in self.files) + len(self.commands)
        return self.name != code.replace("-", "_"), len(set(found)), len(found), lines, self.name


def of_kernel(path: Path) -> Example:
    """Return the example that a file of errors/ is, without its expectations."""
    lines = path.read_text(encoding="utf-8").rstrip("\n").split("\n")
    kept = [not EXPECTATION.match(line) and not line.startswith(_COMMAND) for line in lines]
    options = next((line for line in lines if line.startswith(_COMMAND)), "").removeprefix(_COMMAND)
    options = options.replace("tests/errors/", "")
    options = re.sub(r"(--bound \"?)(\d+)", lambda m: f"{m[1]}{sum(kept[: int(m[2])])}", options)
    text = "".join(f"{line}\n" for line, keep in zip(lines, kept, strict=True) if keep)
    headers = [str(h.relative_to(FOLDER)) for h in sorted(FOLDER.rglob("*.*h")) if h.name in text + options]
    files = [(path.name, text), *((name, (FOLDER / name).read_text(encoding="utf-8")) for name in headers)]
    return Example(path.stem, tuple(files), (f"s2sad transform {path.name} {options}".rstrip(),))


def of_command(path: Path, printed: bool = False) -> Example:
    """Return the example in a file of errors/commands/, with what it prints, or without."""
    head, *parts = re.split(r"^---- (.*)\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    commands = [line.removeprefix("$ ") for line in head.splitlines()]
    sections = list(zip(parts[::2], parts[1::2], strict=True))
    said = dict(sections).get(PRINTED, "") if printed else ""
    return Example(path.stem, tuple(s for s in sections if s[0] != PRINTED), tuple(commands), said)


def written(example: Example) -> str:
    """Return the text of a file of errors/commands/."""
    commands = "".join(f"$ {command}\n" for command in example.commands)
    sections = [*example.files, (PRINTED, example.printed)]
    return commands + "".join(f"---- {name}\n{text}" for name, text in sections)


def ran(example: Example, folder: Path) -> Example:
    """Return the example with what it prints, run in an empty folder."""
    folder.mkdir(parents=True)
    (folder / "pyproject.toml").touch()  # the root of a project: headers aren't looked for above it
    for name, text in example.files:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    printed = ""
    with contextlib.chdir(folder):
        for command in example.commands:
            printed = _said(command)
    shutil.rmtree(folder)
    printed = printed.replace(f"{folder}{os.sep}", "")
    return Example(example.name, example.files, example.commands, printed)


def every(folder: Path) -> Iterator[Example]:
    """Run all examples, each in a folder of its own within this one."""
    for path in KERNELS:
        yield ran(of_kernel(path), folder / path.stem)
    for path in COMMANDS:
        yield ran(of_command(path), folder / path.stem)


def best(examples: Iterable[Example]) -> dict[str, Example]:
    """Return the smallest example of each code."""
    found: dict[str, Example] = {}
    for example in examples:
        for code in example.codes:
            if code not in found or example.rank(code) < found[code].rank(code):
                found[code] = example
    return found


def _said(command: str) -> str:
    """Run a command; return what it prints, only the messages if there are any."""
    words = shlex.split(command)
    if words[0] == "python":
        return _python(Path(words[1]))
    if words[0] != "s2sad":
        subprocess.run(["bash", "-c", command], check=True)
        return ""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), contextlib.suppress(SystemExit):
        main(words[1:])
    return err.getvalue()


def _python(file: Path) -> str:
    """Run a script that is rejected; return the last lines of its traceback."""
    names = {"__name__": "__main__", "__file__": os.fspath(file)}
    try:
        exec(compile(file.read_text(encoding="utf-8"), file, "exec"), names)
    except Rejected as rejected:
        return f"{type(rejected).__module__}.{type(rejected).__name__}: {rejected}\n"
    raise AssertionError(f"{file} isn't rejected")
