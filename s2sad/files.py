"""Read the author's file and replace the output, without ever losing either.

A file is read whole and as text, or refused with the place of the offending byte.
An output appears whole or not at all: it is written beside its final place and
moved there, keeps its permissions, and is never the input file.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import re
import stat
import sys
import tempfile
from pathlib import Path

from .diagnostics import Code, Rejected, diagnose
from .python_strings import SUFFIX, texts
from .source import Source, Span

_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.MULTILINE)
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)+'", re.DOTALL)
STDIN_ARGUMENT = "-"
STDIN = "<stdin>"
TEXT = "<string>"  # a text that was passed instead of a path


def read(name: str) -> Source:
    """Read a file, or standard input for `-`; lines end in a line feed. In a script, read its kernels' texts.

    If it isn't UTF-8, its comments and strings are read as Latin-1.
    """
    shown = STDIN if name == STDIN_ARGUMENT else name
    try:
        data = _bytes(name)
    except (OSError, ValueError) as error:
        raise Rejected(diagnose(Code.UNREADABLE, None, file=shown, reason=_reason(error))) from None
    if b"\0" in data:
        raise Rejected(diagnose(Code.NOT_TEXT, _byte(shown, data, data.index(b"\0")), file=shown))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
        code = _COMMENT.sub(lambda found: "0" * len(found.group()), text)
        stray = next((i for i, c in enumerate(code) if not c.isascii()), None)
        if stray is not None:
            raise Rejected(diagnose(Code.NOT_UTF8, _byte(shown, data, stray), file=shown)) from None
    source = Source(shown, text.replace("\r\n", "\n").replace("\r", "\n"))
    return texts(source) if shown.endswith(SUFFIX) else source


_HIGHEST = 6
"""The maximum number of folders above a file to its project's root."""
_WIDEST = 2000
"""The maximum number of folders searched for one header."""
_SOURCES = (".cu", ".cuh", ".h", ".hpp", ".inl")
_PROJECT = (".git", "s2sad.toml", "setup.py", "pyproject.toml", "CMakeLists.txt", "compile_commands.json")


def given(source: str | os.PathLike[str], name: str | None = None) -> Source:
    """Return the text that was passed, or read the file. Raises Rejected.

    A string is a text if it has several lines or a kernel in it, or if it comes with a `name`.
    """
    if isinstance(source, str) and (name is not None or is_text(source)):
        return Source(name or TEXT, source.replace("\r\n", "\n").replace("\r", "\n"))
    found = read(os.fspath(source))
    return found if name is None else dataclasses.replace(found, name=name)


def is_text(source: object) -> bool:
    """Whether a string is a text and not a path."""
    return isinstance(source, str) and ("\n" in source or "__global__" in source)


def project_of(file: str) -> Path:
    """Return the root of a file's project: the nearest folder above it with a mark of one, else its own."""
    for folder in (found := above(file))[:_HIGHEST]:
        if any((folder / mark).exists() for mark in _PROJECT):
            return folder
    return found[0]


def above(file: str) -> list[Path]:
    """Return the folders above a file, nearest first."""
    return list(Path(os.path.abspath(file)).parents)


def folder_of(header: str, file: str) -> str:
    """Return the folder of a file's project that has the header, "" unless there is exactly one.

    The search goes up from the file, nearest folder first, to the project's root.
    """
    if file == STDIN or not os.path.isfile(file) or os.path.isabs(header):
        return ""
    name = os.path.normpath(header)
    for above in list(Path(os.path.abspath(file)).parents)[:_HIGHEST]:
        if above == Path.home() or above == above.parent:
            break
        found = [folder for folder in _below(above) if os.path.isfile(os.path.join(folder, name))]
        if found:
            return os.path.relpath(found[0]) if len(found) == 1 else ""
        if any((above / mark).exists() for mark in _PROJECT):
            break
    return ""


