"""Word lists and agreement in messages: `a, b and c are`."""

from __future__ import annotations

from collections.abc import Iterable


def listed(names: list[str]) -> str:
    if len(names) == 1:
        return names[0]
    return ", ".join(names[:-1]) + " and " + names[-1]


def is_(names: list[str]) -> str:
    return "is" if len(names) == 1 else "are"


def in_rows(names: Iterable[str], width: int) -> list[str]:
    """Join names by commas into rows of at most `width` characters; a longer name has a row."""
    found: list[str] = []
    for name in names:
        if found and len(found[-1]) + len(", ") + len(name) <= width:
            found[-1] += f", {name}"
        else:
            found.append(name)
    return found
