"""Select the shape in which each kept kernel is judged by default, and only by `.ci/thorough`.

A kernel in one shape takes about a second. By default one of three neighbours is judged in the joint shape
and another in the split shape; the rest belongs to the thorough tier.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

import pytest

Kept = TypeVar("Kept")

_DEFAULT = (("joint", 0), ("split", 1))

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
        for first in range(3)
    ],
)
"""Calls a test with a `mode` and the `first` of `every_third` kernel to judge in it."""


def every_third(kept: Sequence[Kept], first: int) -> list[Kept]:
    """Return every third kernel, from the one numbered `first`."""
    return list(kept[first::3])


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
