"""What peers get silently wrong is right here, or refused by name; `python -m tests.peers` prints it."""

from __future__ import annotations

from functools import cache

import pytest
from fuzz.batch import judge_texts
from peers.table import Entry, entries, said

# One shape is judged in one process.
MODES = [
    pytest.param("joint", marks=pytest.mark.xdist_group("peers-joint")),
    pytest.param("split", marks=[pytest.mark.xdist_group("peers-split"), pytest.mark.thorough]),
]


@cache
def found(mode: str) -> dict[str, str]:
    """What becomes of every kernel in a shape; all of them are one batch."""
    return said(mode, lambda texts: [v.kind for v in judge_texts(texts)])


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("entry", entries(), ids=lambda entry: entry.name)
def test_a_trap_is_right_or_refused(entry: Entry, mode: str) -> None:
    assert found(mode)[entry.name].startswith(entry.expected)
