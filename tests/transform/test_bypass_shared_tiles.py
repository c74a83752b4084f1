"""L25: which tiles hold copies that are read where they come from, so that owners can collect."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from s2sad.options import Options, assumption
from s2sad.pipeline import Transformed, transform
from s2sad.run.backend import Backend
from s2sad.run.isolated import Isolated
from s2sad.source import Source
from s2sad.validate import Case, check_pair

LINE = (
    'extern "C" __global__ void k(const float *x, const float *w, const int *idx, float *y, int n, int m) {'
    " __shared__ float s[16]; int t = threadIdx.x, i = blockIdx.x * 8 + t; BODY }"
)
HALO = "for (int q = t; q < 10; q += 8) { int j = blockIdx.x * 8 + q - 1; s[q] = LOAD; } __syncthreads(); "
INSIDE = HALO.replace("LOAD", "j >= 0 && j < n ? x[j] : 0.0f")
THREE = "if (i < n) y[i] = s[t] * s[t + 2] + s[t + 1] * s[t + 1];"
COLLECTED = {
    "a halo": INSIDE + THREE,
    "one comparison for two bounds": HALO.replace("LOAD", "(unsigned)j < n ? x[j] : 0.0f") + THREE,
    "a guard around the store": HALO.replace("s[q] = LOAD", "if (j >= 0 && j < n) s[q] = x[j]")
    + "if (i > 0 && i + 1 < n) { float v = s[t], u = s[t + 2]; y[i] = v * u + s[t + 1]; }",
    "a function of what is copied": HALO.replace("LOAD", "j >= 0 && j < n ? sinf(x[j]) * w[j] : 1.0f")
    + THREE,
    "a loop of reads": INSIDE + "if (i < n) { float v = 0.0f;"
    " for (int d = 0; d < 3; ++d) v += w[d] * s[t + d]; y[i] = v; }",
    "names on the way": INSIDE + "int r = t + 2; if (i < n) { float a = s[r], b = s[t]; y[i] = a * b; }",
    "an element that data choose, from a table that stays": HALO.replace(
        "LOAD", "j >= 0 && j < n ? x[j] + (float)idx[j] : 0.0f"
    )
    + THREE,
    "a tile that each round fills again": "float v = 0.0f; for (int b = 0; b < n; b += 8) {"
    " s[t] = b + t < n ? x[b + t] : 0.0f; __syncthreads();"
    " for (int d = 0; d < 8; ++d) v += s[d] * s[d]; __syncthreads(); } if (i < n) y[i] = v;",
}
STAYS = {
    "no copy at all": HALO.replace("LOAD", "j >= 0 && j < n ? w[j] : 0.0f")
    + "if (i < n) y[i] = s[t] * s[t + 2] * x[i / 2];",
    "two stores": INSIDE + "if (t == 0) s[0] = 2.0f * w[0]; __syncthreads();" + THREE,
    "a store that adds": INSIDE + "s[t] += w[t]; __syncthreads();" + THREE,
    "what only the storing thread knows": "float f = i < n ? w[i] : 0.0f; s[t + 1] = i < n ? f * x[i] : 0.0f;"
    " __syncthreads(); if (t > 0 && t < 7 && i + 1 < n) y[i] = s[t] * s[t + 2];",
    "an element that isn't the thread's position": "s[(3 * t) % 8] = i < n ? x[i] : 0.0f; __syncthreads();"
    " if (t > 0 && t < 7 && i + 1 < n) y[i] = s[t] * s[t + 1];",
    "a variable that moved on": "int c = t; int j = blockIdx.x * 8 + c; c = 7 - c;"
    " s[c] = j < n ? x[j] : 0.0f; __syncthreads(); if (t < 7 && i + 1 < n) y[i] = s[t] * s[t + 1];",
    "a load outside of all guards": "if (i < n) { int j = idx[i] + i; s[t] = j < n ? x[j] : 0.0f; }"
    " __syncthreads(); if (t < 7 && i + 1 < n) y[i] = s[t] * s[t + 1];",
    "a tile that each round fills again, with what counts": "float v = 0.0f; for (int b = 0; b < n; b += 8) {"
    " s[t] = b + t < n ? x[b + t] : 0.0f; __syncthreads();"
    " for (int d = 0; d < 8; ++d) v += cosf(s[d]); __syncthreads(); } if (i < n) y[i] = v;",
    "elements beyond what is covered": HALO.replace("LOAD", "j >= 0 ? x[j] : 0.0f") + THREE,
}
CASE = """kernel = "k"
of = ["y"]
wrt = ["x"]
[launch]
grid = "(n + 7) / 8"
block = 8
[args]
n = 21
m = 2
x = { shape = "n", fill = "normal" }
w = { shape = "n", fill = "normal" }
idx = { shape = "n", fill = "randint(0, 2)" }
y = { shape = "n", fill = "zeros" }
"""


@pytest.fixture(scope="module")
def backend() -> Iterator[Backend]:
    with Isolated("cpu", timeout=60.0) as isolated:
        yield isolated


def test_a_thread_that_reads_without_a_guard_may_not_be_one_that_the_launch_covers() -> None:
    assert "gathered" not in how(made(INSIDE + "float v = s[t + 2]; if (i < n) y[i] = v * v;", "covers:n"))


def made(body: str, *assumed: str) -> Transformed:
    source = Source("k.cu", LINE.replace("BODY", body))
    return transform(source, Options(of=("y",), wrt=("x",), assume=tuple(map(assumption, assumed))))


def how(done: Transformed) -> set[str]:
    return {row.how for row in done.adjoint.plan.accumulations if row.target == "adj_x[..]"}


@pytest.mark.parametrize("name", COLLECTED)
def test_each_owner_collects_what_is_read_through_the_tile(name: str, backend: Backend) -> None:
    done = made(COLLECTED[name], "covers:n")
    assert how(done) == {"gathered"}
    assert "atomicAdd" not in done.text
    assert "adj_s" not in done.text
    report = check_pair(done.pair, Case.parse(CASE, done.pair.primal), backend, tolerance=1e-8)
    assert report.ok, report.text()


@pytest.mark.parametrize("name", STAYS)
def test_where_that_isnt_known_the_tile_stays(name: str) -> None:
    assert "gathered" not in how(made(STAYS[name], "covers:n"))


@pytest.mark.parametrize("name", COLLECTED)
def test_without_a_declaration_the_tile_stays(name: str) -> None:
    assert "adj_s" in made(COLLECTED[name]).text


def test_l25_whoever_reads_an_element_reads_what_it_was_given() -> None:
    """Whatever threads store which elements, in whatever order, as often as they like."""
    draw = random.Random(25)
    for _ in range(500):
        threads, extent = draw.randint(1, 6), draw.randint(1, 6)
        said = [draw.randint(0, 9) for _ in range(extent)]  # F
        guard = [draw.random() < 0.7 for _ in range(extent)]  # G
        tile: dict[int, int] = {}
        events = [(t, draw.randrange(extent), draw.random() < 0.5) for t in range(threads) for _ in range(4)]
        draw.shuffle(events)
        for _, element, stores in events:
            if stores and guard[element]:
                tile[element] = said[element]
            elif not stores and element in tile:
                assert tile[element] == (said[element] if guard[element] else 0)