def _below(folder: Path) -> list[str]:
    """Return a folder and those below it, without hidden ones."""
    found: list[str] = []
    for at, inner, _ in os.walk(folder):
        inner[:] = sorted(name for name in inner if not name.startswith("."))
        found.append(at)
        if len(found) >= _WIDEST:
            break
    return found


def definer_of(name: str, file: str) -> str:
    """Return the file beside a file that defines a function, "" unless there is exactly one."""
    if file == STDIN or not os.path.isfile(file):
        return ""
    defines = re.compile(rf"\b{name}\s*\([^;{{}}]*\)\s*\{{")
    found = [
        path
        for path in sorted(Path(os.path.abspath(file)).parent.iterdir())
        if path.suffix in _SOURCES and path.is_file() and not path.samefile(file)
        if defines.search(_COMMENT.sub(" ", content(str(path)) or ""))
    ]
    return os.path.relpath(found[0]) if len(found) == 1 else ""


def replace(path: str, text: str) -> None:
    """Replace a file's text in one step, never seen half done."""
    try:
        target = os.path.realpath(path)
        if _is_device(target):
            Path(target).write_text(text, encoding="utf-8")
            return
        if os.path.isdir(target):
            raise IsADirectoryError(21, "it is a directory")
        _move_into_place(target, text)
    except (OSError, ValueError) as error:
        raise Rejected(diagnose(Code.UNWRITABLE, None, file=path, reason=_reason(error))) from None


def copy(source: Path, path: str) -> None:
    """Copy a file byte for byte."""
    try:
        Path(path).write_bytes(source.read_bytes())
    except OSError as error:
        raise Rejected(diagnose(Code.UNWRITABLE, None, file=path, reason=_reason(error))) from None


def same(one: str, other: str) -> bool:
    """Whether two names lead to one file, including through links of either kind."""
    if STDIN_ARGUMENT in (one, other):
        return False
    try:
        return os.path.samefile(one, other)
    except (OSError, ValueError):
        return os.path.realpath(one) == os.path.realpath(other)


def content(path: str) -> str | None:
    """Return the file's present text, or None if it can't be read."""
    try:
        return Path(path).read_bytes().decode("utf-8", errors="replace")
    except (OSError, ValueError):
        return None


def includers(path: Path) -> list[Path]:
    """Return the files beside a file that include it, ordered by name."""
    try:
        beside = sorted(p for p in path.parent.iterdir() if p.suffix in (".cu", ".cpp", ".cc") and p != path)
    except OSError:
        return []
    named = re.compile(r"(?:\./)*" + re.escape(path.name))
    texts = {p: content(str(p)) or "" for p in beside}
    return [p for p, text in texts.items() if any(named.fullmatch(n) for n in _INCLUDE.findall(text))]


def _bytes(name: str) -> bytes:
    if name != STDIN_ARGUMENT:
        return Path(name).read_bytes()
    if sys.stdin is None:
        raise OSError("standard input is closed")
    return sys.stdin.buffer.read()


def _move_into_place(target: str, text: str) -> None:
    folder = os.path.dirname(target) or "."
    handle, temporary = tempfile.mkstemp(prefix=".s2sad-", dir=folder)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        os.chmod(temporary, _mode(target))
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def _mode(target: str) -> int:
    """Return the permissions of the replaced file, or those of any new file."""
    with contextlib.suppress(FileNotFoundError):
        return stat.S_IMODE(os.stat(target).st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _is_device(target: str) -> bool:
    """Whether a file is a device or a pipe, as `/dev/null`: written to, not replaced."""
    try:
        mode = os.stat(target).st_mode
    except (OSError, ValueError):
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def _byte(name: str, data: bytes, offset: int) -> Span:
    """Return the place of a byte, for a message, in the file's text as Latin-1."""
    text = data.decode("latin-1")
    return Span(Source(name, text), offset, offset + 1)


def _reason(error: OSError | ValueError) -> str:
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return text[:1].lower() + text[1:]
