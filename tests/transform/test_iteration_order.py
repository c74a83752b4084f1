"""The reversed loop keeps the primal's order where no adjoint passes from one iteration to another."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from s2sad.options import Options
from s2sad.pipeline import Transformed, transform
from s2sad.run.backend import Backend
from s2sad.run.isolated import Isolated
from s2sad.source import Source
from s2sad.validate import Case, check_pair

KERNEL = """extern "C" __global__ void k(const float *x, const float *w, float *y, int n)
{
    __shared__ float tile[64];
    const int t = threadIdx.x;
    float own[4];
    FIRST
    float sum = 0.25f * t;
    for (int start = 0; start < n; start += 8) {
        BODY
    }
    LAST
    y[t] = sum;
}
"""
FILL = "tile[t] = start + t < n ? x[start + t] : 0.0f;"
READ = "for (int j = 0; j < 8; ++j) sum += w[j] * tile[j] * tile[(j + t) % 8];"
MEET = "__syncthreads();"
ANY = {
    "a tile": (FILL, MEET, READ, MEET),
    "a tile that two statements fill": (FILL, "tile[t + 8] = sinf(x[start]);", MEET, READ, MEET),
    "a tile of which some threads fill elements": (f"if (t < 5) {FILL}", MEET, READ.replace("8", "5"), MEET),
    "a tile that is filled as far as it is read": (
        "if (start + t < n) tile[t] = x[start + t];",
        MEET,
        "for (int j = 0; j < min(8, n - start); ++j) sum += w[j] * tile[j] * tile[j];",
        MEET,
    ),
    "an array of the thread": (
        "for (int j = 0; j < 4; ++j) own[j] = x[start + j] * w[t];",
        "sum += own[0] * own[1] + own[2] * own[3];",
    ),
}
LAST_TO_FIRST = {
    "a tile that only some iterations fill": (f"if (start % 16 == 0) {FILL}", MEET, READ, MEET),
    "a tile that moves on": (FILL.replace("tile[t]", "tile[t + start]"), MEET, READ, MEET),
    "a tile that is changed": (FILL, MEET, READ, MEET, "tile[t] *= w[t];", MEET),
    "a tile that is read before": (READ, MEET, FILL, MEET),
    "a sum that the iterations read": (FILL, MEET, READ, MEET, "sum = sinf(sum);"),
    "elements of the thread that stay": (
        "own[start / 8 % 4] = x[start] * w[t];",
        "sum += own[0] * own[1] + own[2] * own[3];",
    ),
}
AFTER = "sum += tile[t] * w[t];"
CASE = """kernel = "k"
of = ["y"]
wrt = ["x", "w"]
[launch]
grid = 1
block = 8
[args]
n = 20
x = { shape = 40, fill = "uniform(-1, 1)" }
w = { shape = 8, fill = "uniform(-1, 1)" }
y = { shape = 8, fill = "zeros" }
"""


@pytest.fixture(scope="module")
def backend() -> Iterator[Backend]:
    with Isolated("cpu", timeout=60.0) as isolated:
        yield isolated


def made(body: tuple[str, ...], last: str = "") -> Transformed:
    text = KERNEL.replace("BODY", "\n        ".join(body)).replace("LAST", last)
    stale = body not in ANY.values()  # then there are elements from before the loop
    first = f"for (int j = 0; j < 4; ++j) own[j] = x[j]; tile[t] = x[t]; tile[t + 8] = x[t + 8]; {MEET}"
    text = text.replace("FIRST", first if stale else "")
    return transform(Source("k.cu", text), Options(of=("y",), wrt=("x", "w")))


def check(done: Transformed, backend: Backend) -> None:
    report = check_pair(done.pair, Case.parse(CASE, done.pair.primal), backend, tolerance=1e-6)
    assert report.ok, report.text()


def reverse_loop(done: Transformed) -> str:
    """The head of the loop over tiles in the reverse sweep, the last one."""
    return [line for line in done.text.splitlines() if "for (int start" in line or "trip = " in line][-1]


@pytest.mark.parametrize("name", ANY)
def test_iterations_that_share_nothing_keep_their_order(name: str, backend: Backend) -> None:
    done = made(ANY[name])
    assert "for (int start = 0; start < n; start += 8)" in reverse_loop(done), done.text
    check(done, backend)


@pytest.mark.parametrize("name", LAST_TO_FIRST)
def test_iterations_that_share_adjoints_run_backwards(name: str, backend: Backend) -> None:
    done = made(LAST_TO_FIRST[name])
    assert "for (int start = 0;" not in reverse_loop(done), done.text
    check(done, backend)


def test_what_is_read_after_the_loop_is_of_the_last_iteration(backend: Backend) -> None:
    done = made(ANY["a tile"], AFTER)
    assert "for (int start = 0;" not in reverse_loop(done), done.text
    check(done, backend)
