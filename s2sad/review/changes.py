"""What changed in an adjoint since an older file of it: lines of the text, and rows of the plan.

The older file's plan is in its header, which has the same tables as the new one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

_TABLES = (
    "Arguments:",
    "Values recovered for the reverse sweep:",
    "Accumulation of adjoints:",
    "Kinks and singular points:",
    "Extra memory:",
)
_ASSUMPTIONS = "Assumptions:"
_NEAR = 2  # lines around a change


@dataclass(frozen=True)
class Hunk:
    """Lines that changed, with some around them: a sign, the old and the new number, the text."""

    lines: tuple[tuple[str, int, int, str], ...]


@dataclass(frozen=True)
class Changes:
    """`new` are the lines that the older file doesn't have; `plan` are rows: table, old, new."""

    old: str
    new: frozenset[int]
    hunks: tuple[Hunk, ...]
    plan: tuple[tuple[str, str, str], ...]
    removed: int = 0

    @property
    def same(self) -> bool:
        return not self.hunks


def changes(name: str, old: str, new: str) -> Changes:
    """Compare an older emitted text with the new one."""
    before, after = old.removesuffix("\n").split("\n"), new.removesuffix("\n").split("\n")
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    added: set[int] = set()
    removed = 0
    for tag, i, j, k, m in matcher.get_opcodes():
        if tag != "equal":
            added |= set(range(k + 1, m + 1))
            removed += j - i
    hunks = tuple(_hunk(group, before, after) for group in matcher.get_grouped_opcodes(_NEAR))
    return Changes(name, frozenset(added), hunks, _plan(header(old), header(new)), removed)


_Opcode = tuple[str, int, int, int, int]


def _hunk(group: Sequence[_Opcode], before: Sequence[str], after: Sequence[str]) -> Hunk:
    lines: list[tuple[str, int, int, str]] = []
    for tag, i, j, k, m in group:
        if tag == "equal":
            lines += [(" ", i + n + 1, k + n + 1, before[i + n]) for n in range(j - i)]
        else:
            lines += [("-", n + 1, 0, before[n]) for n in range(i, j)]
            lines += [("+", 0, n + 1, after[n]) for n in range(k, m)]
    return Hunk(tuple(lines))


Header = Mapping[str, Sequence[tuple[str, str]]]
"""The rows of each table of a header: the first column, and the others."""


def header(text: str) -> Header:
    """Read the tables of an emitted file's header."""
    found: dict[str, list[tuple[str, str]]] = {}
    table = ""
    for line in text.split("\n"):
        if not line.startswith("//"):
            break
        said = line[2:].strip()
        if said in _TABLES or said.startswith(_ASSUMPTIONS):
            table = said if said in _TABLES else _ASSUMPTIONS
            found[table] = [("", said.removeprefix(_ASSUMPTIONS).strip())] if table == _ASSUMPTIONS else []
        elif not said:
            table = ""
        elif table == _ASSUMPTIONS:
            found[table] = [("", f"{found[table][0][1]} {said}")]
        elif table:
            _row(found[table], line[2:])
    if _ASSUMPTIONS in found:
        found[_ASSUMPTIONS] = [(one.strip().rstrip("."), "") for one in found[_ASSUMPTIONS][0][1].split(";")]
    return found


def _row(rows: list[tuple[str, str]], line: str) -> None:
    """Add a line of a table: a row, or the rest of the one before it."""
    indent = len(line) - len(line.lstrip())
    first, *others = re.split(r"\s{2,}", line.strip())
    continued = rows and (indent > 5 or rows[-1][0].endswith(","))
    if not continued:
        rows.append((first, "  ".join(others)))
    elif indent > 5:
        rows[-1] = rows[-1][0], f"{rows[-1][1]} {' '.join((first, *others))}".strip()
    else:
        rows[-1] = f"{rows[-1][0]} {first}", f"{rows[-1][1]} {' '.join(others)}".strip()


def _plan(old: Header, new: Header) -> tuple[tuple[str, str, str], ...]:
    """Return the rows that differ: those of one subject beside each other."""
    found: list[tuple[str, str, str]] = []
    for table in (*_TABLES, _ASSUMPTIONS):
        before, after = _by_subject(old.get(table, ())), _by_subject(new.get(table, ()))
        for subject in dict.fromkeys((*before, *after)):
            was, now = before.get(subject, []), after.get(subject, [])
            if was != now:
                cells = _cell(subject, was, subject in before), _cell(subject, now, subject in after)
                found.append((table.rstrip(":").lower(), *cells))
    return tuple(found)


def _by_subject(rows: Sequence[tuple[str, str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for subjects, rest in rows:
        for subject in named(subjects) if rest else [subjects]:  # a row of one column is a sentence
            found.setdefault(subject, []).append(rest)
    return found


def named(subjects: str) -> list[str]:
    """Return the names of a row, each as a whole: `.y` behind `adj_p[..].x` is `adj_p[..].y`."""
    found: list[str] = []
    for subject in subjects.split(", "):
        whole = found[-1].rpartition(".")[0] if subject.startswith(".") and found else ""
        found.append(whole + subject)
    return found


def _cell(subject: str, rows: Sequence[str], there: bool) -> str:
    return "; ".join(f"{subject}  {row}".strip() for row in rows) if there else ""
