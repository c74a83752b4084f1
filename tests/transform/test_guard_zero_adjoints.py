"""What moves under the condition on which its adjoint isn't zero, and what must stay.

Half of the forms discard a value that isn't finite at x = 0: the gradient is finite there.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from gradient_kit import made, right

from s2sad.run.backend import Backend
from s2sad.run.isolated import Isolated

KERNEL = """\
__device__ float half_of(float v) { return 0.5f * v * v; }
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
grid = 2
block = 8
[args]
n = 12
m = 3
x = { shape = "n", fill = [VALUES] }
w = { shape = "n", fill = "uniform(0.4, 1.2)" }
y = { shape = "n", fill = "zeros" }
"""
AWAY = "0.5, -0.7, 1.4, -1.2, 0.3, 0.9, -0.4, 1.1, 0.8, -0.9, 1.3, -0.6"
ZERO = AWAY.replace("-0.7", "0.0").replace("0.9, -0.4", "0.0, 0.0")

FINITE = {
    "overwritten": "float r = b / a; if (a == 0.0f) r = 0.0f; f = r * r;",
    "overwritten on the other side": (
        "float r = b / a; if (a != 0.0f) { f = 1.0f; } else { r = b; } f += r * b;"
    ),
    "one of two": "float r = b / a, s = logf(fabsf(a)); f = a == 0.0f ? b * b : r + s;",
    "read under a condition": "float r = rsqrtf(a * a); if (fabsf(a) > 0.1f) f += r * r * r * b;",
    "through other values": "float r = 1.0f / a, s = r * b, t = s * s + r; if (a != 0.0f) f = t * b; f += b;",
    "at nested conditions": (
        "float r = b / a; if (b > 0.1f) { float s = r * b; if (a != 0.0f) { f = s * s; } else f = b * b; }"
    ),
    "the smaller one": "float e = expf(1.0f / (a * a)), t = fminf(e, 10.0f * b); f = t * t;",
    "in a loop": (
        "for (int j = 0; j < m; ++j) { float r = (b + 0.1f * j) / a; if (a == 0.0f) r = 0.5f * b;"
        " f += r * r; }"
    ),
    "a chain of branches": (
        "float r = b / a; if (b > 0.9f) f = b; else if (a == 0.0f) f = b * b; else f = r * b; f += b;"
    ),
    "a chain of two clears": (
        "float r = b / a; if (r > 3.0f) r = 3.0f; else if (r < -3.0f) r = -3.0f; f = a == 0.0f ? b : r * r;"
    ),
    "two quotients": (
        "float r = b / a, s = w[(i + 1) % n] / a; if (a == 0.0f) r = 0.0f; if (a == 0.0f) s = b;"
        " if (b > 0.7f) f = r * s; f += r + s;"
    ),
    "of a function": "float r = half_of(b / a); if (a == 0.0f) r = b; f = r * r;",
    "through a function": "float r = b / a, s = half_of(r); if (a != 0.0f) f = s * b; f += b;",
    "elsewhere in a branch": (
        "if (b > 0.5f) { float r = b / a; if (a == 0.0f) r = b; f = r * r; } else { f = b * b; }"
    ),
}
"""Of what becomes infinite or NaN where a is zero, nothing reaches the result."""

STAYS = {
    "used after it, too": "float r = a * b; if (b > 0.7f) f = r * r; f += sinf(r);",
    "another value of the same name": "float r = a * b; if (b > 0.7f) { r = a; f = r * b; } f += r * r;",
    "both sides": "float r = sinf(a); if (b > 0.7f) f = r * b; else f = r * r;",
    "not in proportion": "float r = sinf(a); if (b > 0.7f) f = r * b; f += r + b;",
    "a condition that changes": (
        "float r = sinf(a); float c = b; if (c > 0.7f) f = r * c; c = a * a; f += c * b;"
    ),
    "its factor changes": "float c = b; float r = c * a; c = sinf(a); if (b > 0.7f) f = r * r; f += c * r;",
    "two in turn": (
        "float r = sinf(a), s = cosf(b); if (b > 0.7f) f = r * s; if (a > 0.2f) { s = r;"
        " f += s * b; } f += s;"
    ),
    "a sum of both": "float r = sinf(a), s = a * a; if (b > 0.7f) f = r * b; else f = s; f += r * s;",
    "overwritten in both": "float r = a * b; if (b > 0.7f) r = a * a; else { f = r; r = b; } f += r;",
    "an adjoint that goes on": (
        "float r = a; for (int j = 0; j < m; ++j) { if (b > 0.5f + 0.1f * j) r = sinf(r * b); f += r * b; }"
    ),
    "from the last iteration": (
        "float r = 1.0f; for (int j = 0; j < m; ++j) { float s = r * a;"
        " if (b > 0.2f * j) r = s + b; f += s; }"
    ),
    "a part that the block adds": "float r = w[0] * a; if (b > 0.7f) f = r * r; f += sinf(b);",
    "before what the block adds": "float r = w[0] * a, s = r * b; if (b > 0.7f) f = s * s; f += sinf(b);",
    "a quotient for both": "float c = a * a + b, r = logf(c); if (b > 0.7f) f = r * r; f += 2.0f * logf(c);",
    "a quotient that the block adds": "float r = w[0] / a; if (b > 0.7f) f = r * r; f += sinf(b);",
    "a choice of terms": "float r = sinf(a); if (b > 0.7f) f = r * b; f += (a > 0.0f ? r : b) * b;",
    "both sides of an iteration": (
        "for (int j = 0; j < m; ++j) {"
        " if (!(a * j > 0.8f)) { float q = a * b; q *= q; q += sinf(q); f += q; } else { f += b * a; } }"
    ),
    "a branch in a branch": (
        "float s = a, r = b * b;"
        " if (s < 0.8f) { s += r * r; float e = s * s; if (s < 0.7f) e = 0.0f; s += e; } f = s;"
    ),
    "a value made of what moves": (
        "float s = a, r = b, c = w[(i + 1) % n]; if (s < 0.5f) { float t = r * c; s += t * t;"
        " float e = sinf(s) * r; if (r > 0.7f) { e *= r; } else e = 0.0f; s += e; } f = s;"
    ),
    "a value in a branch": (
        "float r = b * a, s = 0.0f;"
        " if (a > 0.0f) { float e = expf(-r); s = r * a; if (r > 0.5f) e = 0.0f; s += e; } f = s;"
    ),
    "a function": "float r = sinf(a); if (b > 0.7f) f = half_of(r); f += b * a;",
    "a local array": "float r[2]; r[0] = a * b; r[1] = sinf(a); if (b > 0.7f) f = r[0] * r[1]; f += r[0];",
    "an element that is read again": (
        "float r = x[i] * b; if (b > 0.7f) f = r * r; f += x[(i + 1) % n] * x[i];"
    ),
}
"""Right, wherever its statements are."""


@pytest.fixture(scope="module")
def backend() -> Iterator[Backend]:
    with Isolated("cpu", timeout=60.0) as isolated:
        yield isolated


@pytest.mark.parametrize("mode", ["joint", "split"])
@pytest.mark.parametrize("name", FINITE)
def test_what_is_discarded_may_be_infinite(name: str, mode: str, backend: Backend) -> None:
    done = made(KERNEL.replace("BODY", FINITE[name]), "y", "w", mode="joint" if mode == "joint" else "split")
    right(done, CASE.replace("VALUES", ZERO), backend)
    done = made(
        KERNEL.replace("BODY", FINITE[name]), "y", "x,w", mode="joint" if mode == "joint" else "split"
    )
    right(done, CASE.replace("VALUES", AWAY), backend, tolerance=1e-6)


@pytest.mark.parametrize("whole", [False, True], ids=["some threads", "all threads"])
@pytest.mark.parametrize("name", STAYS)
def test_the_gradient_stays_as_it_is(name: str, whole: bool, backend: Backend) -> None:
    kernel, case = KERNEL, CASE
    if whole:  # the block's sums then are in one body with the rest
        kernel = kernel.replace("    if (i >= n)\n        return;\n", "")
        case = case.replace("grid = 2\nblock = 8", "grid = 3\nblock = 4")
    done = made(kernel.replace("BODY", STAYS[name]), "y", "x,w")
    right(done, case.replace("VALUES", AWAY), backend)


def test_the_reader_finds_it_in_the_branch() -> None:
    done = made(KERNEL.replace("BODY", "float r = b / a; if (a == 0.0f) r = 0.0f; f = r * b;"), "y", "x,w")
    assert "adj_r = 0.0f" not in done.text
    assert "if (a != 0.0f) {" in done.text, done.text
