"""What peers get silently wrong is right here, or refused by name; `python -m tests.peers` prints it."""

from __future__ import annotations

import pytest
from fuzz.batch import judge_texts
from peers.table import Entry, entries, said


@pytest.fixture(scope="module")
def found() -> dict[tuple[str, str], str]:
    """What becomes of every kernel, in both shapes; each shape is one batch."""
    return {
        (name, mode): kind
        for mode in ("joint", "split")
        for name, kind in said(mode, lambda texts: [v.kind for v in judge_texts(texts)]).items()
    }


@pytest.mark.parametrize("mode", ["joint", "split"])
@pytest.mark.parametrize("entry", entries(), ids=lambda entry: entry.name)
def test_a_trap_is_right_or_refused(entry: Entry, mode: str, found: dict[tuple[str, str], str]) -> None:
    assert found[entry.name, mode].startswith(entry.expected)
