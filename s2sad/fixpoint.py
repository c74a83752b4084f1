"""Iterations that end: every one of them is a monotone step on a lattice of known height.

    grown = fixpoint(lambda found: found | neighbours(found), frozenset(start), len(nodes), "who meets")

An iteration that only adds to a set (or only takes away) changes it as often as there are
elements; one over a table, as often as its entries have values above the first. That number is the
height. An iteration that goes on beyond it has a step that isn't monotone: an error of ours, which
says which iteration it is and, where it is known, of which kernel's line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from .source import Span

T = TypeVar("T")


class Unsettled(RuntimeError):
    """An iteration that went on beyond the height of its lattice."""

    def __init__(self, what: str, height: int, place: Span | None = None) -> None:
        where = f" at {place.source.name}:{place.line}" if place is not None else ""
        super().__init__(f"{what} doesn't settle after {height} rounds{where}")


def fixpoint(step: Callable[[T], T], start: T, height: int, what: str, place: Span | None = None) -> T:
    """The first value that a step leaves as it is, from `start` on.

    `height` is how often a value can change: each step must go up the lattice, or each down.
    Raises Unsettled beyond it.
    """
    value = start
    for _ in rounds(height, what, place):
        new = step(value)
        if new == value:
            return value
        value = new
    raise AssertionError(what)


def rounds(height: int, what: str, place: Span | None = None) -> Iterator[int]:
    """Counts the rounds of an iteration: `height` that may change something, and one that doesn't.

    Raises Unsettled where one more is asked for.
    """
    yield from range(height + 1)
    raise Unsettled(what, height, place)
