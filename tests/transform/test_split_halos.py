"""Which additions are plain inside a block and atomic at its rim, and which stay atomic."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

from s2sad.options import Options
from s2sad.pipeline import Transformed, transform
from s2sad.run.backend import Backend
from s2sad.run.isolated import Isolated
from s2sad.source import Source
from s2sad.validate import Case, check_pair

BLOCKS = "blockIdx.x * 8 + threadIdx.x"
LINE = (
    'extern "C" __global__ void k(const float *x, float *y, int n) {'
    " __shared__ float s[10]; int t = threadIdx.x + 1; int i = POINT; s[t] = i < n ? x[i] : 0.0f;"
    " FILL __syncthreads(); if (i < n) y[i] = READ; }"
)
BOTH = (
    "if (threadIdx.x == 0) s[0] = i > 0 ? x[i - 1] : 0.0f;"
    " if (threadIdx.x == 7) s[9] = i + 1 < n ? x[i + 1] : 0.0f;"
)
LAST = "if (threadIdx.x == blockDim.x - 1) s[t + 1] = i + 1 < n ? x[i + 1] : 0.0f;"
READ = "s[t - 1] * s[t + 1] + s[t]"
RIMS = {
    "both neighbours": (BLOCKS, BOTH, READ, "if (i % 8 == 7 || i % 8 == 0)"),
    "the one behind": (
        BLOCKS,
        "if (threadIdx.x == 0) s[0] = i > 0 ? x[i - 1] : 0.0f;",
        "s[t - 1] * s[t]",
        "if (i % 8 == 7)",
    ),
    "two before": (
        BLOCKS,
        "if (threadIdx.x == 7) { s[9] = i + 2 < n ? x[i + 2] : 0.0f; }",
        "s[t + 1] * s[t]",
        "if (i % 8 == 1)",
    ),
    "blocks of any width": (
        "blockIdx.x * blockDim.x + threadIdx.x",
        LAST,
        "s[t + 1] * s[t]",
        "if (threadIdx.x == 0)",
    ),
}
LEFT = {
    "a thread that data choose": (BLOCKS, "if (threadIdx.x == n % 8) s[0] = i > 0 ? x[i - 1] : 0.0f;"),
    "all threads": (BLOCKS, "if (i > 0 && i < n) s[t] += x[i - 1];"),
    "another stride": (BLOCKS, "if (threadIdx.x == 0) s[0] = x[3 * blockIdx.x];"),
    "an element that all blocks have": (BLOCKS, "if (threadIdx.x == 0) s[0] = x[0];"),
}
CASE = """kernel = "k"
of = ["y"]
wrt = ["x"]
[launch]
grid = "(n + 7) / 8"
block = 8
[args]
n = 29
x = { shape = "n + 40", fill = "normal" }
y = { shape = "n", fill = "zeros" }
"""


@pytest.fixture(scope="module")
def backend() -> Iterator[Backend]:
    with Isolated("cpu", timeout=60.0) as isolated:
        yield isolated


def made(point: str, fill: str, read: str = READ) -> Transformed:
    text = LINE.replace("POINT", point).replace("FILL", fill).replace("READ", read)
    return transform(Source("k.cu", text), Options(of=("y",), wrt=("x",)))


def how(done: Transformed) -> set[str]:
    return {row.how for row in done.adjoint.plan.accumulations if row.target == "adj_x[..]"}


@pytest.mark.parametrize("name", RIMS)
def test_only_rims_are_atomic(name: str, backend: Backend) -> None:
    point, fill, read, cond = RIMS[name]
    done = made(point, fill, read)
    assert how(done) == {"rims"}
    assert cond in done.text
    report = check_pair(done.pair, Case.parse(CASE, done.pair.primal), backend, tolerance=1e-8)
    assert report.ok, report.text()


@pytest.mark.parametrize("name", LEFT)
def test_what_is_not_proved_stays(name: str) -> None:
    assert how(made(*LEFT[name])) == {"atomic"}


def test_rows_that_may_run_over_stay() -> None:
    """Nothing says that a block's first column lies within the row: x - 1 may be in the next one."""
    text = (
        'extern "C" __global__ void k(const float *u, float *v, int w, int h) {'
        " __shared__ float s[4][10]; int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;"
        " int t = threadIdx.x + 1; bool inside = x < w && y < h;"
        " s[threadIdx.y][t] = inside ? u[y * w + x] : 0.0f;"
        " if (threadIdx.x == 0) s[threadIdx.y][0] = x > 0 && y < hGUARD ? u[y * w + x - 1] : 0.0f;"
        " __syncthreads(); if (inside) v[y * w + x] = s[threadIdx.y][t] * s[threadIdx.y][t - 1]; }"
    )
    for guard, expected in (("", "atomic"), (" && x <= w", "rims")):
        done = transform(Source("k.cu", text.replace("GUARD", guard)), Options(of=("v",), wrt=("u",)))
        assert {row.how for row in done.adjoint.plan.accumulations if row.target == "adj_u[..]"} == {expected}


def test_l20_elements_inside_a_block_are_its_threads_own() -> None:
    for width, blocks in product(range(1, 6), range(1, 4)):
        points = range(width * blocks)
        for c, d in product(range(width), range(-2 * width, 2 * width + 1)):
            others = {q + d for q in points if q % width == c}
            assert all(e % width == (c + d) % width for e in others & set(points))
