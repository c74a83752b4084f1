"""A name that the author gave to a value stays in the adjoint where the formula would be long without it."""

from __future__ import annotations

import pytest

import s2sad

KERNEL = """
__device__ void flux(float a, float b, float c, float *mass)
{{
    if (a < 0.0f) {{
        *mass = 0.0f;
        return;
    }}
    *mass = {value};
}}

__global__ void k(const float *x, float *y, int n)
{{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float mass;
    flux(x[i], x[i] * x[i], 2.0f * x[i], &mass);
    y[i] = mass;
}}
"""


@pytest.mark.parametrize(
    ("value", "kept"), [("(a * b - c * b + a * c * (b - a)) / (a + b)", True), ("a / (a + b)", False)]
)
def test_the_value_of_a_function_keeps_its_name_if_it_is_long(value: str, kept: bool) -> None:
    text = s2sad.transform(KERNEL.format(value=value), of="y", wrt="x").source
    assert ("float mass = " in text) is kept
    assert ("(mass * " in text) is kept


def test_the_adjoint_of_a_function_has_a_name_of_its_own() -> None:
    text = s2sad.transform(
        "__device__ float f(float v) { return sinf(v) * v; }\n"
        "__device__ float f_adj(float v) { return v * 2.0f; }\n"
        "__global__ void k(const float *x, float *y) { y[0] = f_adj(x[0]) * f(x[0]); }\n",
        of="y",
        wrt="x",
    ).source
    assert "f_adjoint(x[0], " in text
