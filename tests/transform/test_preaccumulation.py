"""Partials of an expensive function are recorded where that fits into registers, and said in the plan."""

from __future__ import annotations

import pytest

import s2sad
from s2sad.analysis.plan import Recovery
from s2sad.options import Options
from s2sad.pipeline import transform
from s2sad.run.isolated import Isolated
from s2sad.source import Source
from s2sad.validate import Case, check_pair

KERNEL = """
#define STEPS 8
__global__ void relax(const float *x, const float *w, float *y, int m, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    for (int k = 0; k < STEPS; ++k)
        s = s + w[k] * sinf(s);
    y[i] = s;
}
"""


def transformed(text: str = KERNEL, **options: object) -> s2sad.Adjoint:
    return s2sad.transform(text, name="relax.cu", of=["y"], wrt=["x", "w"], **options)  # type: ignore[arg-type]


def test_sine_and_cosine_come_from_one_call_in_the_forward_sweep() -> None:
    source = transformed().source
    assert source.count("sincosf(s, &sine, &cosine);") == 1
    assert "adj_s *= tape_ds_ds[k];" in source
    assert "tape_s[" not in source


def test_the_plan_says_why_and_what_the_other_way_costs() -> None:
    rows = {d.value: d for d in transformed().plan.decisions}
    assert "s" not in rows
    row = rows["ds/dw"]
    assert row.how is Recovery.TAPE
    assert row.reason == "partial of line 10: saves 1 sinf"
    assert row.other == "recompute: 1 sinf, with s on a tape (--store s)"


@pytest.mark.parametrize(
    "text",
    [
        KERNEL.replace("STEPS 8", "STEPS 9"),  # too many for registers
        KERNEL.replace("k < STEPS", "k < m"),  # nobody knows how many
        KERNEL.replace("sinf(s)", "s"),  # a load costs as much
    ],
)
def test_otherwise_the_state_is_recorded(text: str) -> None:
    source = transformed(text).source
    assert "tape_s[" in source
    assert "tape_ds_" not in source


def test_who_asks_for_the_state_gets_it() -> None:
    source = transformed(store=["s"]).source
    assert "tape_s[STEPS]" in source
    assert "tape_ds_" not in source


def test_a_partial_that_reads_the_result_says_it_before_the_statement() -> None:
    source = transformed(KERNEL.replace("s + w[k] * sinf(s)", "w[k] * powf(2.0f + s, 1.5f)")).source
    assert "tape_ds_dw[k] = powf(2.0f + s, 1.5f);" in source


def test_sine_and_cosine_stay_apart_where_the_argument_changes_between_them() -> None:
    text = KERNEL.replace("k < STEPS", "k < m")
    source = transformed(text.replace("s = s + w[k] * sinf(s);", "{ s *= w[k]; s = sinf(s); }")).source
    assert "adj_s *= cosf(s * w[k]);" in source
    assert "sincosf" not in source


LAYERS = """
#define LAYERS 3
__device__ float gate(float v) { return 1.0f / (1.0f + powf(2.0f, -v)); }
// s2sad: --of y --wrt x,w
__global__ void layers(const float *x, const float *w, float *y, int steps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    for (int t = 0; t < steps; ++t)
        for (int l = 0; l < LAYERS; ++l) {
            float open = gate(s * w[l]);
            s = open * s + w[l];
        }
    y[i] = s;
}
"""
LAYERS_CASE = """
[launch]
grid = 2
block = 32
[args]
n = 41
steps = 3
x = { shape = "n", fill = "normal" }
w = { shape = 3, fill = "normal" }
y = { shape = "n", fill = "zeros" }
"""


def layers(text: str) -> str:
    """Return the adjoint, after checking it."""
    done = transform(Source("layers.cu", text), Options())
    with Isolated("cpu", timeout=60.0) as backend:
        report = check_pair(done.pair, Case.parse(LAYERS_CASE, done.pair.primal), backend, tolerance=1e-7)
    assert report.ok, report.text()
    return done.text


def test_a_result_that_the_next_iteration_needs_is_computed_once() -> None:
    source = layers(LAYERS)
    assert "float tape_open[LAYERS];" in source
    assert source.count(" gate(") == 4  # its definition, the call in each sweep, and the quoted line


@pytest.mark.parametrize(
    "text",
    [
        LAYERS.replace("LAYERS 3", "LAYERS 17").replace("w[l]", "w[l % 3]"),  # too many
        LAYERS.replace("powf(2.0f, -v)", "(2.0f + v * v)"),  # a load costs as much
        LAYERS.replace("l < LAYERS", "l < steps"),  # nobody knows how many
    ],
)
def test_other_results_are_computed_again(text: str) -> None:
    assert "tape_open" not in layers(text)
