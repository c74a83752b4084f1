"""Loops without a bound in the kernel: as users write them, measured, recorded and correct."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from fuzz.batch import judge_texts
from test_fuzz import read
from tiers import every_sixth, in_both_shapes

import s2sad
from s2sad.options import Mode, Options
from s2sad.run.registry import find
from s2sad.validate.launching import Launcher
from s2sad.validate.recipe import Launch

LOOPS = sorted((Path(__file__).parent / "loops").glob("*.cu"))


@in_both_shapes
def test_loops_that_nothing_bounds_are_differentiated(mode: Mode, first: int) -> None:
    loops = every_sixth(LOOPS, first)
    texts = [(source, case, request.over(Options(mode=mode))) for source, case, request in map(read, loops)]
    verdicts = dict(zip((path.stem for path in loops), judge_texts(texts), strict=True))
    assert {name: v.detail for name, v in verdicts.items() if v.kind != "ok"} == {}


SETTLE = """
extern "C" __global__ void settle(float *y, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    while (y[2 * i] > 1.0f) {
        y[2 * i + 1] = y[2 * i] * sinf(y[2 * i + 1]);
        y[2 * i] = y[2 * i] * 0.5f * x[i];
    }
}
"""


@pytest.mark.parametrize("mode", ["joint", "split"])
def test_gradient_measures_by_itself_and_changes_no_argument(mode: Mode) -> None:
    adjoint = s2sad.transform(SETTLE, name="settle.cu", of="y", wrt="y", mode=mode)
    y, x = np.linspace(0.5, 9.0, 20), np.full(10, 0.9)
    before = y.copy()
    result = s2sad.gradient(adjoint, grid=2, block=5, args={"y": y, "x": x, "n": 10}, backend="cpu")
    assert (y == before).all()
    assert np.isfinite(result.gradients["y"]).all()
    assert result.gradients["y"][18] != 1.0


def test_the_signature_says_what_to_pass_and_the_header_how_to_find_it() -> None:
    adjoint = s2sad.transform(SETTLE, name="settle.cu", of="y", wrt="y")
    *_, trips, tape = adjoint.signature.to_dict()["parameters"]  # type: ignore[misc]
    assert (trips["name"], trips["role"]) == ("trips_7", "largest number of trips")
    assert tape["size"] == "settle_adj_tape_bytes(grid, block, n, trips_7) bytes"
    header = " ".join(line.removeprefix("//").strip() for line in adjoint.source.split("\n"))
    assert "First launch settle_measure(y, x, n, trips) with the same grid and block" in header
    assert "copies of y (overwritten)" in header
    assert "trips_7 = trips[0]" in header
    assert adjoint.measure is not None
    assert [a.name for a in adjoint.measure.arguments] == ["y", "x", "n", "trips"]


@pytest.mark.parametrize("mode", ["joint", "split"])
def test_trips_that_were_measured_on_other_values_never_give_a_plausible_number(mode: Mode) -> None:
    adjoint = s2sad.transform(SETTLE, name="settle.cu", of="y", wrt="y", mode=mode)
    launcher = Launcher(adjoint._pair, find("cpu"), "double")
    launcher.measured = lambda launch, args: {**args, "trips_7": 1}  # type: ignore[method-assign]
    args = {"y": np.linspace(0.5, 9.0, 20), "x": np.full(10, 0.9), "n": 10}
    launch = Launch((2, 1, 1), (5, 1, 1), 0)
    run = launcher.adjoint(launch, launch, args, {"y": np.ones(20)})
    assert run.overrun
    assert not run.outside
    assert np.isnan(run.buffers["y"]).any()


def test_all_loops_are_named_that_nothing_bounds() -> None:
    body = "float s[100]; int k = 0; s[0] = a; while (s[k] > 0.1f) { s[k + 1] = s[k] * s[k]; ++k; } "
    again = body.replace("float s[100]; int k = 0;", "k = 0;").replace("> 0.1f", "> 0.2f")
    function = f"__device__ float f(float a)\n{{\n{body}\n{again}\nreturn s[k];\n}}\n"
    kernel = "__global__ void g(const float *x, float *y)\n{\ny[threadIdx.x] = f(x[threadIdx.x]);\n}\n"
    with pytest.raises(s2sad.Rejected) as refused:
        s2sad.transform(function + kernel, name="g.cu")
    spans = [d.span for d in refused.value.diagnostics if d.code.slug == "unbounded-record"]
    assert [span.line for span in spans if span is not None] == [3, 4]
