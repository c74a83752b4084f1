"""Which variables a reversed loop divides back, which are recorded, and that all gradients are right."""

from __future__ import annotations

import re
from collections.abc import Iterator

import gradient_kit
import pytest

from s2sad.options import Mode
from s2sad.pipeline import Transformed
from s2sad.run.backend import Backend
from s2sad.run.isolated import Isolated

KERNEL = """\
#define LEAST 0.02f
extern "C" __global__ void k(const float *x, const float *w, float *y, int n, int m, float eps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float T = 1.0f, c = 0.0f;
    BODY
    y[i] = c;
}
"""
CASE = """\
[launch]
grid = 1
block = 32
[args]
n = 20
m = 14
eps = 0.03
x = { shape = ["n", "m"], fill = "uniform(0.1, 0.95)" }
w = { shape = "m", fill = "normal" }
y = { shape = "n", fill = "zeros" }
"""
WORDS = {
    "EACH": "for (int k = 0; k < m; ++k)",
    "ALPHA": "float a = x[i * m + k] * 0.6f;",
    "LIGHT": "c += T * a * w[k];",
    "FADE": "T *= 1.0f - a;",
    "LEAVE": "if (T < 0.02f) break;",
    "NOTHING": "if (k == 5) a = 1.0f;",  # lets nothing through: T is zero afterwards
}
DIVIDED = {
    "left where little is left": "EACH { ALPHA LIGHT FADE LEAVE }",
    "by the other order": "EACH { ALPHA LIGHT T = (1.0f - a) * T; if (0.02f >= T) break; }",
    "through another variable": "EACH { ALPHA float b = T * (1.0f - a); if (b < 0.02f) break; LIGHT T = b; }",
    "by the loop's condition": "for (int k = 0; k < m && T > LEAST; ++k) { ALPHA LIGHT FADE }",
    "a loop that only this ends": "while (T >= LEAST) {"
    " float a = 0.2f + x[i] * x[i]; c += T * a; T *= 1.0f / (1.0f + a); }",
    "after each iteration": "int k = 0; do { ALPHA LIGHT FADE ++k; } while (k < m && !(T < 0.02f));",
    "in the other branch": "EACH { ALPHA LIGHT FADE if (T >= 0.02f) c += a * T; else break; }",
    "by its size": "EACH { ALPHA LIGHT T *= a - 1.0f; if (fabsf(T) < 0.02f) break; }",
    "or something else": "EACH { ALPHA LIGHT FADE if (k > 9 || T < 0.02f) break; }",
    "left elsewhere too": "EACH { ALPHA if (a > 0.55f) break; LIGHT FADE LEAVE }",
    "read afterwards": "EACH { ALPHA LIGHT FADE LEAVE } c += T * T * w[0];",
    "read after the product": "EACH { ALPHA LIGHT FADE c += T * T; LEAVE }",
    "twice around": "for (int q = 0; q < 3; ++q) {"
    " T = 1.0f + 0.1f * q; EACH { ALPHA LIGHT c += T * c; FADE LEAVE } }",
    "a factor from a loop": "EACH { ALPHA for (int j = 0; j < 3; ++j) a += 0.1f * x[i * m + (k + j) % m];"
    " LIGHT T *= 1.0f - 0.5f * a; LEAVE }",
    "a factor from a branch": "EACH { ALPHA if (w[k] > 0.0f) a = a * a; LIGHT FADE LEAVE }",
    "with a state beside it": "float z = 0.1f; EACH { ALPHA z = z * a + T; c += z * z; FADE LEAVE }",
    "by a moving place": "int s = 2; EACH { float a = x[i * m + s % m] * 0.6f; s += 3; LIGHT FADE LEAVE }",
}
RECORDED = {
    "a limit that may be zero": "EACH { ALPHA NOTHING LIGHT FADE if (T < eps - 1.0f) break; }",
    "a limit of zero": "EACH { ALPHA NOTHING LIGHT FADE if (T < 0.0f) break; }",
    "no limit": "EACH { ALPHA NOTHING LIGHT FADE }",
    "a limit from above": "EACH { ALPHA NOTHING LIGHT FADE if (T > 0.98f) break; }",
    "of something else": "EACH { ALPHA NOTHING LIGHT FADE if (c > 100.0f) break; }",
    "only with something else": "EACH { ALPHA NOTHING LIGHT FADE if (T < 0.02f && k > 9) break; }",
    "a test in some iterations": "EACH { ALPHA NOTHING LIGHT FADE if (k > 9) { LEAVE } }",
    "before the product": "EACH { LEAVE ALPHA NOTHING LIGHT FADE }",
    "by itself": "EACH { ALPHA LIGHT T *= 1.0f - a * T; LEAVE }",
    "by what is made of it": "EACH { ALPHA float h = T * a; c += h * w[k]; T *= 1.0f - h; LEAVE }",
    "by another that is multiplied": "float U = 1.0f; EACH { ALPHA LIGHT float t = T;"
    " T *= 1.0f - 0.5f * a * U; U *= 1.0f - 0.5f * a * t; if (T < 0.02f || U < 0.02f) break; }",
    "by another, or by what stands for it": "float U = 1.0f; EACH { ALPHA LIGHT float t = T, u = U;"
    " if (w[k] > 2.0f) u = 0.5f; if (w[k] > 2.0f) t = 0.5f;"
    " T *= 1.0f - 0.5f * a * u; U *= 1.0f - 0.5f * a * t; if (T < 0.02f || U < 0.02f) break; }",
    "sometimes": "EACH { ALPHA LIGHT if (a > 0.3f) FADE LEAVE }",
    "in some iterations": "EACH { ALPHA if (a < 0.2f) continue; LIGHT FADE LEAVE }",
    "twice": "EACH { ALPHA LIGHT FADE T *= 0.9f; LEAVE }",
    "by an overwritten element or another number": "float p[2] = {x[i], 0.5f}; EACH { float a = p[k % 2];"
    " p[k % 2] = 0.3f * x[i * m + k] + 0.2f * a; if (w[k] > 0.0f) a = 0.3f; LIGHT FADE LEAVE }",
    "by an element that is overwritten": "float p[2] = {x[i], 0.5f}; EACH {"
    " float a = p[k % 2]; p[k % 2] = 0.3f * x[i * m + k] + 0.2f * a; LIGHT T *= 1.0f - 0.4f * a; LEAVE }",
}


