"""Read the user's assertions about a kernel that no analysis can prove: `--assume`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ...ir import Sym


@dataclass(frozen=True)
class Assumptions:
    """The user's assertions.

    `injective`: integer arrays in which no value occurs twice, and arrays to whose
    elements no two threads make plain stores. `ordered`: integer arrays in which no
    value is below the one before it. `earlier`: integer arrays in which each value is below its index.
    `dimensions`: an upper bound on the launch's dimensions.
    """

    injective: frozenset[str] = frozenset()
    ordered: frozenset[str] = frozenset()
    earlier: frozenset[str] = frozenset()
    dimensions: int = 3

    @staticmethod
    def of(words: Iterable[str]) -> Assumptions:
        """Parse `injective:idx`, `sorted:start`, `launch:1d`; words of other kinds are checked elsewhere."""
        injective, ordered, earlier, dimensions = set[str](), set[str](), set[str](), 3
        for word in words:
            kind, _, what = word.partition(":")
            if kind == "injective":
                injective.add(what)
            elif kind == "sorted":
                ordered.add(what)
            elif kind == "earlier":
                earlier.add(what)
            elif kind == "launch" and what in ("1d", "2d"):
                dimensions = min(dimensions, int(what[0]))
        return Assumptions(frozenset(injective), frozenset(ordered), frozenset(earlier), dimensions)

    def distinct(self, array: Sym) -> bool:
        """Whether no two threads store to one element of an array (of structs: named as a whole)."""
        return not self.injective.isdisjoint((array.name, array.variable))


NOTHING = Assumptions()
