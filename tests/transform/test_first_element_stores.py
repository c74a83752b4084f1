"""Which additions to elements of a local adjoint array become stores."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from gradient_kit import made, right

from s2sad.run.backend import Backend
from s2sad.run.isolated import Isolated

KERNEL = """\
extern "C" __global__ void k(const float *x, const float *w, float *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float a = x[i], b = w[i], f = 0.0f, v[4];
    for (int q = 0; q < 4; ++q)
        v[q] = a * a + q * b;
    BODY
    y[i] = f;
}
"""
CASE = """\
[launch]
grid = 2
block = 8
[args]
n = 12
m = 3
x = { shape = "n", fill = "uniform(-1, 1)" }
w = { shape = "n", fill = "uniform(0.4, 1.2)" }
y = { shape = "n", fill = "zeros" }
"""
FORMS = {
    "each once": ("for (int q = 0; q < 4; ++q) f += sinf(v[q]);", "adj_v[q] = cosf(v[q]) * adj_f", True),
    "in two parts": ("for (int q = 0; q < 3; ++q) f += sinf(v[q]); f += cosf(v[3]);", "adj_v[3] = ", True),
    "in rows": (
        "for (int q = 0; q < 2; ++q) for (int r = 0; r < 2; ++r) f += sinf(v[2 * q + r]) * v[0];",
        "adj_v[0] += ",
        True,
    ),
    "on both sides": ("if (b > 0.7f) f = v[1] * b; else f = v[1] * v[2];", "adj_v[1] = b * adj_f", True),
    "under a condition": (
        "if (b > 0.7f) f = v[1] * b; f += sinf(v[1]);",
        "adj_v[1] += b * adj_f",
        True,
    ),
    "twice": ("f = v[1] * b; f += sinf(v[1]);", "adj_v[1] += ", True),
    "in parts that meet": (
        "for (int q = 0; q < 3; ++q) f += sinf(v[q]); for (int q = 2; q < 4; ++q) f += v[q] * b;",
        "adj_v[q] += cosf(v[q]) * adj_f",
        True,
    ),
    "of many iterations": ("for (int j = 0; j < m; ++j) f = f * b + sinf(v[1]);", "adj_v[1] +=", True),
    "at a place that isn't known": ("f = v[m % 4] * b; f += sinf(v[1]);", "adj_v[m % 4] +=", True),
    "one in many iterations": (
        "for (int j = 0; j < m; ++j) for (int q = 0; q < 4; ++q) f = f * b + sinf(v[q]);",
        "adj_v[q] +=",
        True,
    ),
    "overwritten": ("f = sinf(v[1]); v[1] = f * b; f += v[1] * v[1];", "adj_v[1] = ", True),
    "from the end": ("for (int q = 3; q >= 0; q -= 1) f = f * b + sinf(v[q]);", "adj_v[q] = ", True),
    "every other one twice": (
        "for (int q = 0; q < 4; ++q) f += sinf(v[q / 2]) * b;",
        "adj_v[q / 2] +=",
        True,
    ),
}
"""What a kernel computes, and what its adjoint says or doesn't."""


@pytest.fixture(scope="module")
def backend() -> Iterator[Backend]:
    with Isolated("cpu", timeout=60.0) as isolated:
        yield isolated


@pytest.mark.parametrize("name", FORMS)
def test_the_first_addition_is_a_store(name: str, backend: Backend) -> None:
    body, said, there = FORMS[name]
    done = made(KERNEL.replace("BODY", body), "y", "x,w")
    assert (said in done.text) == there, done.text
    right(done, CASE, backend)