@pytest.fixture(scope="module")
def backend() -> Iterator[Backend]:
    with Isolated("cpu", timeout=60.0) as isolated:
        yield isolated


def made(body: str, mode: Mode, **more: object) -> Transformed:
    for word, text in WORDS.items():
        body = re.sub(rf"\b{word}\b", text, body)
    return gradient_kit.made(KERNEL.replace("BODY", body), "y", "x,w", mode, **more)


def right(done: Transformed, backend: Backend) -> None:
    gradient_kit.right(done, CASE, backend)


@pytest.mark.parametrize("mode", ["joint", "split"])
@pytest.mark.parametrize("name", DIVIDED)
def test_what_a_test_keeps_from_zero_is_divided_back(name: str, mode: Mode, backend: Backend) -> None:
    done = made(DIVIDED[name], mode)
    assert "T_then /= " in done.text
    assert "tape_T[" not in done.text
    right(done, backend)


@pytest.mark.parametrize("mode", ["joint", "split"])
@pytest.mark.parametrize("name", RECORDED)
def test_what_may_be_zero_or_isn_t_a_product_is_recorded(name: str, mode: Mode, backend: Backend) -> None:
    done = made(RECORDED[name], mode)
    assert "T_then" not in done.text
    right(done, backend)


def test_a_variable_that_is_to_be_stored_is_stored(backend: Backend) -> None:
    done = made(DIVIDED["left where little is left"], "joint", store=("T",))
    assert "T_then" not in done.text
    right(done, backend)


def test_the_plan_says_why_no_divisor_is_zero() -> None:
    plan = made(DIVIDED["left where little is left"], "joint").adjoint.plan
    (decision,) = (d for d in plan.decisions if d.value == "T")
    assert (
        decision.reason == "line 8 multiplies it by 1.0f - a, not by zero: line 8 leaves the loop below 0.02f"
    )
    assert decision.other == "tape: 4 bytes per iteration, --store T"
