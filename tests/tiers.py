"""Which kept kernels are judged in which shape each time, and which only by `.ci/thorough`.

A kernel in one shape takes about a second. By default each is judged in one of the two,
neighbours in different ones; the other half is the thorough tier's.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

import pytest

Kept = TypeVar("Kept")

_HALVES = (("joint", 0, False), ("split", 1, False), ("joint", 1, True), ("split", 0, True))

in_both_shapes = pytest.mark.parametrize(
    ("mode", "first"),
    [
        pytest.param(mode, first, marks=[pytest.mark.thorough] if later else [], id=f"{mode}-{first}")
        for mode, first, later in _HALVES
    ],
)
"""Calls a test with a `mode` and the `first` of `every_other` kernel that it is to judge in it."""


def every_other(kept: Sequence[Kept], first: int) -> list[Kept]:
    """Half of them."""
    return list(kept[first::2])


def half_thorough(names: Iterable[object]) -> list[Any]:
    """Parameters of which every second is the thorough tier's."""
    return [
        pytest.param(name, marks=[pytest.mark.thorough] if number % 2 else [])
        for number, name in enumerate(names)
    ]
