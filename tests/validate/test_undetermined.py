"""Where the primal is to blame, or the check's own doubles, or a difference's step, the report says so."""

from __future__ import annotations

from dataclasses import replace

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


def source(body: str, before: str = "", more: str = "") -> Source:
    """A kernel with that body; `more` parameters stand between x and y."""
    head = f"__global__ void k(const float *x, {more}float *y, int n)\n{{\n"
    index = "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i >= n) return;\n"
    return Source("k.cu", f"{before}{head}{index}{body}}}\n")


def judged(cpu: Backend, body: str, before: str = "", case: str = CASE) -> Report:
    done = transform(source(body, before), Options(of=("y",), wrt=("x",)))
    return check_pair(done.pair, Case.parse(case, done.pair.primal), cpu)


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


@pytest.mark.parametrize("slope", ["1e-9f", "1e-10f", "1e-12f", "1e-14f"])
def test_a_slope_below_what_differences_resolve_is_judged_by_tangents(slope: str, cpu: Backend) -> None:
    """4 + x * slope is rounded to 1e-15, which over a step is more than the slope; sin(4 + …) hides that."""
    report = judged(cpu, f"    y[i] = sinf(4.0f + cosf({slope} * x[i]) + {slope} * x[i]);\n")
    assert report.ok, report.text()
    (row,) = report.rows
    assert (row.checked, row.kinks, row.unresolved) == (32, (), ())
    assert not any("kink" in note for note in report.notes)


def test_a_scalar_whose_slopes_are_below_what_differences_resolve_is_right(cpu: Backend) -> None:
    """No output moves, at a short step nor at half of it: both differences are zero, and agree."""
    body = "    y[i] = sinf(4.0f + cosf(x[i]) + 2e-9f * x[i] * a);\n"
    done = transform(source(body, more="double a, "), Options(of=("y",), wrt=("a",)))
    case = Case.parse(f"{CASE}a = 0.01\n", done.pair.primal)
    report = check_pair(done.pair, case, cpu)
    assert report.ok, report.text()
    text = done.pair.adjoint_text
    for factor in ("1.00001", "2.0", "-1.0"):
        wrong = text.replace("* adj_y[i];", f"* adj_y[i] * {factor};")
        assert wrong != text
        judged_wrong = check_pair(replace(done.pair, adjoint_text=wrong), case, cpu)
        assert [row.verdict for row in judged_wrong.rows] == ["wrong"], judged_wrong.text()


def test_where_the_primals_own_formula_has_zero_times_infinity_an_adjoint_has_no_verdict(
    cpu: Backend,
) -> None:
    """1 / (1 / x) has the slope 1 at 0, but by its formula 0 * inf: in the tangent, too."""
    some = CASE.replace('fill = "uniform(-1,1)"', f"fill = {[0.0] + [0.25 * k for k in range(1, 32)]}")
    report = judged(cpu, "    y[i] = 1.0f / (1.0f / x[i]);\n", case=some)
    (row,) = report.rows
    assert (row.verdict, row.not_finite) == ("ok", (0,))
    assert report.ok, report.text()
    assert "x: [0] give values that are not finite; not compared" in report.notes


def test_an_adjoint_that_is_not_finite_where_the_tangent_is_stays_wrong(cpu: Backend) -> None:
    some = CASE.replace('fill = "uniform(-1,1)"', f"fill = {[0.0] + [0.25 * k for k in range(1, 32)]}")
    done = transform(source("    y[i] = x[i] * x[i];\n"), Options(of=("y",), wrt=("x",)))
    text = done.pair.adjoint_text
    wrong = text.replace("adj_x[i] +=", "adj_x[i] += x[i] * 0.0f / x[i] +")
    assert wrong != text
    report = check_pair(replace(done.pair, adjoint_text=wrong), Case.parse(some, done.pair.primal), cpu)
    assert [(row.verdict, row.element) for row in report.rows] == [("wrong", 0)], report.text()
    assert "the adjoint along x is not finite; not compared" in report.notes
