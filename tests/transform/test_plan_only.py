"""What a finished adjoint's plan decides was decided when nothing was built yet."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from s2sad import pipeline
from s2sad.analysis.plan import Decision
from s2sad.diagnostics import Rejected
from s2sad.options import Mode, Options
from s2sad.passes import Runner
from s2sad.source import Source
from s2sad.transform.pipelines import BUILD

GOLDEN = Path(__file__).parents[1] / "golden"
KERNELS = [p for p in sorted(GOLDEN.glob("*.cu")) if not p.stem.endswith(("_adj", "_split", "_fwd"))]


def unnamed(decision: Decision) -> Decision:
    """A decision without the name of its storage: copies get theirs as they are made."""
    return replace(decision, tape="")


@pytest.mark.parametrize("mode", ["joint", "split"])
def test_every_decision_is_made_before_a_statement_is(mode: Mode) -> None:
    compared = 0
    for path in KERNELS[::18]:
        source, options = Source(path.name, path.read_text(encoding="utf-8")), Options(mode=mode)
        try:
            done = pipeline.transform(source, options)
        except Rejected:
            continue
        plan, before = done.adjoint.plan, pipeline.decide(source, options).plan
        assert {*map(unnamed, plan.decisions)} <= {*map(unnamed, before.decisions)}, path.name
        assert {*plan.assumptions} <= {*before.assumptions}, path.name
        assert {row.target for row in plan.accumulations} <= {row.target for row in before.accumulations}
        compared += 1
    assert compared > 10


def test_nothing_is_built_for_a_plan() -> None:
    path = KERNELS[0]
    passes: list[str] = []
    runner = Runner().with_(lambda name, state, changed: passes.append(name))
    pipeline.decide(Source(path.name, path.read_text(encoding="utf-8")), Options(), runner)
    assert passes
    assert BUILD not in passes
