"""Sums of a row of shared memory are completed in a loop and added up together."""

from __future__ import annotations

from pathlib import Path

import pytest
from golden_kit import FOLDER

from s2sad.options import Options
from s2sad.pipeline import transform
from s2sad.run.isolated import Isolated
from s2sad.source import Source
from s2sad.validate import Case, check_pair

SEEDS = Path(__file__).parents[2] / "benchmarks" / "seeds"


def in_loops(said: str) -> int:
    """Return how many block-wide sums of one value a text makes."""
    return said.count(" block_add(&")


@pytest.mark.parametrize("folder", [FOLDER, SEEDS], ids=["golden", "seeds"])
def test_a_row_is_summed_at_once(folder: Path) -> None:
    name, call = ("attention_head", "block_add_4(&adj_vs[trip][0], adj_vs_sum);")
    if folder is SEEDS:
        name, call = ("volumerhs", "block_add_5(&adj_s_D[k][0], adj_s_D_sum);")
    source = Source(f"{name}.cu", (folder / f"{name}.cu").read_text(encoding="utf-8"))
    done = transform(source, Options())
    assert call in done.text
    assert in_loops(done.text) == 0
    case = Case.read(folder / f"{name}.toml", done.pair.primal)
    with Isolated("cpu", timeout=60.0) as backend:
        report = check_pair(done.pair, case, backend, tolerance=1e-7)
    assert report.ok, report.text()
