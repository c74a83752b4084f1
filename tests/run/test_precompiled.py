"""Beginnings that many texts have in common: compiled once, and nothing else is different."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from run_kit import signature

from s2sad.run.backend import CompileFailed
from s2sad.run.cpu import CpuBackend, compiler, precompiled

TEXT = "__global__ void k(const float *x, float *y)\n{\n    y[threadIdx.x] = %d.5f * x[threadIdx.x];\n}\n"
KERNEL = signature("k(const float *x, float *y)")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache in which nothing is, and a process that has compiled nothing."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(precompiled, "_seen", precompiled.Counter())
    if compiler.family(compiler.compiler()) != "gcc":
        monkeypatch.setattr(precompiled, "AFTER", 1000)
    return compiler.cache_folder()


def launched(number: int) -> float:
    y = np.zeros(2, np.float32)
    module = CpuBackend().compile(TEXT % number, [KERNEL], name="k.cu")
    module.launch(KERNEL, (1, 1, 1), (2, 1, 1), {"x": np.array([1, 2], np.float32), "y": y})
    return float(y[1])


def test_what_comes_again_and_again_is_compiled_once(folder: Path) -> None:
    made = []
    for number in range(precompiled.AFTER + 2):
        assert launched(number) == 2 * number + 1
        made.append({path.name: path.stat().st_mtime_ns for path in folder.glob("*.gch")})
    if compiler.family(compiler.compiler()) == "gcc":
        assert [len(files) for files in made] == [*[0] * precompiled.AFTER, 1, 1]
        assert made[-1] == made[-2]


def test_it_is_really_read_and_lines_stay_what_they_are(folder: Path) -> None:
    for number in range(precompiled.AFTER + 1):
        launched(number)
    for header in folder.glob("*.h"):
        header.write_text("#error read as it stands\n")
    assert launched(7) == 15.0
    with pytest.raises(CompileFailed, match=r"k\.cu:3:\d+: error: .*nowhere"):
        CpuBackend().compile(TEXT.replace("x[threadIdx.x]", "nowhere") % 1, [KERNEL], name="k.cu")


def test_other_flags_and_other_floats_have_one_of_their_own(folder: Path) -> None:
    backend = CpuBackend()
    for number in range(precompiled.AFTER + 1):
        launched(number)
        backend.compile(TEXT % number, [KERNEL], real="double", quick=True)
        backend.watch(TEXT % number, [KERNEL], real="double")
        backend.differentiate(TEXT % number, [KERNEL])
    if compiler.family(compiler.compiler()) == "gcc":
        assert len(list(folder.glob("*.gch"))) == 4


@pytest.mark.parametrize("line", ['#include "mine.h"', "#define KEPT 1", "int x;"])
def test_what_is_the_authors_own_is_no_beginning(line: str) -> None:
    def never(*_: object) -> Path:
        raise AssertionError

    unit = f'#define S2SAD_REAL float\n{line}\n#include "cuda_on_cpu.h"\nint y;\n'
    for _ in range(precompiled.AFTER + 1):
        assert precompiled.parted(unit, never, never) == ((), unit)
