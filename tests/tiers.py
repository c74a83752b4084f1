"""Select the shape in which each kept kernel is judged by default, and only by `.ci/thorough`.

A kernel in one shape takes about a second. By default each is judged in one of the two,
neighbours in different ones; the other half belongs to the thorough tier.
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
"""Calls a test with a `mode` and the `first` of `every_other` kernel to judge in it."""


def every_other(kept: Sequence[Kept], first: int) -> list[Kept]:
    """Return every other kernel, from the one numbered `first`."""
    return list(kept[first::2])


def half_thorough(names: Iterable[object]) -> list[Any]:
    """Return parameters, with every second one marked for the thorough tier."""
    return [
        pytest.param(name, marks=[pytest.mark.thorough] if number % 2 else [])
        for number, name in enumerate(names)
    ]


def sampled(names: Sequence[str], every: int, always: Iterable[str]) -> list[Any]:
    """Return parameters: some names and every so many by default, the others for tests/derivatives.sh."""
    kept = {*always, *names[::every]}
    return [pytest.param(name, marks=[] if name in kept else [pytest.mark.derivatives]) for name in names]
