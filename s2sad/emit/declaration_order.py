"""Order types and constants after the names they use: constants after types, but `K` before `P`.

constexpr int K = 6;
struct P { float h[K]; };
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from .words import identifiers


@dataclass(frozen=True)
class Named:
    """The text of a constant, and its name."""

    name: str
    text: str


def in_order(types: Sequence[str], constants: Sequence[Named]) -> list[list[str]]:
    """Return the texts, both in the order of the file, in parts of one kind each."""
    parts: list[list[str]] = [[]]
    left = {constant.name: constant.text for constant in constants}
    for text in types:
        early = _needed(identifiers(text), left)
        if early:
            parts += [[left.pop(name) for name in list(left) if name in early], []]
        parts[-1].append(text)
    return [part for part in (*parts, list(left.values())) if part]


def _needed(names: Iterable[str], left: Mapping[str, str]) -> set[str]:
    """Return the constants among the names, and those that their texts need."""
    found: set[str] = set()
    todo = list(names)
    while todo:
        name = todo.pop()
        if name in left and name not in found:
            found.add(name)
            todo += identifiers(left[name])
    return found
