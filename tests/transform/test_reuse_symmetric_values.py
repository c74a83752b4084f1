"""Which values that other threads compute are read from what this thread has."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from gradient_kit import made, right

from s2sad.options import assumption
from s2sad.run.backend import Backend
from s2sad.run.isolated import Isolated

KERNEL = """\
extern "C" __global__ void k(const float *x, const float *w, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float here = x[i];
        float sum = 0.0f;
        for (int j = 0; j < n; ++j) {
            BODY
        }
        y[i] = sum;
    }
}
"""
CASE = """\
[launch]
grid = 3
block = 8
[args]
n = 21
x = { shape = 24, fill = "uniform(0.2, 1)" }
w = { shape = 24, fill = "uniform(0.4, 1.2)" }
y = { shape = 24, fill = "zeros" }
"""
# the body, and how often the adjoint calls a function; once also where no thread gathers
FORMS = {
    "a difference": ("float d = x[j] - here; sum += w[j] * expf(-d * d);", "expf(", 1),
    "a difference of what has no name": ("sum += w[j] * expf(-(x[j] - x[i]) * (x[j] - x[i]));", "expf(", 1),
    "a quotient": ("float d = (x[j] - here) / 1.5f; sum += w[j] * expf(d * d);", "expf(", 1),
    "a product of differences": (
        "float d = (x[j] - here) * (here - x[j]); sum += w[j] * expf(d);",
        "expf(",
        1,
    ),
    "an odd function": ("float d = x[j] - here; float t = tanhf(d); sum += w[j] * t;", "tanhf(", 1),
    "an even function": ("float d = x[j] - here; float t = coshf(d); sum += w[j] * t * t;", "coshf(", 1),
    "neither odd nor even": ("float d = x[j] - here; sum += w[j] * expf(d);", "expf(", 2),
    "a sum, not a difference": ("float d = x[j] + here; sum += w[j] * expf(d);", "expf(", 2),
    "a weighted difference": ("float d = x[j] - 2.0f * here; sum += w[j] * expf(d * d);", "expf(", 2),
    "of a condition": ("if (j != i) { float d = x[j] - here; sum += w[j] * expf(-d * d); }", "expf(", 1),
    "of one side": ("if (j < i) { float d = x[j] - here; sum += w[j] * expf(-d * d); }", "expf(", 2),
    "changed before it is read again": (
        "float d = x[j] - here; if (d < 0.0f) d = -2.0f * d; sum += w[j] * expf(-d * d);",
        "expf(",
        1,
    ),
    "carried from before": (
        "float d = x[j] - here; float e = d * d; e += w[j]; sum += expf(-e) * w[j];",
        "expf(",
        2,
    ),
}


@pytest.fixture(scope="module")
def backend() -> Iterator[Backend]:
    with Isolated() as one:
        yield one


def code(text: str) -> str:
    """The text without comments."""
    return "\n".join(line.split("//")[0] for line in text.splitlines())


@pytest.mark.parametrize("name", FORMS)
def test_forms(name: str, backend: Backend) -> None:
    body, call, times = FORMS[name]
    done = made(KERNEL.replace("BODY", body), "y", "x,w", assume=(assumption("covers:n"),))
    assert code(done.text).count(call) == times, done.text
    right(done, CASE, backend)


STRUCTS = """\
extern "C" __global__ void k(const float4 *body, float3 *acc, int n, float eps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float4 p = body[i];
        float3 a = make_float3(0.0f, 0.0f, 0.0f);
        for (int j = 0; j < n; ++j) {
            float4 q = body[j];
            float dx = q.x - p.x, dy = q.y - p.y, dz = q.z - p.z;
            float inv = rsqrtf(eps + dx * dx + dy * dy + dz * dz);
            float s = q.w * inv * inv * inv;
            a.x += s * dx;
            a.y += s * dy;
            a.z += s * dz;
        }
        acc[i] = a;
    }
}
"""
STRUCTS_CASE = """\
[launch]
grid = 3
block = 8
[args]
n = 21
eps = 0.05
body = { shape = 24, fill = "uniform(0.2, 1)" }
acc = { shape = 24, fill = "zeros" }
"""


def test_a_field_is_loaded_with_the_others(backend: Backend) -> None:
    """The mass of this thread's body matters to other threads only."""
    done = made(STRUCTS, "acc", "body", assume=(assumption("covers:n"),))
    assert code(done.text).count("= body[") == 2
    assert "p.w" in code(done.text)
    assert code(done.text).count("rsqrtf(") == 1
    right(done, STRUCTS_CASE, backend)
