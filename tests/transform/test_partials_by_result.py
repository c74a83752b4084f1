"""Partials that read a function's result instead of its argument: `sigmoid * (1 - sigmoid)`."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import s2sad
from s2sad.options import Options
from s2sad.pipeline import transform
from s2sad.run.backend import Backend
from s2sad.run.isolated import Isolated
from s2sad.source import Source
from s2sad.validate import Case, check_pair

KERNEL = """\
__device__ %s
// s2sad: --of y --wrt x
extern "C" __global__ void k(const float *x, float *y, float c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = f(%s);
    y[i] = s * x[i] + s;
}
"""
CASE = """\
[launch]
grid = 2
block = 32
[args]
n = 37
c = 1.3
x = { shape = 37, fill = "normal" }
y = { shape = 37, fill = "zeros" }
"""
ONE = "x[i] * 0.7f"
BY_RESULT = {
    "sigmoid": ("float f(float v) { return 1.0f / (1.0f + expf(-v)); }", ONE, "s * (1.0f - s)"),
    "other order": ("float f(float v) { return 1.0f / (expf(-v) + 1.0f); }", ONE, "s * (1.0f - s)"),
    "named part": (
        "float f(float v) { float e = expf(-v); return 1.0f / (1.0f + e); }",
        ONE,
        "s * (1.0f - s)",
    ),
    "scaled": ("float f(float v) { return 2.0f / (1.0f + expf(-v)); }", ONE, "s * (1.0f - s / 2.0f)"),
    "exponential": ("float f(float v) { return expf(v); }", ONE, "s * "),
    "reciprocal": ("float f(float v) { return 1.0f / v; }", f"2.5f + sinf({ONE})", "s * s * cosf"),
    "of a number": ("float f(float v) { return 0.7f / v; }", f"2.5f + sinf({ONE})", "s * s * cosf"),
}
BY_ARGUMENT = {
    "another constant": ("float f(float v) { return 1.0f / (0.5f + expf(-v)); }", ONE),
    "powers of two": ("float f(float v) { return 1.0f / (1.0f + exp2f(-v)); }", ONE),
    "a choice": ("float f(float v) { return v > 0.1f ? v : 0.5f; }", ONE),
    "a square": ("float f(float v) { return v * v; }", ONE),
    "two terms": ("float f(float v) { return 1.0f / (1.0f + expf(-v)) + v; }", ONE),
    "another argument": ("float f(float v, float w) { return w / (1.0f + expf(-v)); }", f"{ONE}, c"),
    "changed part": ("float f(float v) { float e = expf(-v); e *= e; return 1.0f / (1.0f + e); }", ONE),
    "a branch": ("float f(float v) { if (v > 0.1f) return expf(v); return 1.0f; }", ONE),
}


@pytest.fixture(scope="module")
def backend() -> Iterator[Backend]:
    with Isolated("cpu", timeout=60.0) as isolated:
        yield isolated


def judged(function: str, argument: str, backend: Backend) -> str:
    done = transform(Source("k.cu", KERNEL % (function, argument)), Options())
    report = check_pair(done.pair, Case.parse(CASE, done.pair.primal), backend, tolerance=1e-7)
    assert report.ok, report.text()
    return done.text


@pytest.mark.parametrize("name", BY_RESULT)
def test_the_result_is_reused(name: str, backend: Backend) -> None:
    function, argument, formula = BY_RESULT[name]
    text = judged(function, argument, backend)
    assert "f_adj" not in text
    assert formula in text


@pytest.mark.parametrize("name", BY_ARGUMENT)
def test_other_functions_have_an_adjoint(name: str, backend: Backend) -> None:
    assert "f_adj" in judged(*BY_ARGUMENT[name], backend)


def test_a_saturated_sigmoid_has_no_derivative() -> None:
    adjoint = s2sad.transform(KERNEL % BY_RESULT["sigmoid"][:2], name="k.cu", of="y", wrt=["x"])
    x = np.array([-1000.0, 1000.0], dtype="f4")
    args = {"x": x, "y": np.zeros(2, "f4"), "c": 0.0, "n": 2}
    found = s2sad.gradient(adjoint, grid=1, block=32, args=args, backend="cpu").gradients["x"]
    assert found.tolist() == [0.0, 1.0]  # exp(700) is infinite, 0 * inf would be NaN
