"""What changes through a choice of two places, or a reference that a function returns, has changed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from gradient_kit import made, right

from s2sad.diagnostics import Rejected
from s2sad.run.backend import Backend
from s2sad.run.isolated import Isolated

KERNEL = """\
struct S { float v, w; __device__ float &first() { return v; } };
struct It { int k; __device__ int &next() { return k; } };
__device__ int &either(bool c, int &a, int &b) { return c ? a : b; }
__global__ void k(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 1 >= n)
        return;
    BODY
}
"""
CASE = """\
[launch]
grid = 1
block = 32
[args]
n = 20
x = { shape = "n", fill = "uniform(0.4, 1.5)" }
y = { shape = "n", fill = "zeros" }
"""
KEPT = {
    "a pointer's index": (
        "int a = i, j = 0; const float *q = x + a; (i & 1 ? a : j)++; y[i] = *q * *q + 0.1f * x[a] * j;"
    ),
    "by a returned reference": "It t = {i}; const float *q = x + t.k; t.next() += 1; y[i] = *q * x[t.k];",
    "by a function's": (
        "int a = i, j = 0; const float *q = x + a; either(i & 1, a, j) += 1; y[i] = *q * x[a] + 0.1f * j;"
    ),
    "by a lambda's": (
        "int a = i, j = 0; auto l = [&](bool c) -> int & { return c ? a : j; };"
        " const float *q = x + a; l(i & 1) += 1; y[i] = *q * x[a] + 0.1f * j;"
    ),
    "the index of a reference": (
        "float v[3] = {x[i], 1.f, 2.f}; int a = 0, j = 0; float &r = v[a]; (i & 1 ? a : j) += 1;"
        " y[i] = r * r + 0.f * a;"
    ),
    "in a loop": (
        "int a = i, j = 0; float s = 0.f; const float *q = x + a;"
        " for (int r = 0; r < 2; ++r) { s += *q * x[a]; (r ? a : j) = i + 1; } y[i] = s + x[a] * j;"
    ),
}
REFUSED = {
    "one of two by a choice": (
        "S a = {x[i], 1.f}, b = {0.5f, 2.f}; const S &m = a.v > b.v ? a : b; (i & 1 ? a : b).v *= 2.f;"
        " y[i] = m.v * a.v + b.v;",
        "that change while it is in use",
    ),
    "one of two by a returned reference": (
        "S a = {x[i], 1.f}, b = {0.5f, 2.f}; const S &m = a.v > b.v ? a : b; a.first() = 3.f * x[i];"
        " y[i] = m.v * a.v + b.v;",
        "that change while it is in use",
    ),
    "unsequenced": (
        "float a = x[i], b = 2.f; y[i] = a * ((i & 1 ? a : b) *= 2.f) + a;",
        "the side effects on `a` are unsequenced",
    ),
}


@pytest.fixture(scope="module")
def backend() -> Iterator[Backend]:
    with Isolated("cpu", timeout=60.0) as isolated:
        yield isolated


@pytest.mark.parametrize("name", KEPT)
def test_what_was_made_of_a_value_keeps_it(name: str, backend: Backend) -> None:
    right(made(KERNEL.replace("BODY", KEPT[name]), "y", "x"), CASE, backend)


@pytest.mark.parametrize("name", REFUSED)
def test_what_changes_while_it_is_in_use_is_refused(name: str) -> None:
    body, said = REFUSED[name]
    with pytest.raises(Rejected, match=said):
        made(KERNEL.replace("BODY", body), "y", "x")
