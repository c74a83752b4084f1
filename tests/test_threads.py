"""Kernels in which some threads return early, by class, in both shapes.

Each file of tests/threads has a kernel, a line `//--` and a case in comments. It is right in
both shapes, or refused with the code in its line `// refused CODE`; and either in bounded time.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from fuzz.batch import judge_texts
from test_fuzz import read
from tiers import every_sixth, in_both_shapes

from s2sad.options import Mode, Options

FOLDER = Path(__file__).parent / "threads"
CLASSES = sorted(path.name for path in FOLDER.iterdir())


@in_both_shapes
@pytest.mark.parametrize("kind", CLASSES)
def test_kernels_are_right_or_refused_for_the_reason_that_they_say(kind: str, mode: Mode, first: int) -> None:
    paths = every_sixth(sorted((FOLDER / kind).glob("*.cu")), first)
    texts = [(source, case, request.over(Options(mode=mode))) for source, case, request in map(read, paths)]
    verdicts = judge_texts(texts)
    found = {path.stem: v for path, v in zip(paths, verdicts, strict=True)}
    allowed = {path.stem: ("ok", *_refusals(path)) for path in paths}
    assert {name: (v.kind, v.detail) for name, v in found.items() if v.kind not in allowed[name]} == {}


def _refusals(path: Path) -> list[str]:
    """Return the refusals that a kernel may get instead of an adjoint."""
    return re.findall(r"^// (refused \S+)$", path.read_text(), flags=re.M)
