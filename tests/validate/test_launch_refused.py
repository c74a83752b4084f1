"""An adjoint that refuses the launch of a case is told apart from one that is wrong."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from s2sad.options import Assumption, Options
from s2sad.pipeline import Transformed, transform
from s2sad.run.backend import Backend
from s2sad.run.isolated import Isolated
from s2sad.source import Source
from s2sad.validate import Case, check_pair

KERNEL = """extern "C" __global__ void k(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i] * x[i > 0 ? i - 1 : i];
}
"""
CASE = """kernel = "k"
of = ["y"]
wrt = ["x"]
[launch]
grid = GRID
block = 8
[args]
n = 20
x = { shape = 20, fill = "normal" }
y = { shape = 20, fill = "zeros" }
"""
REFUSED = "the launch is one that k_adj takes: it requires a launch that covers n (--assume covers:n)"


@pytest.fixture(scope="module")
def backend() -> Iterator[Backend]:
    with Isolated("cpu", timeout=60.0) as isolated:
        yield isolated


@pytest.fixture(scope="module")
def done() -> Transformed:
    asked = Options(of=("y",), wrt=("x",), assume=(Assumption("covers", "n"),))
    return transform(Source("k.cu", KERNEL), asked)


def broken(done: Transformed, grid: int, backend: Backend, text: str = "") -> list[str]:
    pair = (
        done.pair
        if not text
        else type(done.pair)(done.pair.primal_text, text, done.pair.primal, done.pair.adjoint)
    )
    report = check_pair(pair, Case.parse(CASE.replace("GRID", str(grid)), pair.primal), backend)
    assert report.ok == (grid == 3 and not text)
    return [finding.what for finding in report.findings if not finding.ok]


def test_a_launch_that_is_too_small_is_named(done: Transformed, backend: Backend) -> None:
    assert broken(done, 2, backend) == [REFUSED]


def test_a_launch_that_covers_all_is_judged(done: Transformed, backend: Backend) -> None:
    assert broken(done, 3, backend) == []


def test_nan_from_elsewhere_is_no_refusal(done: Transformed, backend: Backend) -> None:
    end = done.text.rindex("}")
    text = f'{done.text[:end]}    if (i == 0)\n        adj_x[0] = nanf("");\n}}\n'
    assert REFUSED not in broken(done, 3, backend, text)
