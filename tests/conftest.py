"""What the tests share: files that say what is expected word for word, and kernels that are kept.

A test that compares a text with a file rewrites the file when pytest is called with
`--update-golden`; the difference is then reviewed as any other change is.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("S2SAD_VERIFY", "1")  # the IR is held against ir.py's promises after each pass

import pytest
from golden_kit import KERNELS, batch

Golden = Callable[[Path, str], None]

# What says soon whether a change broke something: texts and IR, but next to no kernel that runs.
FAST = {"analysis", "emit", "parse", "transform"} | {
    f"test_{name}"
    for name in ("errors", "fixpoint", "identity", "imports", "messages", "passes", "prelude", "sizes")
}
NOT_FAST = {
    f"test_{name}"
    for name in (
        *("against_the_compiler", "bitcast_checks", "depth", "distribute_tiles", "global_access_at_random"),
        *("plan_only", "recognise_block_sums", "robustness", "scale", "store_half_precision", "trip_bounds"),
    )
}


@pytest.hookimpl(tryfirst=True)  # before xdist looks at the marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks what is fast; what is asked of a golden kernel is asked in one process.

    So that its adjoints are made once: `--dist loadgroup` of pytest-xdist; without it the marks mean nothing.
    """
    for item in items:
        module = item.path.stem
        if not FAST.isdisjoint((module, item.path.parent.name)) and module not in NOT_FAST:
            item.add_marker(pytest.mark.fast)
        callspec = getattr(item, "callspec", None)
        name = callspec.params.get("name") if callspec is not None else None
        if name in KERNELS:
            item.add_marker(pytest.mark.xdist_group(f"golden{batch(name)}"))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write what golden files should say")


@pytest.fixture
def golden(pytestconfig: pytest.Config) -> Golden:
    """golden(path, text): the file says exactly this, or is made to."""

    def check(path: Path, text: str) -> None:
        if pytestconfig.getoption("--update-golden"):
            path.write_text(text, encoding="utf-8")
        written = path.read_text(encoding="utf-8") if path.exists() else ""
        assert written == text, f"{path.name} says something else; --update-golden rewrites it"

    return check
