"""Partials multiplied before the loop over the directions: where that is done, and that it stays right."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import s2sad

KERNEL = """{before}
__global__ void k(const float *x, const float *w, float *y, int n)
{{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
{body}
}}
"""
TWICE = """__device__ void twice(float *p, float *q, float v)
{ float t = p[0] * v; q[0] = q[0] * v; p[0] = t * v; }"""

# Code before the kernel, its body, and tangents in between that the text does without.
SHORTER = {
    "one operand": ("", "float s = x[i]; float t = sinf(s); y[i] = t * w[i] + t * t;", ("tan_t",)),
    "like terms": ("", "float s = x[i] * w[i]; y[i] = s * s + s * expf(s);", ("tan_s",)),
    "a chain": (
        "",
        "float a = x[i] * 2.0f; float b = expf(a); float c = cosf(b); y[i] = c * w[i];",
        ("tan_a", "tan_b", "tan_c"),
    ),
    "a length": (
        "",
        "float a = x[i], b = w[i]; float r = rsqrtf(a * a + b * b); float s = r * r * r;"
        " y[i] = a * s - b * s;",
        ("tan_r",),
    ),
    "a turn": (
        "",
        "float t = x[i]; float c = cosf(t), s = sinf(t); y[i] = c * w[i] - s * w[n - 1 - i];",
        ("tan_c", "tan_s"),
    ),
    "signs": (
        "",
        "float t = -x[i] * w[i]; float u = 3.0f - t * 2.0f;"
        " y[i] = -(u * w[i]) - u * -x[i] - w[i] * (t - u * x[i]);",
        ("tan_u",),
    ),
    "all subtracted": (
        "",
        "float t = -2.0f * x[i]; y[i] = w[i] * (t - x[n - 1 - i]) + w[0] * x[i] + x[i];",
        ("tan_t",),
    ),
    "a quotient": (
        "",
        "float t = x[i] / w[i]; float u = t / 3.0f; y[i] = u * u / w[i] - 2.0f * u;",
        ("tan_u",),
    ),
    "sums apart": (
        "",
        "float s = 0.0f; for (int j = 0; j < 3; ++j) s += x[j] * w[j] * w[i]; y[i] = s - x[i];",
        (),
    ),
}
DIFFERENCES = "s += x[j] * w[j] - x[i] * w[i]; t -= x[j] * w[i] - x[i] * w[j];"

# Each is near one of those: what must stay as it is, or where it must.
NEAR = {
    "a sum that reads itself": (
        "",
        "float s = x[i]; for (int j = 0; j < 3; ++j) s += w[j] * s * x[j]; y[i] = s;",
    ),
    "a difference that reads itself in a struct": (
        "struct P { float a, b; };",
        "P p; p.a = x[i]; p.b = w[i]; p.a -= 0.5f * p.a * p.b; p.b -= p.a * p.b * 0.3f; y[i] = p.a * p.b;",
    ),
    "an operand that changes": (
        "",
        "float s = x[i]; float t = 2.0f * w[i] * s; s = s * s * w[i]; y[i] = t * s + t;",
    ),
    "an element that changes": (
        "",
        "float a[2] = {x[i], w[i]}; for (int j = 0; j < 2; ++j) {"
        " float t = 3.0f * a[0] * w[i]; a[0] = a[0] * a[1]; a[1] = t * a[1] + t; } y[i] = a[0] + a[1];",
    ),
    "an operand behind another pointer": (
        TWICE,
        "float s = x[i]; twice(&s, &s, w[i]); y[i] = s;",
    ),
    "an atomic in between": (
        "",
        "float t = 2.0f * x[i] * w[i]; atomicAdd(&y[i], t); y[i] = y[i] * t + t;",
    ),
    "another precision": (
        "",
        "double t = 1.5 * x[i]; float u = t * w[i]; y[i] = u * t + t * t - (float)t * w[i];",
    ),
    "a choice": (
        "",
        "float t = w[i] > 1.0f ? x[i] * 2.0f : -x[i]; y[i] = 2.0f * fabsf(t * w[i] - 1.0f) + t;",
    ),
    "a partial that may be infinite": (
        "",
        "float a = x[i] * 2.0f; float b = sqrtf(a); float c = cosf(b); y[i] = c * w[i];",
    ),
    "differences apart": (
        "",
        f"float s = 0.0f, t = 1.0f; for (int j = 0; j < 3; ++j) {{ {DIFFERENCES} }} y[i] = s * t;",
    ),
    "opposite terms": ("", "float t = 2.0f * x[i]; y[i] = (t - x[i]) * w[i] + x[i] - x[i];"),
    "a coefficient that a guard protects": (
        "",
        "float t = 2.0f * x[i]; y[i] = sqrtf(fmaxf(t * w[i] - 1.0f, 0.0f)) * w[i];",
    ),
}


def report(before: str, body: str, wrt: str, directions: int) -> Any:
    random = np.random.default_rng(1)
    n = 29
    args: dict[str, Any] = {
        "x": random.uniform(0.5, 1.5, n).astype(np.float32),
        "w": random.uniform(0.5, 1.5, n).astype(np.float32),
        "y": np.zeros(n, np.float32),
        "n": n,
    }
    return s2sad.check(
        KERNEL.format(before=before, body=body),
        mode="tangent",
        directions=directions,
        args=args,
        grid=2,
        block=16,
        of="y",
        wrt=wrt,
        backend="cpu",
    )


@pytest.mark.parametrize("wrt", ["x", "x,w"])
@pytest.mark.parametrize("name", [*SHORTER, *NEAR])
def test_it_is_right_along_each_direction(name: str, wrt: str) -> None:
    before, body = (SHORTER[name] if name in SHORTER else NEAR[name])[:2]
    found = report(before, body, wrt, 8)
    assert found.ok, found.text()
    assert {exact.verdict for exact in found.exact} == {"ok"}, found.text()


@pytest.mark.parametrize("name", SHORTER)
def test_a_tangent_in_between_is_left_out(name: str) -> None:
    before, body, gone = SHORTER[name]
    text = KERNEL.format(before=before, body=body)
    one = s2sad.transform(text, of="y", wrt="x", mode="tangent").source
    several = s2sad.transform(text, of="y", wrt="x", mode="tangent", directions=8).source
    for tangent in gone:
        assert tangent in one
        assert tangent not in several


def test_a_sum_of_products_is_added_product_by_product() -> None:
    before, body, _ = SHORTER["sums apart"]
    source = s2sad.transform(
        KERNEL.format(before=before, body=body), of="y", wrt="x,w", mode="tangent", directions=8
    ).source
    assert source.count("tan_s[d] += ") == 3


def test_few_directions_are_not_worth_many_products() -> None:
    text = KERNEL.format(before="", body="float t = x[i] * w[i]; y[i] = expf(t);")
    for directions, kept in ((2, True), (8, False)):
        source = s2sad.transform(text, of="y", wrt="x,w", mode="tangent", directions=directions).source
        assert ("tan_t" in source) is kept


def test_coefficients_are_named_after_the_two_variables() -> None:
    body = """
    float r = rsqrtf(x[i]);
    float c = w[1] * (1.0f + r * r * x[i]);
    float s = expf(w[2] * c);
    y[i] = s * s;"""
    source = s2sad.transform(
        KERNEL.format(before="", body=body), of="y", wrt="x,w", mode="tangent", directions=8
    ).source
    for declared in ("d_y_d_w1 = ", "d_y_d_x = "):
        assert f"const float {declared}" in source
    assert not re.search(r"const float \w+_\d+ =", source)
