"""Where rounding moves a derivative itself, the adjoint is held to what is known of it; nowhere else."""

from __future__ import annotations

import pytest
from test_trust import Curve

from s2sad.run.backend import Backend
from s2sad.run.registry import find


@pytest.fixture(scope="module")
def cpu() -> Backend:
    return find("cpu")


TANH = "tanhf(t - 7.0f)"
FAR_OUT = 'fill = "uniform(-1,0)"'


def test_one_minus_tanh_squared_far_out_is_right_and_the_report_says_how_far_it_is_known(
    cpu: Backend,
) -> None:
    report = Curve(TANH, f"(1.0f - {TANH} * {TANH})", FAR_OUT).report(cpu)
    (exact,) = report.exact
    assert exact.verdict == "ok"
    assert exact.residual > 1e-12
    assert any("which is rounding: rounding alone changes it by" in note for note in report.notes)


def test_a_difference_of_large_numbers_is_known_only_so_far(cpu: Backend) -> None:
    """The adjoint multiplies out what the primal has in brackets."""
    curve = Curve(
        "(t - 1000.1f) * (t - 1000.1f) * 0.5f - 1000.1f * 500.05f", "(t - 1000.1f)", 'fill = "ones"'
    )
    assert {exact.verdict for exact in curve.report(cpu).exact} == {"ok"}
    square = "(t * t - 2.0f * 1000.1f * t + 1000.1f * 1000.1f)"
    near = Curve(
        f"1.0f / {square}", f"(-2.0f * (t - 1000.1f) / {square} / {square})", 'fill = "uniform(999,1000)"'
    )
    (exact,) = near.report(cpu).exact
    assert exact.verdict == "ok"


@pytest.mark.parametrize("factor", ["1.00000001", "(1 + 2e-9)"])
def test_a_fault_is_found_where_rounding_matters_too(factor: str, cpu: Backend) -> None:
    report = Curve(TANH, f"{factor} * (1.0f - {TANH} * {TANH})", FAR_OUT).report(cpu)
    assert [exact.verdict for exact in report.exact] == ["wrong"]


@pytest.mark.parametrize("factor", ["(1 + 1e-11)", "(1 - 5e-10)"])
def test_a_small_fault_is_no_rounding(factor: str, cpu: Backend) -> None:
    (exact,) = Curve("sinf(t) * t", f"{factor} * (cosf(t) * t + sinf(t))").report(cpu).exact
    assert exact.verdict == "wrong"
    assert exact.moved < 1e-14 * exact.size


def test_what_a_float_result_of_tanh_has_lost_no_adjoint_can_know(cpu: Backend) -> None:
    """1 - r * r is off by a hundredth where r is all but one: as every adjoint in float is."""
    report = Curve(TANH, f"(1.0f - {TANH} * {TANH})", FAR_OUT).report(cpu)
    (single,) = report.floats
    assert single.verdict == "ok"
    assert single.branches
