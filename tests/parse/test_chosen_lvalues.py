"""`(c ? p : q).w += v`: a choice between two structs whose fields are changed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from gradient_kit import made, right

from s2sad.run.backend import Backend
from s2sad.run.isolated import Isolated

KERNEL = """\
struct P { float v; float w; float a[2]; __device__ void add(float d) { w += d; } };
extern "C" __global__ void k(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    P p, q;
    p.v = x[i]; q.v = 0.1f - x[i]; p.w = x[i]; q.w = x[i] * x[i];
    p.a[0] = x[i]; q.a[0] = 2.0f * x[i]; p.a[1] = 1.0f; q.a[1] = 2.0f;
    BODY
    y[i] = p.w * q.w + p.a[0] * q.a[0];
}
"""
CASE = """\
[launch]
grid = 2
block = 8
[args]
n = 13
x = { shape = "n", fill = "uniform(-1, 1)" }
y = { shape = "n", fill = "zeros" }
"""
FORMS = {
    "added to": "(p.v > q.v ? p : q).w += 1;",
    "assigned": "(p.v > q.v ? p : q).w = 3.0f * x[i];",
    "stepped": "(p.v > q.v ? q : p).w++; --(p.v > q.v ? p : q).w;",
    "an element": "(p.v > q.v ? p : q).a[0] *= x[i];",
    "whole": "P r = p; r.w = 2.0f * x[i]; (p.v > q.v ? p : q) = r;",
    "read": "float r = (p.v > q.v ? p : q).w; p.w += r * r;",
    "a method": "(p.v > q.v ? p : q).add(x[i]);",
    "a choice in a choice": "(p.v > q.v ? p : p.v > 0.0f ? q : p).w *= x[i];",
}


@pytest.fixture(scope="module")
def backend() -> Iterator[Backend]:
    with Isolated("cpu", timeout=60.0) as isolated:
        yield isolated


@pytest.mark.parametrize("form", FORMS)
def test_a_field_of_the_chosen_struct_is_changed(form: str, backend: Backend) -> None:
    right(made(KERNEL.replace("BODY", FORMS[form]), "y", "x"), CASE, backend)
