"""What each message means: the table of errors.toml, with the examples of docs/errors.md.

The page is made of both: `tests/test_error_index.py` runs the examples and writes what they
print. So a wheel has the messages as printed, and nothing has to be run to show them.
"""

from __future__ import annotations

import re
import textwrap
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from .resources import folder

WIDTH = 96
_FENCED = re.compile(r"^(?:`([^`\n]+)`:\n\n)?```\w*\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Entry:
    """What one message means, why it is said, what leads out, and which pages say more."""

    code: str
    group: str
    means: str
    instead: str
    why: str = ""
    see: tuple[str, ...] = ()


@dataclass(frozen=True)
class Group:
    """Messages about one subject."""

    title: str
    entries: tuple[Entry, ...]


@cache
def groups() -> tuple[Group, ...]:
    """Return the table of errors.toml."""
    text = (Path(__file__).parent / "errors.toml").read_text(encoding="utf-8")
    return tuple(
        Group(
            table["title"],
            tuple(
                Entry(code, table["title"], **{**said, "see": tuple(said.get("see", ()))})
                for code, said in table.items()
                if code != "title"
            ),
        )
        for table in tomllib.loads(text).values()
    )


def entries() -> Mapping[str, Entry]:
    """Return all entries by code."""
    return {entry.code: entry for group in groups() for entry in group.entries}


def topics() -> Mapping[str, Path]:
    """Return the pages of documentation by name."""
    return {path.stem: path for path in sorted(folder("docs").glob("*.md"))}


def example(code: str) -> tuple[tuple[str, str], ...]:
    """Return the example of a code: files by name, then a command with what it prints, which has no name.

    Some codes have several examples, one after the other.
    """
    page = topics().get("errors")
    if page is None:
        return ()
    section = re.search(
        rf"^### {re.escape(code)}\n(.*?)(?=^##|\Z)",
        page.read_text(encoding="utf-8"),
        re.MULTILINE | re.DOTALL,
    )
    return tuple(_FENCED.findall(section[1])) if section else ()


def told(entry: Entry) -> str:
    """Return an entry with its example, as text for a terminal."""
    parts = [f"{entry.code}  ({entry.group})", _filled(entry.means)]
    if entry.why:
        parts.append(_filled(f"Why: {entry.why}"))
    for name, text in example(entry.code):
        block = textwrap.indent(text.rstrip("\n"), "    ", lambda line: line.strip() != "")
        parts.append(f"{name}:\n\n{block}" if name else block)
    parts.append(_filled(f"What to do: {entry.instead}"))
    if entry.see:
        parts.append("More: " + ", ".join(f"s2sad help {page}" for page in entry.see))
    return "\n\n".join(parts) + "\n"


def listed() -> str:
    """Return all codes by group, and the topics."""
    parts = ["s2sad help CODE explains a message, with an example. The codes:"]
    for group in groups():
        names = _wrapped(", ".join(entry.code for entry in group.entries), "  ")
        parts.append(f"{group.title}\n{names}")
    pages = _wrapped(", ".join(topics()), "  ")
    parts.append(f"s2sad help TOPIC prints a page:\n{pages}")
    parts.append("s2sad help COMMAND lists the options of a command, like s2sad COMMAND --help.")
    return "\n\n".join(parts) + "\n"


def _filled(text: str) -> str:
    return _wrapped(text, "")


def _wrapped(text: str, indent: str) -> str:
    return textwrap.fill(
        text,
        WIDTH,
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
