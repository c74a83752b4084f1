"""The cases of examples, gallery and golden kernels reach all of both texts, or say why not.

`benchmarks/reached.py` measures all of them and stores the results. This tests a few, and in the
thorough tier those whose kernel, case or adjoint changed since.
"""

from __future__ import annotations

import importlib
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from s2sad.run.isolated import Isolated

ROOT = Path(__file__).resolve().parent.parent
FEW = (
    "examples/heat.cu",
    "examples/gallery/gray_scott.cu",
    "tests/golden/own_element.cu",
    "tests/golden/absent_through_two.cu",
    "tests/golden/bodies_apart.cu",
)


@pytest.fixture(scope="module")
def reached() -> Iterator[ModuleType]:
    sys.path.insert(0, str(ROOT / "benchmarks"))
    try:
        yield importlib.import_module("reached")
    finally:
        sys.path.remove(str(ROOT / "benchmarks"))


@pytest.fixture(scope="module")
def backend() -> Iterator[Isolated]:
    with Isolated("cpu", timeout=60.0) as isolated:
        yield isolated


@pytest.mark.parametrize("name", FEW)
def test_a_case_reaches_all_of_both_texts_or_says_why_not(
    name: str, reached: ModuleType, backend: Isolated
) -> None:
    told = reached.reached(ROOT / name, backend)
    assert reached.whole(reached.entry(ROOT / name, told)), [one.names() for one in told]


@pytest.mark.thorough
def test_so_do_those_that_changed_since_all_were_looked_at_and_all_their_launches_are_right(
    reached: ModuleType, backend: Isolated
) -> None:
    missed = {}
    for kernel in reached.changed(list(reached.FOLDERS)):
        told = reached.reached(kernel, backend)
        if not reached.whole(reached.entry(kernel, told)):
            missed[kernel.name] = [one.names() or one.why_not for one in told]
        assert list(reached.wrong(kernel, backend)) == []
    assert missed == {}


def test_what_was_kept_says_of_every_kernel_that_nothing_is_missed(reached: ModuleType) -> None:
    kept = reached.kept()
    assert [name for name, one in kept.items() if not reached.whole(one)] == []


def test_a_reason_is_a_sentence(reached: ModuleType) -> None:
    for kernel in reached.kernels(list(reached.FOLDERS)):
        reasons = tomllib.loads(kernel.with_suffix(".toml").read_text(encoding="utf-8")).get("uncovered", {})
        assert all(len(reason.split()) > 3 for reason in reasons.values()), kernel
