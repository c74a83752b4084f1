"""L15: a tile that each iteration fills as far as it reads is filled again in the reversed iteration."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from s2sad.options import Mode, Options
from s2sad.pipeline import transform
from s2sad.run.backend import Backend
from s2sad.run.isolated import Isolated
from s2sad.source import Source
from s2sad.validate import Case, check_pair

KERNEL = """#define TILE 32
extern "C" __global__ void k(const float *x, const int *order, float *y, int n, int m)
{
    __shared__ float tile[2 * TILE];
    const int t = threadIdx.y * 8 + threadIdx.x;
    float sum = 0.25f * t;
    for (int start = 0; start < n; start += TILE) {
        __syncthreads();
        FILL
        __syncthreads();
        READ
    }
    y[t] = sum;
}
"""
FILL = "if (start + t < n) tile[t] = x[order[start + t]];"
READ = "for (int j = 0; j < min(TILE, n - start); ++j) sum += sinf(sum) * tile[j] * 0.1f;"
FILLED = {
    "as far as it is read": (FILL, READ),
    "from an element on": (FILL.replace("tile[t]", "tile[t + 5]"), READ.replace("tile[j]", "tile[j + 5]")),
    "backwards": (
        FILL.replace("tile[t]", "tile[TILE - 1 - t]"),
        READ.replace("tile[j]", "tile[TILE - 1 - j]"),
    ),
    "every second element": (FILL.replace("tile[t]", "tile[2 * t]"), READ.replace("tile[j]", "tile[2 * j]")),
    "two elements for each thread": (
        "if (start + t < n) { tile[2 * t] = x[order[start + t]]; tile[2 * t + 1] = x[start + t]; }",
        READ.replace("tile[j]", "tile[2 * j] * tile[2 * j + 1]"),
    ),
    "read until a condition holds": (
        FILL,
        "for (int j = 0; sum < 3.0f && j < min(TILE, n - start); ++j) sum += cosf(sum) * tile[j] * tile[j];",
    ),
    "a condition of the block": (
        FILL.replace("start + t < n", "m > 0 && start + t < n"),
        f"if (m > 0) {{ {READ} }}",
    ),
}
KEPT = {
    "read beyond what is filled": (FILL, READ.replace("min(TILE, n - start)", "TILE")),
    "a condition on one coordinate": (
        FILL.replace("start + t < n", "start + t < n && threadIdx.x <= 8 - start / TILE"),
        READ,
    ),
    "elements that move from one iteration to the next": (
        f"const int by = 1 + start / TILE % 2; {FILL.replace('tile[t]', 'tile[by * t]')}",
        READ.replace("tile[j]", "tile[j / 2 * 2]").replace(
            "min(TILE, n - start)", "min(TILE, n - start) / 2 + 1"
        ),
    ),
    "a first element that moves": (
        f"const int from = start / TILE % 2 * TILE; {FILL.replace('tile[t]', 'tile[from + t]')}",
        "if (start > 0) for (int j = 0; j < min(TILE, n - start); ++j) "
        "sum += sinf(sum) * tile[j] * tile[TILE + j];",
    ),
    "elements of the iteration before": (
        "const int from = start / TILE % 2 * TILE; tile[from + t] = x[order[start + t]];",
        "if (start > 0) for (int j = 0; j < TILE; ++j) sum += sinf(sum) * tile[TILE - from + j] * 0.1f;",
    ),
    "a condition on one coordinate that weighs otherwise": (
        FILL.replace("start + t < n", "start + threadIdx.x < n - 32 + 9 * threadIdx.y"),
        "if (start > 0) for (int j = 0; start + j % 8 < n - 32; ++j) { if (j >= 32) break; "
        "sum += sinf(sum) * tile[j] * 0.1f; }",
    ),
    "a condition that another iteration meets": (FILL.replace("start + t < n", "start + t < n - m"), READ),
}
CASE = """kernel = "k"
of = ["y"]
wrt = ["x"]
[launch]
grid = 1
block = [8, 4]
[args]
n = 100
m = 3
x = { shape = "n + 40", fill = "normal" }
order = { shape = "n + 40", fill = "randint(0, n)" }
y = { shape = 32, fill = "zeros" }
[[also]]
args = { n = 128 }
[[also]]
args = { n = 33 }
"""


@pytest.fixture(scope="module")
def backend() -> Iterator[Backend]:
    with Isolated("cpu", timeout=60.0) as isolated:
        yield isolated


def judged(fill: str, read: str, mode: Mode, backend: Backend) -> str:
    source = Source("k.cu", KERNEL.replace("FILL", fill).replace("READ", read))
    done = transform(source, Options(of=("y",), wrt=("x",), mode=mode))
    report = check_pair(done.pair, Case.parse(CASE, done.pair.primal), backend)
    assert report.ok, report.text()
    return done.text


@pytest.mark.parametrize("mode", ["joint", "split"])
@pytest.mark.parametrize("name", FILLED)
def test_a_tile_is_filled_again(name: str, mode: Mode, backend: Backend) -> None:
    assert "tape_tile" not in judged(*FILLED[name], mode, backend)


@pytest.mark.parametrize("mode", ["joint", "split"])
@pytest.mark.parametrize("name", KEPT)
def test_what_an_earlier_iteration_stored_is_recorded(name: str, mode: Mode, backend: Backend) -> None:
    assert "tape_tile" in judged(*KEPT[name], mode, backend)
