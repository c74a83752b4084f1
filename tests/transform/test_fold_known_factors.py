"""Which products with zero and one are left out of the values that an adjoint computes again."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from gradient_kit import made, right

from s2sad.run.backend import Backend
from s2sad.run.isolated import Isolated

KERNEL = """\
#define NONE 0.0f
extern "C" __global__ void k(const float *x, const float *w, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float zero = 0.0f, one = 1.0f;
    float a = x[i], b = w[i], f = 0.0f;
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
x = { shape = 16, fill = "uniform(0.2, 1)" }
w = { shape = 16, fill = "uniform(0.4, 1.2)" }
y = { shape = "n", fill = "zeros" }
"""
FORMS = {
    "a difference": ("float v = a * b - 0.0f * a; f = sinf(v) * v;", "float v = a * b;"),
    "a variable of zero": ("float v = one * a + zero * b; f = sinf(v) * v;", "float v = a;"),
    "from zero": ("float v = 0.0f - a; f = sinf(v) * v * b;", "float v = -a;"),
    "a condition": (
        "float v = a * b - 0.0f * a; if (v > 0.3f) f = sinf(v) * v;",
        "float v = a * b - 0.0f * a;",
    ),
    "a condition through others": (
        "float v = a * b - 0.0f * a; float u = v + 0.1f; int q = (int)(4.0f * u); f = v * v * w[q];",
        "float v = a * b - 0.0f * a;",
    ),
    "a reciprocal that decides": (
        "float g = 1.0f / (0.0f * a); f = g > 0.0f ? sinf(a * b) : cosf(a * b);",
        "1.0f / (0.0f * a)",
    ),
    "the name of a macro": ("float v = a * b - NONE * a; f = sinf(v) * v;", "a * b - NONE * a"),
    "a variable that changes": (
        "float u = 0.0f; float v = 0.0f; for (int q = 0; q < 3; ++q) { v += sinf(a * u + b); u += 0.5f; }"
        " f = v * v;",
        "sinf(a * u + b)",
    ),
    "one that a branch changes": (
        "float u = 0.0f; if (b > 0.8f) u = 2.0f; float v = a * u + b * b; f = sinf(v) * v;",
        "float v = a * u + b * b;",
    ),
    "one of a branch of its own": (
        "float u = a; { float u = 0.0f; f = u * b; } float v = a * u + b * b; f += sinf(v) * v;",
        "float v = a * u + b * b;",
    ),
}


@pytest.fixture(scope="module")
def backend() -> Iterator[Backend]:
    with Isolated("cpu", timeout=60.0) as isolated:
        yield isolated


@pytest.mark.parametrize("name", FORMS)
def test_forms(name: str, backend: Backend) -> None:
    body, said = FORMS[name]
    done = made(KERNEL.replace("BODY", body), "y", "x,w")
    assert said in done.text, done.text
    right(done, CASE, backend)


def test_each_operation_of_a_long_sum_is_looked_at_once() -> None:
    """Twice would be for ever: two to the power of its terms."""
    terms = " + ".join(f"sinf({k}.5f * a)" for k in range(64))
    done = made(KERNEL.replace("BODY", f"float v = {terms}; f = v * v * b;"), "y", "x,w")
    assert "cosf(63.5f * a)" in done.text
