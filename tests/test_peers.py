"""Kernels that peers silently get wrong are right here, or refused; `python -m tests.peers` prints them."""

from __future__ import annotations

from functools import cache

import pytest
from fuzz.batch import judge_texts
from peers.table import Entry, entries, said

# Each shape is judged in one process.
MODES = [
    pytest.param("joint", marks=pytest.mark.xdist_group("peers-joint")),
    pytest.param("split", marks=[pytest.mark.xdist_group("peers-split"), pytest.mark.thorough]),
]


@cache
def found(mode: str) -> dict[str, str]:
    """Return the result for every kernel in a shape, all in one batch."""
    return said(mode, lambda texts: [v.kind for v in judge_texts(texts)])


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("entry", entries(), ids=lambda entry: entry.name)
def test_a_trap_is_right_or_refused(entry: Entry, mode: str) -> None:
    assert found(mode)[entry.name].startswith(entry.expected)
