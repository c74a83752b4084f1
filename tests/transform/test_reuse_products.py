"""Which products of the author's a derivative uses by name."""

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
    float a = x[i], b = w[i], f = 0.0f;
    BODY
    y[i] = f;
}
"""
CASE = """\
[launch]
grid = 1
block = 32
[args]
n = 20
m = 3
x = { shape = "n", fill = "uniform(0.3, 1.5)" }
w = { shape = "n", fill = "uniform(0.4, 1.2)" }
y = { shape = "n", fill = "zeros" }
"""
FORCE = "float r = rsqrtf(a * a + b); float s = b * r * r * r; f = s * a;"
FORMS = {
    "a force": (FORCE, "* s * r * r", True),
    "in a branch": (FORCE.replace("f = s * a;", "if (a > 0.6f) f = s * a * sinf(b);"), "* s * r * r", True),
    "a product that changes": (
        "float r = rsqrtf(a * a + b); float s = b * r * r * r; f = s * a; s *= 2.0f; f += s * b;",
        "* s * r * r",
        False,
    ),
    "a factor that changes": (
        "float r = rsqrtf(a * a + b); float s = b * r * r * r; f = s * a; b += 0.5f * r; f += b * a;",
        "* s * r * r",
        False,
    ),
    "in a loop": (
        "float r = rsqrtf(a * a + b); float s = b * r * r * r;"
        " for (int j = 0; j < m; ++j) { f += s * a + sinf(f * b * r * r * r); }",
        "f * s",
        False,
    ),
}
"""What a kernel computes, and what its adjoint says or doesn't."""


@pytest.fixture(scope="module")
def backend() -> Iterator[Backend]:
    with Isolated("cpu", timeout=60.0) as isolated:
        yield isolated


@pytest.mark.parametrize("name", FORMS)
def test_a_product_at_hand_is_used_by_its_name(name: str, backend: Backend) -> None:
    body, said, there = FORMS[name]
    done = made(KERNEL.replace("BODY", body), "y", "x,w")
    assert (said in done.text) == there, done.text
    right(done, CASE, backend)
