"""The kernels of benchmarks/seeds: both adjoints are right, ours is up to date, and each is in a benchmark.

`--update-golden` writes the adjoints again; benchmarks/seeds.py measures them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import Golden
from tiers import half_thorough

from s2sad import checking, files, pipeline
from s2sad.options import Options
from s2sad.run.backend import Backend
from s2sad.run.isolated import Isolated
from s2sad.signature import Argument
from s2sad.validate import Pair, check_pair

BENCHMARKS = Path(__file__).parent.parent / "benchmarks"
FOLDER = BENCHMARKS / "seeds"
KERNELS = [path for path in sorted(FOLDER.glob("*.cu")) if not path.stem.endswith("_adj")]
BY_HAND = [path for path in KERNELS if (FOLDER / "hand" / f"{path.stem}_adj.cu").exists()]
TOLERANCE = 1e-7


@pytest.fixture(scope="module")
def backend() -> Iterator[Backend]:
    with Isolated("cpu", timeout=60.0) as isolated:
        yield isolated


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda path: path.stem)
def test_the_adjoint_is_up_to_date_and_right(
    kernel: Path, golden: Golden, backend: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(FOLDER)
    adjoint = f"{kernel.stem}_adj.cu"
    source = files.read(kernel.name)
    golden(FOLDER / adjoint, pipeline.transform(source, Options()).text)
    (job,) = checking.prepare(source, files.read(adjoint), kernel.with_suffix(".toml"), Options())
    report = check_pair(job.pair, job.case, backend, tolerance=TOLERANCE, assume=job.assume)
    assert report.ok, report.text()


@pytest.mark.parametrize("kernel", half_thorough(BY_HAND), ids=lambda path: path.stem)
def test_the_adjoint_by_hand_has_the_same_gradient(kernel: Path, backend: Backend) -> None:
    """A hand-written adjoint has no tape, so our own signature is passed without it."""
    source = files.read(str(kernel))
    (job,) = checking.prepare(source, None, kernel.with_suffix(".toml"), Options())
    by_hand = (FOLDER / "hand" / f"{kernel.stem}_adj.cu").read_text(encoding="utf-8")
    report = check_pair(
        without_tape(job.pair, by_hand), job.case, backend, tolerance=TOLERANCE, assume=job.assume
    )
    assert report.ok, report.text()


def without_tape(pair: Pair, text: str) -> Pair:
    def kept(arguments: tuple[Argument, ...]) -> tuple[Argument, ...]:
        return tuple(a for a in arguments if a.role != "tape" and a.use != "trips")

    adjoint = pair.adjoint
    adjoint = replace(
        adjoint, arguments=kept(adjoint.arguments), wholes=kept(adjoint.wholes), tape=False, shared=False
    )
    return replace(pair, adjoint_text=text, adjoint=adjoint, measure=None)


def test_each_kernel_is_in_a_benchmark() -> None:
    told = tomllib.loads((BENCHMARKS / "seeds.toml").read_text(encoding="utf-8"))
    assert {kernel for entry in told.values() for kernel in entry["kernels"]} == {k.stem for k in KERNELS}
