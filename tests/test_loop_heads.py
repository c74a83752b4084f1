"""Loops whose heads are easily misinterpreted: each file of loop_heads/ is judged in both shapes.

A condition may read variables that the body overwrites, so that one record of it per run of the loop
isn't enough. A counter may wrap around, so that `!=` doesn't imply a direction. All of
`check` is run.
"""

from __future__ import annotations

import re
from pathlib import Path

from fuzz.batch import judge_texts
from tiers import every_sixth, in_both_shapes

from s2sad.options import Mode, Options
from s2sad.pipeline import transform
from s2sad.source import Source

FILES = sorted((Path(__file__).parent / "loop_heads").glob("*.cu"))
ARGUMENTS = {
    "n": "n = 21",
    "m": "m = 5",
    "x": 'x = { shape = "n * 6", fill = "uniform(0.1, 1.9)" }',
    "y": 'y = { shape = "n * 6", fill = "uniform(0.1, 1.9)" }',
    "idx": 'idx = { shape = "n * 6", fill = "randint(0, 6)" }',
}
CASE = """
kernel = "{name}"
of = ["y"]
wrt = ["x"]
[launch]
grid = "(n + 7) / 8"
block = {block}
[args]
"""


def case(path: Path, source: str) -> str:
    """Return the case: kernels share parameter names, and have six elements of `x` and `y` per thread."""
    head = source.split("__global__ void", 1)[1].split(")", 1)[0]
    used = [line for name, line in ARGUMENTS.items() if re.search(rf"\b{name}\b", head)]
    block = 32 if "__shared__" in source else 8
    return CASE.format(name=path.stem, block=block) + "\n".join(used)


@in_both_shapes
def test_loops_of_every_head_have_right_gradients(mode: Mode, first: int) -> None:
    """One batch is one translation unit: separately they would take a minute."""
    files = every_sixth(FILES, first)
    sources = [path.read_text(encoding="utf-8") for path in files]
    asked = Options(of=("y",), wrt=("x",), mode=mode)
    texts = [(source, case(path, source), asked) for path, source in zip(files, sources, strict=True)]
    verdicts = dict(zip((path.stem for path in files), judge_texts(texts), strict=True))
    assert len(FILES) >= 30
    assert {name: v.detail for name, v in verdicts.items() if v.kind != "ok"} == {}


def test_trips_are_recorded_where_the_condition_is_gone() -> None:
    """Insertion sort records a trip count for each element, but not the elements that it moves."""
    path = next(path for path in FILES if path.stem == "insertion_sort")
    done = transform(
        Source(path.name, path.read_text(encoding="utf-8")), Options(of=("y",), wrt=("x",), mode="joint")
    )
    assert "int tape_trips[K - 1];" in done.text
    assert "float tape" not in done.text
    assert any("overwritten later" in d.reason for d in done.adjoint.plan.decisions)
