"""Select the shape in which each kept kernel is judged by default, and only by `.ci/thorough`.

A kernel in one shape takes about a second. By default one of six neighbours is judged in the joint shape
and another in the split shape; the rest belongs to the thorough tier.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

import pytest

Kept = TypeVar("Kept")

_OF = 6
_DEFAULT = (("joint", 0), ("split", 3))

in_both_shapes = pytest.mark.parametrize(
    ("mode", "first"),
    [
        pytest.param(
            mode,
            first,
            marks=[] if (mode, first) in _DEFAULT else [pytest.mark.thorough],
            id=f"{mode}-{first}",
        )
        for mode in ("joint", "split")
        for first in range(_OF)
    ],
)
"""Calls a test with a `mode` and the `first` of `every_sixth` kernel to judge in it."""


def every_sixth(kept: Sequence[Kept], first: int) -> list[Kept]:
    """Return every sixth kernel, from the one numbered `first`."""
    return list(kept[first::_OF])


def half_thorough(names: Iterable[object]) -> list[Any]:
    """Return parameters, with every second one marked for the thorough tier."""
    return [
        pytest.param(name, marks=[pytest.mark.thorough] if number % 2 else [])
        for number, name in enumerate(names)
    ]


def sampled_pairs(ones: Iterable[str], others: Sequence[str]) -> list[Any]:
    """Return all pairs of two parameters; by default each of the first is in two, with the others in turn."""
    return [
        pytest.param(one, other, marks=[] if (k + j) % len(others) < 2 else [pytest.mark.thorough])
        for k, one in enumerate(ones)
        for j, other in enumerate(others)
    ]


def sampled(names: Sequence[str], every: int, always: Iterable[str]) -> list[Any]:
    """Return parameters: some names and every so many by default, the others for tests/derivatives.sh."""
    kept = {*always, *names[::every]}
    return [pytest.param(name, marks=[] if name in kept else [pytest.mark.derivatives]) for name in names]
