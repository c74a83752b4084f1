"""What exact second derivatives of the primal's text show, and nothing else does."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from s2sad.options import Options
from s2sad.pipeline import transform
from s2sad.run.backend import Backend
from s2sad.run.isolated import Isolated
from s2sad.source import Source
from s2sad.validate import Case, Report, Twice, check_second_order

KERNEL = """\
__global__ void k(const float *__restrict__ x, const float *__restrict__ w, float *__restrict__ y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = BODY;
    y[i] = s;
}
"""
CASE = """\
[launch]
grid = 2
block = 32

[args]
n = 50
x = { shape = 50, fill = "uniform(0.5, 1.5)" }
w = { shape = 50, fill = "normal" }
y = { shape = 50, fill = "zeros" }
"""


@pytest.fixture(scope="module")
def backend() -> Iterator[Backend]:
    with Isolated("cpu", timeout=60.0) as isolated:
        yield isolated


def twice(body: str) -> Twice:
    options = Options(of=("y",), wrt=("x", "w"), mode="second-order")
    done = transform(Source("k.cu", KERNEL.replace("BODY", body)), options)
    assert done.first is not None
    return Twice(done.first.pair, done.pair)


def checked(both: Twice, backend: Backend, folder: Path) -> Report:
    (folder / "k.toml").write_text(CASE)
    return check_second_order(both, Case.read(folder / "k.toml", both.first.primal), backend)


def verdicts(report: Report, order: int) -> list[str]:
    return [exact.verdict for exact in report.exact if exact.order == order]


def test_products_are_compared_along_each_argument_and_along_all(backend: Backend, tmp_path: Path) -> None:
    report = checked(twice("expf(x[i]) * w[i] * w[i] + sinf(x[i] * w[i])"), backend, tmp_path)
    assert report.ok, report.text()
    second = [exact for exact in report.exact if exact.order == 2]
    assert [exact.name for exact in second] == ["x", "w", "", "", ""]
    assert verdicts(report, 2) == ["ok"] * 5
    assert max(exact.residual for exact in second) < 1e-15
    assert re.search("^exact second derivatives +5 directions", report.text(), re.M)
    assert [one["order"] for one in report.to_dict()["exact"]].count(2) == 5  # type: ignore[attr-defined,index]


def test_an_adjoint_of_another_function_is_consistent_with_its_own_tangent_alone(
    backend: Backend, tmp_path: Path
) -> None:
    """All else in the report is from the adjoint's text: it is right, symmetric, and of another function."""
    right, other = twice("x[i] * x[i] * w[i]"), twice("x[i] * x[i] * w[i] * 1.00001f")
    mixed = Twice(replace(right.first, adjoint_text=other.first.adjoint_text), other.second)
    report = checked(mixed, backend, tmp_path)
    assert all(row.verdict == "ok" for row in report.rows), report.text()
    assert all(finding.ok for finding in report.findings), report.text()
    assert set(verdicts(report, 1)) == {"ok"}
    assert set(verdicts(report, 2)) == {"wrong"}
    assert not report.ok
    assert "wrong: the exact second derivative along x is" in report.text()


def test_a_text_that_reads_bits_has_none_and_the_report_says_so(backend: Backend, tmp_path: Path) -> None:
    right = twice("x[i] * x[i] * w[i]")
    bits = right.first.primal_text.replace("= s ;", "= __int_as_float(__float_as_int(s) + 0);")
    assert bits != right.first.primal_text
    first = replace(right.first, primal_text=bits)
    report = checked(Twice(first, right.second), backend, tmp_path)
    assert verdicts(report, 2) == []
    assert any(note.startswith("no exact second derivatives: ") for note in report.notes), report.text()


def test_at_a_near_tie_either_side_may_be_meant(backend: Backend, tmp_path: Path) -> None:
    both = twice("x[i] > 1.0f ? x[i] * x[i] * w[i] : x[i] * w[i]")
    case = CASE.replace('fill = "uniform(0.5, 1.5)"', 'fill = "ones"')
    (tmp_path / "k.toml").write_text(case)
    report = check_second_order(both, Case.read(tmp_path / "k.toml", both.first.primal), backend)
    assert all(exact.ties for exact in report.exact if exact.order == 2), report.text()
