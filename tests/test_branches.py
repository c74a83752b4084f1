"""Faults in one side of a condition: found on a searched case, or reported as not reached.

`benchmarks/branches.py` judges all of mutants_branches.toml. This judges some of them, and checks
that the rest fit their texts.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "benchmarks"))

import branches  # noqa: E402

SOME = ("settle-emitted-early-exit-dropped", "rows-written-one-of-two-orders")
RIGHT = sorted({fault["kernel"] for fault in branches.FAULTS.values()})


@pytest.mark.parametrize("name", branches.FAULTS)
def test_a_fault_fits_its_text(name: str, tmp_path: Path) -> None:
    kernel, other = branches.faulty(name, tmp_path)
    assert kernel.exists()
    assert other.exists()


def test_there_are_twenty_of_each_and_the_results_are_theirs() -> None:
    texts = [fault["text"] for fault in branches.FAULTS.values()]
    assert (texts.count("emitted"), texts.count("written")) == (20, 20)
    kept = json.loads(branches.RESULTS.read_text(encoding="utf-8"))
    assert set(kept["each"]) == set(branches.FAULTS)
    assert kept["searched"]["missed"] == 0


@pytest.mark.parametrize("name", SOME)
def test_a_fault_in_a_rare_branch_is_found_or_named(name: str) -> None:
    assert branches.judged(name).searched in ("found", "reported")


@pytest.mark.parametrize("name", RIGHT[:2])
def test_the_backward_without_a_fault_is_right(name: str, tmp_path: Path) -> None:
    kernel, other = (branches.KERNELS / f"{name}{end}.cu" for end in ("", "_back"))
    case = tmp_path / "case.toml"
    case.write_text(branches.cases(kernel, other, emitted=False)[1], encoding="utf-8")
    report = branches.report(kernel, other, case, emitted=False)
    assert report.ok, report.text()
