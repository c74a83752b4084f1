"""Where the primal is to blame, or the check's own doubles, or a difference's step, the report says so."""

from __future__ import annotations

import pytest

from s2sad.options import Options
from s2sad.pipeline import transform
from s2sad.run.backend import Backend
from s2sad.run.registry import find
from s2sad.source import Source
from s2sad.validate.case import Case
from s2sad.validate.check import check_pair
from s2sad.validate.report import Report


@pytest.fixture(scope="module")
def cpu() -> Backend:
    return find("cpu")


CASE = """
[launch]
grid = "(n + 15) / 16"
block = 16
[args]
n = 32
x = { shape = "n", fill = "uniform(-1,1)" }
y = { shape = "n", fill = "zeros" }
"""


def judged(cpu: Backend, body: str, before: str = "") -> Report:
    head = "__global__ void k(const float *x, float *y, int n)\n{\n"
    index = "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i >= n) return;\n"
    done = transform(Source("k.cu", f"{before}{head}{index}{body}}}\n"), Options(of=("y",), wrt=("x",)))
    return check_pair(done.pair, Case.parse(CASE, done.pair.primal), cpu)


def test_an_array_that_was_never_filled_is_told(cpu: Backend) -> None:
    used = "    float a[4];\n    for (int k = 0; k < 4; ++k) {body}\n    y[i] = a[0] * a[3] + a[1] * a[2];\n"
    report = judged(cpu, used.replace("{body}", "a[k] += k * x[i];"))
    told = "k reads an uninitialised local variable whose contents change y: it has no derivative"
    assert not report.ok
    assert any(note.startswith(told) for note in report.undetermined), report.text()
    assert judged(cpu, used.replace("{body}", "a[k] = k * x[i];")).ok


def test_a_size_of_float_that_decides_is_told(cpu: Backend) -> None:
    of = "template <typename T> __device__ T f(T v) { return sizeof(T) > 4 ? v * v : sinf(v); }\n"
    report = judged(cpu, "    y[i] = f(x[i]);\n", of)
    assert not report.ok
    assert any(note.startswith("k uses sizeof, and gives other y") for note in report.undetermined)
    words = (
        "    float4 v = make_float4(x[i], 1.0f, 2.0f, 3.0f);\n    y[i] = v.x * (sizeof(v) / sizeof(float));\n"
    )
    assert judged(cpu, words).ok


def test_what_rounding_leaves_of_a_gradient_that_is_zero_is_no_fault(cpu: Backend) -> None:
    """x goes out again: what the tangent and the adjoint have of it are different rests of 1e-16."""
    body = "    float v = 3.0f * x[i] + expf(x[i]);\n    y[i] = expf(v - 3.0f * x[i] - expf(x[i]));\n"
    report = judged(cpu, body)
    assert {exact.verdict for exact in report.exact} <= {"ok"}, report.text()


def test_a_loop_whose_slope_turns_often_is_right(cpu: Backend) -> None:
    """Where none of the differences helps is kept in fuzz/regressions/slope_turns_in_a_step.cu."""
    loop = "    for (int k = 0; k < 9; ++k) v = 3.0f * sinf(2.0f * v);\n"
    report = judged(cpu, f"    float v = x[i];\n{loop}    y[i] = v;\n")
    assert report.ok, report.text()
    assert all(row.verdict != "wrong" for row in report.rows)
