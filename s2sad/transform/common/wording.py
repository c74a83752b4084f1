"""Word lists and agreement in messages: `a, b and c are`."""

from __future__ import annotations


def listed(names: list[str]) -> str:
    if len(names) == 1:
        return names[0]
    return ", ".join(names[:-1]) + " and " + names[-1]


def is_(names: list[str]) -> str:
    return "is" if len(names) == 1 else "are"
