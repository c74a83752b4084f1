"""A few faults are seeded and must be caught, so that benchmarks/mutants.py keeps working.

All of them take a quarter of an hour on two cores; `python benchmarks/mutants.py` prints the table.
"""

from __future__ import annotations

import importlib
import json
import re
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType
from typing import Any

import golden_kit
import pytest
from tiers import half_thorough

FOLDER = Path(__file__).resolve().parent.parent / "benchmarks"
# By name, with one check that must be among those that catch it.
CAUGHT = {
    "clear-dropped": "differences",
    "any-order-of-iterations": "differences",
    "increments-always-plain": "race",
    "tape-one-row-short": "contract",
    "split-hands-over-the-version-before": "exact tangents",
    "atomic-removed-at-a-scalar": "race",
    "factor-of-a-hair": "exact tangents",
    "guard-one-too-far": "out-of-bounds",
}


@pytest.fixture(scope="module")
def mutants() -> Iterator[ModuleType]:
    names = ("report", "mutants", "mutants_unsafe")
    before = set(sys.modules)
    sys.path.insert(0, str(FOLDER))
    try:
        yield importlib.import_module("mutants")
    finally:
        sys.path.remove(str(FOLDER))
        for name in set(sys.modules) - before:
            if name in names:
                del sys.modules[name]


def test_every_mutant_still_changes_one_place(mutants: ModuleType) -> None:
    every = mutants.read()
    assert mutants.stale(every) == []
    for kind, least in mutants.LEAST.items():
        assert sum(m.kind == kind for m in every) >= least
    assert len({m.name for m in every}) == len(every)


def test_a_mutant_names_kernels_that_there_are(mutants: ModuleType) -> None:
    kernels = {path.stem for path in (FOLDER.parent / "tests" / "golden").glob("*.toml")}
    for mutant in mutants.read():
        assert set(mutant.kernels) <= kernels, mutant.name
        if mutant.kind == "emitted":
            assert mutant.file.split()[0] in kernels, mutant.name


def test_a_text_that_stands_twice_is_no_mutant(mutants: ModuleType) -> None:
    mutant = mutants.Mutant("transformer", "m", "", "f", "a += 1", "a -= 1", within="def f(")
    text = "def e():\n    a += 1\n\ndef f():\n    a += 1\n    if a:\n        b\n\ndef g():\n    a += 1\n"
    assert mutant.applied(text) == text.replace("    a += 1\n    if", "    a -= 1\n    if")
    for wrong in (
        text.replace("    if a:", "    a += 1"),
        text.replace("def f(", "def h("),
        "def f():\n    b\n",
    ):
        with pytest.raises(mutants.Stale):
            mutant.applied(wrong)


@pytest.mark.parametrize("half", half_thorough(range(2)))
def test_faults_are_caught_by_the_check_that_is_made_for_them(
    mutants: ModuleType, tmp_path: Path, half: int
) -> None:
    names = [*CAUGHT][half::2]
    chosen = [m for m in mutants.read() if m.name in names]
    assert len(chosen) == len(names)
    bench = mutants.Bench(tmp_path)
    bench.baseline(mutants.kernels_of(chosen), 0)
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda m: bench.judge(m, 0, named=True), chosen))
    for mutant, outcome in zip(chosen, found, strict=True):
        assert CAUGHT[mutant.name] in outcome.caught, (mutant.name, outcome)
    assert bench.control(outcome.kernel for outcome in found) == []


def test_the_table_says_of_each_mutant_what_caught_it(mutants: ModuleType) -> None:
    written: dict[str, Any] = json.loads((FOLDER / "results" / "mutants.json").read_text(encoding="utf-8"))
    assert written["missed"] == []
    assert written["caught_without_a_fault"] == []
    for kind in mutants.KINDS:
        for row in written[kind]["mutants"]:
            assert row["caught_by"] or row["equivalent"], row["name"]


@pytest.fixture(scope="module")
def unsafe(mutants: ModuleType) -> ModuleType:
    sys.path.insert(0, str(FOLDER))
    try:
        return importlib.import_module("mutants_unsafe")
    finally:
        sys.path.remove(str(FOLDER))


EMITTED = """\
__global__ void k_fwd(float *x) { atomicAdd(&x[0], 1.0f); __syncthreads(); }
__global__ void k_adj(float *x, float *adj_a, int *count)
{
    // atomicAdd(&x[0], f(1.0f, 2.0f))
    atomicAdd(&x[i + g(a, b)],
              h(c, 1.0f));
    __syncthreads();
    int slot = atomicAdd(count, 1);
    atomicAdd(adj_a, adj_a_sum);
    __syncwarp(0xffffffffu);
}
"""


def test_atomics_and_barriers_are_taken_away_one_at_a_time(unsafe: ModuleType) -> None:
    found = list(unsafe.sites(EMITTED, "k_fwd"))
    assert [(site.line, site.new) for site in found] == [
        ("atomicAdd(&x[i + g(a, b)], h(c, 1.0f))", "x[i + g(a, b)] += h(c, 1.0f);"),
        ("__syncthreads()", ";"),
        ("atomicAdd(adj_a, adj_a_sum)", "*(adj_a) += adj_a_sum;"),
        ("__syncwarp(0xffffffffu)", ";"),
    ]
    for site in found:
        assert len(list(unsafe.sites(site.gone(EMITTED)))) == 5
    assert len(list(unsafe.sites(EMITTED))) == 6


def test_what_is_taken_away_is_missed(unsafe: ModuleType) -> None:
    """This tests two of the kernels of `python benchmarks/mutants_unsafe.py`."""
    for kernel in ("tile_reversed", "csr_spmv"):
        found = unsafe.apart(kernel, "joint")
        assert found
        assert {outcome.caught for outcome in found} == {"race"}, found


def test_what_may_be_taken_away_still_stands_there(unsafe: ModuleType) -> None:
    for name in unsafe.excused():
        kernel, line = name.split(": ", 1)
        numbered = re.fullmatch(r"(.*) \((\d+)\)", line)
        line, times = (numbered[1], int(numbered[2])) if numbered else (line, 1)
        texts = (golden_kit.made(kernel, mode).text for mode in golden_kit.modes(kernel))
        assert any([site.line for site in unsafe.sites(text)].count(line) >= times for text in texts), name
