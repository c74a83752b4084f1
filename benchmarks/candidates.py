"""Find the kernels of a folder that could be differentiated, by their signatures alone.

A kernel is a candidate if it may have floating inputs and outputs: one of its parameters
is an array of floating numbers (or of structs or vectors with some, or of a
template's type) that it may write. Whether it reads and writes one is known only
after parsing. A candidate need not be a kernel that s2sad supports.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from s2sad import files
from s2sad.diagnostics import Diagnostic, Rejected
from s2sad.parse.reading import File
from s2sad.parse.source.pp_tokens import ID, Lexeme

_FLOATING = re.compile(
    r"float[1-4]?|double[1-4]?|half2?|__half2?|(?:__)?nv_bfloat162?|cu(?:Float|Double)?Complex"
    r"|cufft(?:Double)?(?:Real|Complex)|scalar_t|\w*TensorAccessor\w*"
)
_SUFFIXES = (".cu",)


@dataclass(frozen=True)
class Found:
    """A candidate: a kernel of a file, and the build's flags for that file."""

    path: Path
    kernel: str
    line: int
    flags: Flags
    choice: str = ""  # its unambiguous name, if others have the same name


@dataclass(frozen=True)
class Unread:
    """A file that the preprocessor rejects, so that its kernels aren't known."""

    path: Path
    reason: Diagnostic


def candidates(root: Path, includes: Sequence[Path] = ()) -> Iterator[Found | Unread]:
    """Yield the candidates of every .cu file below `root`, in order of path and line.

    A kernel in a header counts where the header is first included. So does a kernel in a `.cu` file
    that another one beside it includes: no compiler compiles that file by itself.
    """
    seen: set[tuple[str, str]] = set()
    for path in sorted(p for p in root.rglob("*") if p.suffix in _SUFFIXES and p.is_file()):
        if files.includers(path):
            continue
        flags = _flags(path, root)
        try:
            file = File.read(files.read(str(path)), dict(flags.defines), (*includes, *flags.includes))
        except Rejected as rejected:
            yield Unread(path, rejected.diagnostics[0])
            continue
        yield from _of(path, file, flags, seen)


@dataclass(frozen=True)
class Flags:
    """The flags that a makefile beside or above a file passes to the compiler, as far as they are literal."""

    defines: tuple[tuple[str, str], ...] = ()
    includes: tuple[Path, ...] = ()


def _flags(path: Path, root: Path) -> Flags:
    for folder in path.parents:
        for name in ("Makefile", "makefile", "CMakeLists.txt"):
            if (folder / name).is_file():
                text = (folder / name).read_text(encoding="utf-8", errors="replace")
                text = "\n".join(_in_force(text.splitlines()))
                found = re.findall(r"(?<!\S)-D\s*(\w+)(?:=([\w.+-]+))?(?![\w$(])", text)
                folders = [folder / one for one in re.findall(r"(?<!\S)-I\s*([\w./-]+)", text)]
                return Flags(
                    tuple({name: value or "1" for name, value in found}.items()),
                    tuple(dict.fromkeys(one for one in folders if one.is_dir())),
                )
        if folder == root:
            break
    return Flags()


_ASKED = re.compile(r"(ifeq|ifneq)\s*\(\s*\$\((\w+)\)\s*,\s*(\w*)\s*\)|(ifdef|ifndef)\s+(\w+)")


def _in_force(lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines of a makefile that `make` without arguments uses; if unknown, assume it does."""
    values: dict[str, str] = {}
    taken: list[bool] = []
    for line in lines:
        word = line.strip()
        if word.startswith("if"):
            taken.append(_holds(word, values))
        elif word == "else" and taken:
            taken[-1] = not taken[-1]
        elif word == "endif" and taken:
            taken.pop()
        elif all(taken):
            if assigned := re.match(r"(\w+)\s*[:?]?=\s*(.*)", word):
                values[assigned[1]] = assigned[2].strip()
            yield line


def _holds(condition: str, values: Mapping[str, str]) -> bool:
    if (asked := _ASKED.match(condition)) is None:
        return True
    word, name, value, defined, of = asked.groups()
    if word:
        return (values.get(name, "") == value) == (word == "ifeq")
    return bool(values.get(of)) == (defined == "ifdef")


def _of(path: Path, file: File, flags: Flags, seen: set[tuple[str, str]]) -> Iterator[Found]:
    tokens = file.unit.tokens
    known = _floating_types(file)
    choices = {entry.span: entry.choice for entry in file.kernels}
    for item in file.items:
        if item.kind not in ("kernel", "template") or "__global__" not in item.words or not item.body:
            continue
        name = tokens[item.at]
        key = (str(Path(name.origin.name).resolve()), name.value)
        if key in seen:
            continue  # an overload, or a kernel of a header, already counted
        seen.add(key)
        own = known | _type_parameters(tokens[item.first : item.at])
        if any(_is_output(p, own) for p in _parameters(tokens, item.at + 1)):
            yield Found(path, name.value, name.span.line, flags, choices[name.span])


def _floating_types(file: File) -> set[str]:
    """Return the names of the file's types that contain floating numbers."""
    known: set[str] = set()
    for item in file.items:
        if item.types and item.kind in ("typedef", "alias", "struct", "template"):
            inside = file.unit.tokens[item.first : item.end]
            if any(_is_floating(t.value, known) for t in inside):
                known.update(item.types)
    return known


def _is_floating(word: str, known: set[str]) -> bool:
    return word in known or _FLOATING.fullmatch(word) is not None


def _type_parameters(head: Sequence[Lexeme]) -> set[str]:
    """Return the names after `typename` and `class` in a template's head."""
    return {
        after.value
        for before, after in pairwise(head)
        if before.value in ("typename", "class") and after.type == ID
    }


def _parameters(tokens: Sequence[Lexeme], opening: int) -> list[list[Lexeme]]:
    """Return the tokens of each parameter, split at commas outside brackets."""
    found: list[list[Lexeme]] = [[]]
    depth = 0
    for token in tokens[opening:]:
        depth += {"(": 1, "[": 1, "{": 1, "<": 1, ")": -1, "]": -1, "}": -1, ">": -1, ">>": -2}.get(
            token.value, 0
        )
        if depth == 0:
            break
        if token.value == "," and depth == 1:
            found.append([])
        elif token.value != "(" or depth > 1:
            found[-1].append(token)
    return found


def _is_output(parameter: Sequence[Lexeme], known: set[str]) -> bool:
    """Whether a parameter is an array of floating numbers that may be written."""
    words = [t.value for t in parameter]
    if not any(_is_floating(w, known) for w in words):
        return False
    if any("TensorAccessor" in w for w in words):
        return True
    star = next((i for i, w in enumerate(words) if w in ("*", "[")), None)
    return star is not None and "const" not in words[:star]
