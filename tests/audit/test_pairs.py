"""Right backward kernels are called right: hand-written adjoints, and extensions' kernels."""

from __future__ import annotations

import pytest
from audit_kit import FOLDERS, GOLDEN, HERE, Pair, audit, pair_of
from tiers import half_thorough

REFERENCE = sorted(p.name for folder in FOLDERS for p in folder.glob("*_adj.cu") if folder.name != "hand")
HAND = sorted(
    f"{path.stem}_adj.cu"
    for path in (HERE / "reference").glob("*.toml")
    if not path.with_suffix(".cu").exists()
)
OTHERS = [
    "saxpy_adj.cu",
    "horner_adj.cu",
    "relax_adj.cu",
    "mlp_row_adj.cu",
    "stencil3_atomic_adj.cu",
    "relax_adj_atomic.cu",
]
EXTENSIONS = sorted(path.name for path in (HERE / "extensions").glob("*.cu"))


def test_there_are_all_hand_written_pairs_and_twelve_extensions() -> None:
    assert len(EXTENSIONS) == 12
    assert len({*REFERENCE, *HAND, *OTHERS}) >= 25


@pytest.mark.parametrize("name", ["pingpong", "asked_by_pragma", "attention_row", "scratch"])
def test_what_s2sad_writes_is_called_right(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """In place; recorded by a launch of its own; with a tape; with a scratch array."""
    pair = Pair(GOLDEN / f"{name}.cu", GOLDEN / f"{name}_adj.cu", GOLDEN / f"{name}.toml")
    status, said = audit(pair, capsys)
    assert status == 0, said


@pytest.mark.parametrize("name", half_thorough([*REFERENCE, *HAND, *OTHERS, *EXTENSIONS]))
def test_a_right_backward_kernel_is_called_right(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, said = audit(pair_of(name), capsys)
    assert status == 0, said
    assert "no exact tangents" not in said
    assert "not watched" not in said
