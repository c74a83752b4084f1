"""Shared parts of the tests: golden files with expected texts, and golden kernels.

A test that compares a text with a file rewrites the file when pytest is called with
`--update-golden`; the difference is then reviewed like any other change.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("S2SAD_VERIFY", "1")  # verify ir.py's invariants after each pass

import pytest
from golden_kit import KERNELS, batch

Golden = Callable[[Path, str], None]

# Tests that quickly show whether a change broke something: texts and IR, with hardly any kernel run.
FAST = {"analysis", "emit", "parse", "transform"} | {
    f"test_{name}"
    for name in ("errors", "fixpoint", "identity", "imports", "messages", "passes", "prelude", "sizes")
}
EVERY_KERNEL = {"test_what_a_pass_makes_of_a_loop_is_that_loop"}  # tests that parse all golden kernels
RUNS_KERNELS = {"backend", "cpu"}  # a test with one of these fixtures compiles and runs kernels
NOT_FAST = {
    f"test_{name}"
    for name in (
        *("against_the_compiler", "bitcast_checks", "depth", "distribute_tiles", "global_access_at_random"),
        *("plan_only", "recognise_block_sums", "robustness", "scale", "store_half_precision", "trip_bounds"),
    )
}


def is_fast(path: Path) -> bool:
    """Whether the tests of a file belong to the fast tier."""
    return not FAST.isdisjoint((path.stem, path.parent.name)) and path.stem not in NOT_FAST


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Skip files without a fast test under `-m fast`: otherwise each process would import all of them."""
    skip = (
        config.option.markexpr == "fast" and collection_path.suffix == ".py" and not is_fast(collection_path)
    )
    return True if skip else None


@pytest.hookimpl(tryfirst=True)  # before xdist reads the marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark fast tests, and group all tests of a golden kernel in one process.

    So its adjoints are made once: `--dist loadgroup` of pytest-xdist; without it the groups have no effect.
    """
    for item in items:
        quick = RUNS_KERNELS.isdisjoint(getattr(item, "fixturenames", ()))
        if is_fast(item.path) and quick and getattr(item, "originalname", "") not in EVERY_KERNEL:
            item.add_marker(pytest.mark.fast)
        callspec = getattr(item, "callspec", None)
        name = callspec.params.get("name") if callspec is not None else None
        if name in KERNELS:
            item.add_marker(pytest.mark.xdist_group(f"golden{batch(name)}"))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write what golden files should say")


@pytest.fixture
def golden(pytestconfig: pytest.Config) -> Golden:
    """golden(path, text): check that the file has exactly this text, or update it."""

    def check(path: Path, text: str) -> None:
        if pytestconfig.getoption("--update-golden"):
            path.write_text(text, encoding="utf-8")
        written = path.read_text(encoding="utf-8") if path.exists() else ""
        assert written == text, f"{path.name} says something else; --update-golden rewrites it"

    return check
