"""What only shows where `float` is float: digits that cancel, ranges that end, conversions on the way."""

from __future__ import annotations

from dataclasses import replace

import pytest
from test_check_on_cpu import EXAMPLES, judged
from test_trust import Curve

from s2sad.options import Options
from s2sad.pipeline import transform
from s2sad.run.backend import Backend
from s2sad.run.registry import find
from s2sad.source import Source
from s2sad.validate import Case, Report, check_pair
from s2sad.validate.float_check import Single, has_floats
from s2sad.validate.float_inputs import MOST

SMALL = 'fill = "uniform(0.0001, 0.0003)"'


@pytest.fixture(scope="module")
def cpu() -> Backend:
    return find("cpu")


def judged_loosely(curve: Curve, cpu: Backend) -> Report:
    """Differences of small numbers are less exact than those of others."""
    example = curve.example
    return check_pair(example.pair(), example.case(), cpu, tolerance=1e-5)


def single(curve: Curve, cpu: Backend) -> Single:
    """The only row about floats, all that is double being right."""
    report = judged_loosely(curve, cpu)
    assert [row.verdict for row in report.rows] == ["ok"]
    assert {exact.verdict for exact in report.exact} == {"ok"}
    assert report.ok == (report.floats[0].verdict != "wrong")
    (found,) = report.floats
    return found


@pytest.mark.parametrize(
    ("f", "slope", "cancels"),
    [
        ("expm1f(t) - t", "expm1f(t)", "(expf(t) - 1.0f)"),
        ("t * t", "(2.0f * t)", "((1.0f + t) - (1.0f - t))"),
    ],
)
def test_a_difference_of_nearly_equal_numbers_is_found(
    f: str, slope: str, cancels: str, cpu: Backend
) -> None:
    right = single(Curve(f, slope, SMALL), cpu)
    assert right.verdict == "ok"
    assert right.worst < 10
    wrong = single(Curve(f, cancels, SMALL), cpu)
    assert wrong.verdict == "wrong"
    assert wrong.worst > MOST
    assert wrong.wrong > 0


def test_the_report_names_the_element_and_both_values(cpu: Backend) -> None:
    report = judged_loosely(Curve("expm1f(t) - t", "(expf(t) - 1.0f)", SMALL), cpu)
    (found,) = report.floats
    text = report.text()
    assert f"wrong: gradient of x in float: {found.wrong} of 70 elements lose digits; worst at [" in text
    assert f"[{found.element}]: {found.as_float:.9g}, in double {found.as_double:.9g}" in text
    assert "float as float" in text
    told = report.to_dict()["floats"]
    assert told == [found.to_dict()]


def test_an_adjoint_that_overflows_where_the_primal_does_not_is_found(cpu: Backend) -> None:
    e = "expf(2.0f * t)"
    slope = f"(4.0f * {e} / (({e} + 1.0f) * ({e} + 1.0f)))"
    large = 'fill = "uniform(43.8, 44)"'
    wrong = single(Curve("tanhf(t) + t", f"(1.0f + {slope})", large), cpu)
    assert wrong.verdict == "wrong"
    assert wrong.to_dict()["worst"] is None
    assert single(Curve("tanhf(t) + t", "(2.0f - tanhf(t) * tanhf(t))", large), cpu).verdict == "ok"


def test_data_that_no_float_can_hold_is_a_note(cpu: Backend) -> None:
    report = Curve("expf(t)", "expf(t)", 'fill = "uniform(100, 101)"').report(cpu)
    assert report.ok
    assert report.floats == ()
    assert any("out of the range of float" in note for note in report.notes)


@pytest.mark.parametrize(
    ("f", "slope"),
    [
        ("floorf(t * 10.0f) * t", "floorf(t * 10.0f)"),
        ("(float)(int)(t * 10.0f) * t", "(float)(int)(t * 10.0f)"),
        ("t * 10.0f >= 7.0f ? t * t : 0.7f * t", "(t * 10.0f >= 7.0f ? 2.0f * t : 0.7f)"),
    ],
)
def test_a_branch_that_float_takes_otherwise_is_no_mistake(f: str, slope: str, cpu: Backend) -> None:
    """0.7f is below 0.7, and ten times 0.7f is 7 once it is rounded."""
    report = Curve(f, slope, 'fill = "uniform(0.69999998, 0.69999999)"').report(cpu)
    assert [found.verdict for found in report.floats] == ["ok"]


