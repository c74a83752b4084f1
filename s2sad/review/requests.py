"""Which adjoints a folder of kernels asks for: those that stand there, and one of every other kernel.

An emitted file says by which command it was made. Of a kernel without one, the adjoint is that of its
case, of the requests in its source, or of its signature.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from .. import checking, emitted_header, files, pipeline
from ..case_options import options_of_case
from ..diagnostics import Diagnostic, Rejected
from ..each import SUFFIXES
from ..entries import Place
from ..options import Options
from ..python_strings import Texts
from ..source import Source
from ..validate import Header, header

_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^">\n]+)[">]', re.MULTILINE)
_ASKS = re.compile(r"^\s*(?://\s*s2sad:(?!\s*launch)|#\s*pragma\s+s2sad\b)", re.MULTILINE)


class Key(NamedTuple):
    """What is compared: a kernel, and the file of its adjoint, "" if there is none."""

    file: str
    kernel: str
    adjoint: str = ""


@dataclass(frozen=True)
class Request:
    """One adjoint to make; `wanted` if somebody asked for it. Without an adjoint, `refused` says why."""

    key: Key
    place: Place
    options: Options
    case: str | None = None
    wanted: bool = False
    refused: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True)
class Folder:
    """The files of a commit that matter, by their paths from the current folder."""

    kernels: Mapping[str, str]  # files that may have kernels, with their texts
    adjoints: Mapping[str, tuple[str, ...]]  # the emitted files of each
    lost: Mapping[str, str]  # emitted files whose primal isn't anywhere, with its name
    includes: Mapping[str, frozenset[str]]  # names that each text includes

    @staticmethod
    def of(paths: Iterable[str]) -> Folder:
        """Read the files of the current folder, and of those above and below it, by these paths."""
        there = sorted(paths)
        texts = {path: files.content(path) or "" for path in there if Path(path).suffix in _CODE}
        ours = {path for path, text in texts.items() if emitted_header.is_ours(text)}
        kernels = {
            path: text
            for path, text in texts.items()
            if path not in ours and "__global__" in text and Path(path).suffix in SUFFIXES
        }
        adjoints: dict[str, list[str]] = {}
        lost = {}
        known = {os.path.basename(path) for path in there}
        named_by = {path: emitted_header.primal_of(texts[path]) for path in sorted(ours)}
        # without a command it is the copy of a kernel that belongs to a binding
        derived = {path for path, named in named_by.items() if named is not None}
        for path, named in named_by.items():
            if named is None:
                continue
            primal = _primal(path, named, kernels, derived)
            if primal is not None:
                adjoints.setdefault(primal, []).append(path)
            elif os.path.basename(named) not in known:
                lost[path] = named
        # an adjoint may be differentiated in its turn
        kernels |= {path: texts[path] for path in ours & set(adjoints)}
        includes = {path: frozenset(map(os.path.basename, _INCLUDE.findall(t))) for path, t in texts.items()}
        return Folder(kernels, {file: tuple(found) for file, found in adjoints.items()}, lost, includes)

    def touched(self, changed: Collection[str]) -> set[str]:
        """Return the files of kernels that a change of these paths may concern."""
        if any(map(self._is_setting, changed)):
            return set(self.kernels)
        names = {os.path.basename(path) for path in changed}
        while more := {
            os.path.basename(path)
            for path, included in self.includes.items()
            if included & names and os.path.basename(path) not in names
        }:
            names |= more
        return {
            file
            for file in self.kernels
            if os.path.basename(file) in names
            or not set(self.adjoints.get(file, ())).isdisjoint(changed)
            or str(Path(file).with_suffix(".toml")) in changed
        }

    def _is_setting(self, path: str) -> bool:
        """Whether a file may concern all kernels: a project's options, a build's, a table of rules."""
        if os.path.basename(path) == "pyproject.toml":
            return "tool.s2sad" in (files.content(path) or "")
        if os.path.basename(path) == "compile_commands.json":
            return True
        stem, suffix = os.path.splitext(path)
        return suffix == ".toml" and not any(stem + one in self.kernels for one in SUFFIXES)

    def requests(self, file: str) -> list[Request]:
        """Return the adjoints to make of a file's kernels."""
        return list(_requests(file, self.kernels[file], self.adjoints.get(file, ())))


_CODE = (*SUFFIXES, ".h", ".hpp", ".hh", ".hxx", ".inl", ".inc", ".c", ".cc", ".cpp")


def _primal(adjoint: str, named: str, kernels: Collection[str], derived: Collection[str]) -> str | None:
    """Return the file that an adjoint's header names: in its folder, in one above, or the only one."""
    folder = os.path.dirname(adjoint)
    while True:
        found = os.path.normpath(os.path.join(folder, named))
        if found != adjoint and (found in kernels or found in derived):
            return found
        if folder in ("", ".", "..") or os.path.basename(folder) == "..":
            break
        folder = os.path.dirname(folder)
    same = [path for path in kernels if os.path.basename(path) == os.path.basename(named)]
    return same[0] if len(same) == 1 else None


def _requests(file: str, text: str, adjoints: Sequence[str]) -> Iterator[Request]:
    try:
        source = files.read(file)
        entries = pipeline.entries(source, Options())
        case = checking.case_beside(file)
        head = Header() if case is None else header(case)
        asked = options_of_case(head)
    except Rejected as rejected:
        wanted = bool(_ASKS.search(text)) or bool(adjoints) or checking.case_beside(file) is not None
        yield Request(
            Key(file, ""), Place(file), Options(), wanted=wanted, refused=tuple(rejected.diagnostics)
        )
        return
    names = [entry.name for entry in entries]
    places = {entry.choice: Place(file, entry.span.line, entry.span.column) for entry in entries}
    choices = {entry.name: entry.choice for entry in reversed(entries)}
    choices |= {entry.choice: entry.choice for entry in entries}
    known = names[0] if len(names) == 1 else ""

    def of_case(kernel: str) -> bool:
        return case is not None and kernel.partition("@")[0] == (head.kernel or known)

    made = set()
    for path in adjoints:
        options = emitted_header.options_of(files.content(path) or "", file)
        kernel = options.kernel or known
        chosen = choices.get(kernel, kernel)
        made.add(chosen)
        key = Key(file, chosen, path)
        yield Request(key, places.get(chosen, Place(file)), options, case if of_case(kernel) else None, True)
    if emitted_header.is_ours(text):
        return  # what is differentiated of it stands there
    alone = len(entries) == 1 and bool(_ASKS.search(text))
    for entry in entries:
        if entry.choice in made:
            continue
        options = Options(kernel="" if known else entry.choice)
        has_case = of_case(entry.name)
        if has_case:
            options = replace(options.with_more(asked), kernel=options.kernel)
        key = Key(file, entry.choice)
        yield Request(key, places[entry.choice], options, case if has_case else None, has_case or alone)
    yield from _unread(source)


def _unread(source: Source) -> Iterator[Request]:
    """Yield the kernels of a script whose texts can't be read."""
    for one in source.unread if isinstance(source, Texts) else ():
        for name in sorted(one.names):
            key, at = Key(source.name, name), Place(source.name, one.line)
            yield Request(key, at, Options(), refused=(one.reason,))
