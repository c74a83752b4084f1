"""A project's build flags for a file: macros and folders from compile_commands.json.

The database is beside the file or in a folder above it, or in a folder `build` there. For a kernel
inside a Python script the flags are those that the script passes to the compiler with its text.
The user's options come first; options from the database are reported.
"""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from .files import STDIN
from .options import Options
from .source import Source

NAME = "compile_commands.json"


@dataclass(frozen=True)
class Build:
    """The preprocessor flags, and the database or the script that has them."""

    database: Path
    defines: tuple[tuple[str, str], ...]
    includes: tuple[str, ...]


def build(source: Source) -> Build | None:
    """Return a file's flags from the nearest compilation database or the script; None if there are none."""
    file = source.name
    if source.inside is not None:
        return _given(Path(file), source.inside.flags)
    if file == STDIN or not os.path.isfile(file):
        return None
    path = Path(file).resolve()
    for folder in path.parents:
        for database in (folder / NAME, folder / "build" / NAME):
            if database.is_file():
                return _entry(database, path)
    return None


def with_build(options: Options, found: Build | None) -> Options:
    """Append the build's flags to the user's own options."""
    if found is None:
        return options
    return options.with_more(Options(defines=found.defines, includes=found.includes))


def _entry(database: Path, path: Path) -> Build | None:
    try:
        entries = json.loads(database.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    for entry in entries if isinstance(entries, list) else ():
        if not isinstance(entry, dict):
            continue
        folder = Path(str(entry.get("directory", database.parent)))
        if (folder / str(entry.get("file", ""))).resolve() != path:
            continue
        words = entry.get("arguments") or shlex.split(str(entry.get("command", "")))
        flags = list(_flags([str(word) for word in words]))
        return _build(database, flags, folder)
    return None


def _given(script: Path, words: Sequence[str]) -> Build | None:
    """Return the flags that a script passes with a text; folders are relative to the script's."""
    return _build(script, list(_flags(words)), script.parent)


def _build(origin: Path, flags: Sequence[tuple[str, str]], folder: Path) -> Build | None:
    defines = tuple(_defined(what) for flag, what in flags if flag == "-D")
    includes = tuple(str((folder / what).resolve()) for flag, what in flags if flag != "-D")
    found = Build(origin, defines, tuple(i for i in includes if os.path.isdir(i)))
    return found if found.defines or found.includes else None


def _flags(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield pairs of `-D`, `-I` or `-isystem` and its operand, joined or not."""
    waiting = ""
    for word in words:
        if waiting:
            yield waiting, word
            waiting = ""
            continue
        for flag in ("-isystem", "-D", "-I"):
            if word == flag:
                waiting = flag
                break
            if word.startswith(flag):
                yield flag, word.removeprefix(flag).lstrip("=")
                break


def _defined(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    return name, value if equals else "1"