def test_rounding_in_the_primal_is_no_mistake_of_its_adjoint(cpu: Backend) -> None:
    """What a constant loses where it is added to a large number is the slope's own."""
    rounds = "((0.0f * t + i + 100.1f) - i - 100.0999f)"
    report = Curve(f"{rounds} * t", rounds).report(cpu)
    (found,) = report.floats
    assert found.verdict == "ok", report.text()
    assert found.branches
    assert any("rounding in the primal; not checked" in note for note in report.notes)


def test_a_gradient_that_cancels_to_nothing_says_nothing(cpu: Backend) -> None:
    cube = "(t * 0.1f + t * 0.2f - t * 0.3f)"
    found = single(Curve(f"t * t + {cube}", "(2.0f * t + (0.1f + 0.2f - 0.3f))"), cpu)
    assert found.verdict == "ok"


@pytest.mark.parametrize("name", EXAMPLES)
def test_right_adjoints_stay_far_below_what_is_allowed(name: str, cpu: Backend) -> None:
    report = judged(EXAMPLES[name], cpu)
    assert all(found.verdict == "ok" and found.worst < 50 for found in report.floats)


def test_a_text_without_floats_is_not_compared() -> None:
    assert not has_floats("__global__ void k(double *x) { /* no float */ x[0] = 1.0; }")
    assert has_floats("__global__ void k(double *x) { x[0] = 1.0f; }")


CANCELS = """
__device__ float narrow(const float b) { float r = 0.0f; r += b; return r; }
__global__ void k(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double f = narrow(x[i]);
    y[i] = 0.5 * (narrow(-f) + f) + %s;
}
"""
DOUBLES = """
launch = { grid = "(n + 15) / 16", block = 16 }
[args]
n = 32
x = { shape = "n", fill = "uniform(-1,1)" }
y = { shape = "n", fill = "zeros" }
"""


def with_doubles(rest: str, cpu: Backend, fault: tuple[str, str] = ("", "")) -> Report:
    pair = transform(Source("k.cu", CANCELS % rest), Options(of=("y",), wrt=("x",))).pair
    text = pair.adjoint_text.replace(*fault)
    assert not fault[0] or text != pair.adjoint_text
    return check_pair(replace(pair, adjoint_text=text), Case.parse(DOUBLES, pair.primal), cpu)


@pytest.mark.parametrize("rest", ["0.25", "1e-4 * x[i]", "1e-7 * sin(x[i])"])
def test_floats_may_leave_their_rounding_of_terms_that_cancel(rest: str, cpu: Backend) -> None:
    """-f + f is zero, in float as in double; of their adjoints only one goes through a float."""
    report = with_doubles(rest, cpu)
    assert report.ok, report.text()
    assert any(single.double and single.branches for single in report.floats)
    assert any(
        "are what rounding to float leaves of terms that cancel; not checked" in n for n in report.notes
    )


@pytest.mark.parametrize(("rest", "slope"), [("x[i] * x[i]", "2 * x[i]"), ("sin(x[i])", "cos(x[i])")])
def test_a_double_that_passes_through_a_float_beside_such_terms_is_wrong(
    rest: str, slope: str, cpu: Backend
) -> None:
    """As large as the terms, it is no rest of them."""
    fault = (
        "adj_x[i] += narrow_adj(",
        f"adj_x[i] += (float)({slope} * g_y) - {slope} * g_y;\n    adj_x[i] += narrow_adj(",
    )
    report = with_doubles(rest, cpu, fault)
    assert any(single.double and single.verdict == "wrong" for single in report.floats), report.text()


def test_a_rest_that_is_larger_than_rounding_is_wrong(cpu: Backend) -> None:
    fault = ("+ g_narrow_f)", "+ g_narrow_f + (sizeof(float) < 8 ? 1e-6 : 0))")
    report = with_doubles("0.25", cpu, fault)
    assert any(single.double and single.verdict == "wrong" for single in report.floats), report.text()
