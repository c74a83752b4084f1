"""Choices at random that can be made again, and made simpler."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

Option = TypeVar("Option")


class Draw:
    """Picks options and notes which; of each list the first is the simplest.

    With `again`, the numbers of an earlier draw, it picks those; what is beyond them is the first.
    """

    def __init__(self, rng: random.Random | None = None, again: Sequence[int] = ()) -> None:
        self._rng = rng
        self._again = again
        self.made: list[int] = []

    def pick(self, options: Sequence[Option]) -> Option:
        """One of the options."""
        at = len(self.made)
        if self._rng is not None:
            number = self._rng.randrange(len(options))
        else:
            number = min(self._again[at], len(options) - 1) if at < len(self._again) else 0
        self.made.append(number)
        return options[number]

    def one_in(self, many: int) -> bool:
        """True once in so many times; false is the simpler."""
        return self.pick((False,) * (many - 1) + (True,))
