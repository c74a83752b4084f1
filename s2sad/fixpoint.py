"""Terminating iterations: each is a monotone step on a lattice of known height.

    grown = fixpoint(lambda found: found | neighbours(found), frozenset(start), len(nodes), "who meets")

An iteration that only adds to a set (or only removes) changes it at most once per element;
one over a table, at most once per value above the first of each entry. That number is the
height. An iteration that exceeds it has a step that isn't monotone: an internal error, which
names the iteration and, where known, the kernel's line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from .source import Span

T = TypeVar("T")


class Unsettled(RuntimeError):
    """An iteration that exceeded the height of its lattice."""

    def __init__(self, what: str, height: int, place: Span | None = None) -> None:
        where = f" at {place.source.name}:{place.line}" if place is not None else ""
        super().__init__(f"{what} doesn't settle after {height} rounds{where}")


def fixpoint(step: Callable[[T], T], start: T, height: int, what: str, place: Span | None = None) -> T:
    """Return the first value from `start` on that a step doesn't change.

    `height` bounds how often a value can change: each step must go up the lattice, or each down.
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
    """Yield the rounds of an iteration: `height` that may change something, and one that doesn't.

    Raises Unsettled if another round is requested.
    """
    yield from range(height + 1)
    raise Unsettled(what, height, place)
