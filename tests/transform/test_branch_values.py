"""Values of a branch that stay in their variables for the reversed branch."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from gradient_kit import made, right
from kernel_variants import CASE, EMPTY, KERNEL, entries, judged

import s2sad
from s2sad.analysis.plan import Recovery
from s2sad.options import Mode, Options
from s2sad.pipeline import transform
from s2sad.run.backend import Backend
from s2sad.run.isolated import Isolated
from s2sad.source import Source
from s2sad.validate import Case, check_pair

KEPT = entries("""
both sweeps need it:
    float v = x[i], r = v;
    if (v > 0.1f) {
        float t = expf(v);
        r = t / (1.0f + t);
    }
    y[i] = r * r * x[i];
a condition with arithmetic:
    float v = x[i], r = v;
    if (v * v + c[0] > 0.1f) {
        float t = expf(v);
        r = t * t;
    }
    y[i] = r * r * x[i];
both branches:
    float v = x[i], r;
    if (v > 0.1f) {
        float t = expf(v);
        r = t * t;
    } else {
        float t = sinf(v);
        r = t * t;
    }
    y[i] = r * r * x[i];
the other branch:
    float v = x[i], r = v;
    if (v > 0.1f) {
        r = 2.0f * v;
    } else {
        float t = expf(v);
        r = t * t;
    }
    y[i] = r * r;
in a loop:
    float r = x[i];
    for (int k = 0; k < K; ++k) {
        float p = r;
        if (c[k] > 0.0f) {
            float t = expf(0.1f * r);
            p = t * t * r;
        }
        r = 0.3f * sinf(p) + p * p * 0.01f;
    }
    y[i] = r;
a loop inside:
    float v = x[i], r = v;
    if (v > 0.1f) {
        float s = 1.0f;
        for (int k = 0; k < K; ++k)
            s += c[k] * v;
        r = s * s;
    }
    y[i] = r * r * x[i];
nested, two exact conditions:
    float v = x[i], r = v;
    if (v > 0.1f) {
        r = v * v;
        if (c[0] > -9.0f) {
            float t = expf(v);
            r = t * t;
        }
    }
    y[i] = r * r * x[i];
nested, inner condition with arithmetic:
    float v = x[i], r = v;
    if (v > 0.1f) {
        float u = expf(0.5f * v);
        r = u * u;
        if (v * v > 0.2f) {
            float t = expf(v * u);
            r = t * t + r;
        }
        r = r * u;
    }
    y[i] = r * r * x[i];
nested, outer condition with arithmetic:
    float v = x[i], r = v;
    if (v * v > 0.1f) {
        r = v * v;
        if (v > 0.3f) {
            float t = expf(v);
            r = t * t;
        }
    }
    y[i] = r * r * x[i];
joined inside:
    float v = x[i], r = v;
    if (v > 0.1f) {
        float t;
        if (v > 0.5f)
            t = expf(v);
        else
            t = v * v;
        r = t * t;
    }
    y[i] = r * r * x[i];
fields of a struct:
    float2 r = make_float2(x[i], 1.0f);
    if (r.x > 0.1f) {
        float2 t = make_float2(expf(r.x), r.x / 3.0f);
        r.x = t.x * t.y;
        r.y = t.y * t.y;
    }
    y[i] = r.x * r.y * r.x;
read by an inner loop's adjoint:
    float v = x[i], r = v;
    if (v > 0.1f) {
        float t = expf(v);
        for (int k = 0; k < K; ++k)
            r = r * 0.5f + sinf(r) * t * c[k];
        r = r * t;
    }
    y[i] = r * r;
""")

STAYS = entries("""
set again in the branch, cheap:
    float v = x[i], r = v, t = 1.0f;
    if (v > 0.1f) {
        t = v * 3.0f;
        r = t * t;
    }
    y[i] = r * t * r * x[i];
Rodrigues:
    float v = x[i], sq = v * v, co = 1.0f, si = 1.0f, along = 0.0f;
    if (sq > 0.0f) {
        float angle = sqrtf(sq);
        co = cosf(angle);
        si = sinf(angle) / angle;
        along = v * (1.0f - co) / sq;
    }
    y[i] = v * co + c[0] * v * si + along * v;
both sides set it:
    float v = x[i], r = v, t;
    if (v > 0.1f) {
        t = expf(v);
        r = t * t;
    } else {
        t = sinf(v);
        r = t * t * t;
    }
    y[i] = r * t * r;
