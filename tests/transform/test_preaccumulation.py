"""Partials of an expensive function are recorded where that fits into registers, and said in the plan."""

from __future__ import annotations

import pytest

import s2sad
from s2sad.analysis.plan import Recovery

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
    assert row.reason == "partial of line 10: one load instead of 1 sinf"
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
