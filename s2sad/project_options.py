"""A project's options: s2sad.toml, or [tool.s2sad] in pyproject.toml, beside a kernel or above it.

    include = ["include"]              # relative to this file, like `rules`
    define = ["REAL=float"]
    names = "grad"

    [file."layers/*.cu"]               # more for some files
    template = "T=float"

Keys are the command line's options without dashes. The command line and the kernel's own file come first.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from .diagnostics import Code, Diagnostic, Rejected, diagnose
from .files import STDIN, project_of
from .options import Options, Unclear, of_words
from .toml_file import Document, Path_

NAME, SHARED = "s2sad.toml", "pyproject.toml"
_SWITCHES = ("companion", "keep-template", "separate")
_EVERYWHERE = (
    "define",
    "include",
    "rules",
    "assume",
    "names",
    "skin",
    "accumulate",
    "mode",
    "companion",
    "keep-template",
)
_FOR_FILES = (
    *(*_EVERYWHERE, "directions", "seeds", "of", "wrt", "template", "store", "recompute", "bound"),
    *("tape-budget", "separate"),
)
_PATHS = ("include", "rules")


@dataclass(frozen=True)
class Project:
    """The options for one kernel's file, and the file that has them."""

    file: Path
    options: Options


def project(file: str) -> Project | None:
    """Return the options of a file's project; None if there are none. Raises Rejected with all errors."""
    if file == STDIN or not os.path.isfile(file):
        return None
    path = Path(os.path.abspath(file))
    root = project_of(file)
    for folder in path.parents:
        for name, at in ((NAME, ()), (SHARED, ("tool", "s2sad"))):
            table = folder / name
            if table.is_file() and not _beside(path, table):
                found = _read(table, at, path)
                if found is not None:
                    return found
        if folder == root:
            break
    return None


def _beside(kernel: Path, table: Path) -> bool:
    """Whether a file is the case of a kernel with its name."""
    return kernel.with_suffix(".toml") == table


def _read(path: Path, at: Path_, kernel: Path) -> Project | None:
    document = _document(path)
    table: object = document.values
    for key in at:
        table = table.get(key) if isinstance(table, Mapping) else None
    if not isinstance(table, Mapping):
        return None
    wrong: list[Diagnostic] = []
    given = [
        one
        for key, value in table.items()
        if key != "file"
        for one in _options(document, (*at, key), value, _EVERYWHERE, path, wrong)
    ]
    for pattern, more in _files(document, (*at, "file"), table.get("file", {}), wrong):
        found = [
            one
            for key, value in more.items()
            for one in _options(document, (*at, "file", pattern, key), value, _FOR_FILES, path, wrong)
        ]
        if fnmatch(kernel.relative_to(path.parent).as_posix(), pattern):
            given = [*found, *given]
    if wrong:
        raise Rejected(*wrong)
    options = Options()
    for one in given:
        options = options.with_more(one)
    return Project(path, options)


def _document(path: Path) -> Document:
    try:
        return Document.read(path)
    except Rejected as error:
        first = error.diagnostics[0]
        if first.code is not Code.CASE_SYNTAX:
            raise
        raise Rejected(diagnose(Code.PROJECT_OPTION, first.span, what=first.title)) from None


def _files(
    document: Document, at: Path_, table: object, wrong: list[Diagnostic]
) -> Iterator[tuple[str, Mapping[str, object]]]:
    if not isinstance(table, Mapping):
        wrong.append(_problem(document, at, "file has a table for each file or pattern"))
        return
    for pattern, more in table.items():
        if isinstance(more, Mapping):
            yield pattern, more
        else:
            wrong.append(_problem(document, (*at, pattern), "file has a table for each file or pattern"))


def _options(
    document: Document,
    at: Path_,
    value: object,
    known: tuple[str, ...],
    path: Path,
    wrong: list[Diagnostic],
) -> Iterator[Options]:
    """Yield the options of one key."""
    key = at[-1]
    if key not in known:
        only = f"{key} holds for some files only" if key in _FOR_FILES else f"unknown key {key}"
        help = f'[file."*.cu"] {key} = …' if key in _FOR_FILES else f"valid: {', '.join(known)}"
        wrong.append(_problem(document, at, only, help))
        return
    if key in _SWITCHES:
        if not isinstance(value, bool):
            wrong.append(_problem(document, at, f"{key} is true or false"))
        elif value:
            yield of_words([f"--{key}"])
        return
    try:
        for text in _texts(value):
            text = os.path.normpath(path.parent / text) if key in _PATHS else text
            yield of_words([f"--{key}", text])
    except Unclear as unclear:
        wrong.append(_problem(document, at, f"{key}: {unclear.why}", unclear.help))


def _texts(value: object) -> list[str]:
    """Return the texts of a value: one, a list, or pairs `NAME = VALUE`. Raises Unclear."""
    match value:
        case str():
            return [value]
        case list() if all(isinstance(text, str) for text in value):
            return value
        case dict() if all(type(text) in (str, int, float) for text in value.values()):
            return [f"{name}={text}" for name, text in value.items()]
        case _:
            raise Unclear("a text or a list of texts is wanted")


def _problem(document: Document, at: Path_, what: str, help: str = "") -> Diagnostic:
    places = (document.spans.get(at[:n]) for n in range(len(at), 0, -1))
    return diagnose(Code.PROJECT_OPTION, next((p for p in places if p), None), what=what, help=help)


def taken(asked: Options, found: Project | None) -> tuple[Diagnostic, ...]:
    """Note that a project's file adds to the options asked for."""
    if found is None or asked.over(found.options) == asked:
        return ()
    return (diagnose(Code.PROJECT_TAKEN, None, file=os.path.relpath(found.file)),)