a chain of conditions:
    float v = x[i], r = v, t = 2.0f;
    if (v > 0.9f) {
        t = expf(v);
        r = t * t;
    } else if (v > 0.3f) {
        t = sinf(v) / v;
        r = t * t * t;
    } else {
        r = v * t;
        t = cosf(r);
        r = r * t * t;
    }
    y[i] = r * t * r;
a nested condition on the other side:
    float v = x[i], r = v, t = 2.0f;
    if (v > 0.1f) {
        if (c[0] > -9.0f) {
            t = expf(v);
            r = t * t;
        }
    } else {
        t = v * v;
    }
    y[i] = r * t * r;
in a loop:
    float r = x[i];
    for (int k = 0; k < K; ++k) {
        float t = 1.0f;
        if (c[k] > 0.0f) {
            t = expf(0.1f * r);
            r = 0.5f * t * t * r;
        }
        r = 0.3f * sinf(r) * t;
    }
    y[i] = r;
""")

CHANGED = entries("""
set twice in the branch:
    float v = x[i], r = v, t = 1.0f;
    if (v > 0.1f) {
        t = v * 3.0f;
        r = t * t;
        t = expf(r);
        r = r * t * t;
    }
    y[i] = r * t * r * x[i];
the variable is the loop's state:
    float r = x[i], t = 0.5f;
    for (int k = 0; k < K; ++k) {
        if (c[k] > 0.0f) {
            t = expf(0.1f * r);
            r = 0.5f * t * t * r;
        }
        r = 0.3f * sinf(r) * t;
    }
    y[i] = r * t;
set in a later branch:
    float v = x[i], r = v, t = 1.0f;
    if (v > 0.1f) {
        t = expf(v);
        r = t * t;
    }
    if (v > 0.4f) {
        t = t * r;
        r = r * t * t;
    }
    y[i] = r * t;
set in a later loop:
    float v = x[i], r = v, t = 1.0f;
    if (v > 0.1f) {
        t = expf(v);
        r = t * t;
    }
    for (int k = 0; k < K; ++k) {
        r = r + t * c[k];
        t = 0.5f * sinf(r) * t;
    }
    y[i] = r * t;
""")

NOT_KEPT = entries("""
cheap:
    float v = x[i], r = v;
    if (v > 0.1f) {
        float t = v * 3.0f;
        r = t * t;
    }
    y[i] = r * r * x[i];
changed afterwards:
    float v = x[i], r = v;
    if (v > 0.1f) {
        float t = expf(v);
        r = t * t;
        t = 0.5f * v;
        r = r * t;
    }
    y[i] = r * r * x[i];
declared outside:
    float v = x[i], r = v, t = 0.0f;
    if (v > 0.1f) {
        t = expf(v);
        r = t * t;
    }
    t = 2.0f * r;
    y[i] = r * t;
the forward sweep doesn't run it:
    float v = x[i], r = v;
    if (v > 0.1f) {
        float t = expf(v);
        r = t * t;
    }
    y[i] = r;
it leaves the loop:
    float r = x[i];
    for (int k = 0; k < K; ++k) {
        if (r * r > 4.0f) {
            float t = expf(-r);
            r = t * t;
            break;
        }
        r = r * 1.5f + c[k] * sinf(r);
    }
    y[i] = r * r;
