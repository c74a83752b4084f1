"""What is done to the components of vectors is named after that."""

from __future__ import annotations

import pytest

import s2sad

KERNEL = """
__global__ void k(const float3 *p, const float *x, float *y, int n)
{{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float3 u = p[i];
    float3 v = p[n + i];
    float a = x[i];
    float b = x[n + i];
    float c = x[n + n + i];
    y[i] = {value};
}}
"""


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ("a * sqrtf(u.x * v.x + u.y * v.y + u.z * v.z)", "g_dot_u_v"),
        ("a * sqrtf(u.x * u.x + u.y * u.y + u.z * u.z + 0.5f)", "g_u_squared"),
        ("c * sqrtf(a * a + b * b)", "g_squares"),
        ("c * (u.x * v.y - u.y * v.x)", "g_cross_u_v_z"),
        ("c * (u.z * v.x - u.x * v.z)", "g_cross_u_v_y"),
        ("a * sqrtf(u.x * v.x + u.y * v.z)", "g_sum_u_x"),
        ("a * sqrtf(u.x * v.x + u.y * u.y)", "g_sum_u_x"),
        ("c * (u.x * v.y - u.y * v.z)", "g_diff_u_x"),
    ],
)
def test_an_adjoint_is_named_after_the_form(value: str, name: str) -> None:
    text = s2sad.transform(KERNEL.format(value=value), of="y", wrt="p,x").source
    assert f"float {name} = " in text
