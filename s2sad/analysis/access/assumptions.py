"""Read what the user asserts of a kernel and no analysis can find out: `--assume`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ...ir import Sym


@dataclass(frozen=True)
class Assumptions:
    """What the user knows and no analysis can.

    `injective`: integer arrays in which no value occurs twice, and arrays of whose
    elements no two threads plainly store the same. `ordered`: integer arrays in which no
    value is below the one before it. `dimensions`: the launch has no more than so many.
    """

    injective: frozenset[str] = frozenset()
    ordered: frozenset[str] = frozenset()
    dimensions: int = 3

    @staticmethod
    def of(words: Iterable[str]) -> Assumptions:
        """From `injective:idx`, `sorted:start`, `launch:1d`; words of other kinds are for others to judge."""
        injective, ordered, dimensions = set[str](), set[str](), 3
        for word in words:
            kind, _, what = word.partition(":")
            if kind == "injective":
                injective.add(what)
            elif kind == "sorted":
                ordered.add(what)
            elif kind == "launch" and what in ("1d", "2d"):
                dimensions = min(dimensions, int(what[0]))
        return Assumptions(frozenset(injective), frozenset(ordered), dimensions)

    def distinct(self, array: Sym) -> bool:
        """Whether no two threads store one element of an array; of structs the whole array is named."""
        return not self.injective.isdisjoint((array.name, array.variable))


NOTHING = Assumptions()