""")


@pytest.fixture(scope="module")
def backend() -> Iterator[Backend]:
    with Isolated("cpu", timeout=60.0) as isolated:
        yield isolated


def held_over(text: str) -> bool:
    """Whether a variable is declared without a value and set in a branch after it."""
    return re.search(r"^ +(float|float2) [st];$", text, re.M) is not None


@pytest.mark.parametrize("mode", ["joint", "split"])
@pytest.mark.parametrize("name", KEPT)
def test_an_expensive_value_is_computed_once(name: str, mode: Mode, backend: Backend) -> None:
    text = judged(KEPT[name], backend, mode)
    if mode == "joint":
        assert held_over(text)


@pytest.mark.parametrize("mode", ["joint", "split"])
@pytest.mark.parametrize("name", STAYS)
def test_what_a_branch_leaves_in_a_variable_stays_there(name: str, mode: Mode, backend: Backend) -> None:
    text = judged(STAYS[name], backend, mode)
    if mode == "joint":
        assert all(
            text.count(line.strip()) == 1
            for line in STAYS[name].splitlines()
            if re.match(r"\s+(t|co|si|along) = ", line)
        )


@pytest.mark.parametrize("mode", ["joint", "split"])
@pytest.mark.parametrize("name", CHANGED)
def test_a_variable_that_is_set_again_is_not_relied_on(name: str, mode: Mode, backend: Backend) -> None:
    judged(CHANGED[name], backend, mode)


@pytest.mark.parametrize("mode", ["joint", "split"])
@pytest.mark.parametrize("name", NOT_KEPT)
def test_other_values_are_computed_again(name: str, mode: Mode, backend: Backend) -> None:
    text = judged(NOT_KEPT[name], backend, mode)
    if name == "declared outside":  # as the author has it
        assert text.count("t = expf(v);") > 1
    else:
        assert not held_over(text)


def test_a_condition_with_arithmetic_is_evaluated_once(backend: Backend) -> None:
    text = judged(KEPT["a condition with arithmetic"], backend)
    assert text.count("v * v + c[0] > 0.1f") == 1
    assert text.count("if (taken)") == 2


def test_a_value_stays_within_what_is_decided_once(backend: Backend) -> None:
    """The inner condition is evaluated in both sweeps of the outer branch, perhaps rounded differently."""
    text = judged(KEPT["nested, inner condition with arithmetic"], backend)
    assert "\n    float u;" in text
    assert "\n    float t;" not in text
    assert "\n        float t;" in text


TWO_VALUES = """\
extern "C" __global__ void k(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float a = x[2 * i], b = x[2 * i + 1], g = 0.7f * b;
    AROUND {
        BRANCHES
        g = expf(-a * g);
    }
    g = g * a;
    y[i] += g;
}
"""
TWO_VALUES_CASE = """\
[launch]
grid = 3
block = 8
[args]
n = 21
x = { shape = 48, fill = "uniform(0.2, 1)" }
y = { shape = 24, fill = "zeros" }
"""
BRANCHES = {
    "a product": "if (i % 3 == 0) { a += b * b; g = b * a; a = a * b; } else { a = b * g; }",
    "a copy": "if (i % 3 == 0) { a += b * b; g = b * a; a = b; } else { a = b * g; }",
    "cases": "switch (i % 3) { case 0: a += b * b; g = b * a; a = a * b; break; default: a = b * g; }",
}


@pytest.mark.parametrize("around", ["if (i > 0)", "for (int r = 0; r < 2; ++r)"])
@pytest.mark.parametrize("name", BRANCHES)
def test_a_kept_value_is_read_though_an_earlier_one_is_copied(
    name: str, around: str, backend: Backend
) -> None:
    """The reversed branch computes an earlier value of `a` again, beside the one that the branch left."""
    text = TWO_VALUES.replace("AROUND", around).replace("BRANCHES", BRANCHES[name])
    right(made(text, "y", "x"), TWO_VALUES_CASE, backend)


def test_the_plan_says_which_values_remain() -> None:
    done = transform(Source("k.cu", KERNEL % KEPT["both sweeps need it"]), Options())
    assert ("t", Recovery.RELOAD) in {(row.value, row.how) for row in done.adjoint.plan.decisions}


@pytest.mark.parametrize(("option", "kept"), [("store", True), ("recompute", False)])
def test_options_overrule_the_cost(option: str, kept: bool, backend: Backend) -> None:
    body = NOT_KEPT["cheap"] if kept else KEPT["both sweeps need it"]
    options = Options(**{option: ("t",)})
    done = transform(Source("k.cu", KERNEL % body), options)
    case = Case.parse(CASE + EMPTY, done.pair.primal)
    report = check_pair(done.pair, case, backend, tolerance=1e-7)
    assert report.ok, report.text()
    assert held_over(done.text) is kept


def test_registers_are_limited() -> None:
    """Thirty values of 4 bytes would take more than 64."""
    lines = "".join(f"        float t{k} = expf({k}.0f * v); r += t{k} * t{k};\n" for k in range(30))
    body = f"    float v = x[i], r = v;\n    if (v > 0.1f) {{\n{lines}    }}\n    y[i] = r * r * x[i];"
    text = s2sad.transform(KERNEL % body, name="k.cu", of=["y"], wrt=["x"]).source
    assert sum(line.strip().startswith("float t") and "=" not in line for line in text.splitlines()) == 16
