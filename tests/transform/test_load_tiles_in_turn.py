"""L42, L43: which tiles that a kernel loads ahead are loaded again in the iterations that read them."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from s2sad.options import Options
from s2sad.pipeline import Transformed, transform
from s2sad.run.backend import Backend
from s2sad.run.isolated import Isolated
from s2sad.source import Source
from s2sad.validate import Case, check_pair

KERNEL = """extern "C" __global__ void k(XTYPE x, const float *w, float *y, int n)
{
    __shared__ float s[4][8];
    const int t = threadIdx.x, tiles = n / 8;
    float sum = 0.0f;
    FIRST
    LOOP {
        NAMES
        GUARD { AHEAD }
        READ
        LAST
    }
    y[t] = sum;
}
"""
PARTS = {
    "XTYPE": "const float *",
    "FIRST": "s[0][t] = x[t]; __syncthreads();",
    "LOOP": "for (int j = 0; j < tiles; ++j)",
    "NAMES": "const int now = j & 1;",
    "GUARD": "if (j + 1 < tiles)",
    "AHEAD": "s[now ^ 1][t] = x[(j + 1) * 8 + t];",
    "READ": "for (int e = 0; e < 8; ++e) sum += w[e] * s[now][e] * s[now][t];",
    "LAST": "__syncthreads();",
}
STRIDED = {
    "LOOP": "for (int c = 0; c < n; c += 8)",
    "NAMES": "const int now = c / 8 & 1;",
    "GUARD": "if (c + 8 < n)",
    "AHEAD": "s[now ^ 1][t] = x[c + 8 + t];",
}
TWO_AHEAD = {
    "FIRST": "s[0][t] = x[t]; if (1 < tiles) s[1][t] = x[8 + t]; __syncthreads();",
    "NAMES": "const int now = j % 3;",
    "GUARD": "if (j + 2 < tiles)",
    "AHEAD": "s[(j + 2) % 3][t] = x[(j + 2) * 8 + t];",
}
LATE = {"GUARD": f"{PARTS['READ']} {PARTS['GUARD']}", "READ": ""}
REFILLED = {
    "FIRST": "",
    "GUARD": "",
    "AHEAD": "s[now][t] = x[j * 8 + t];",
    "READ": f"__syncthreads(); if (j > 0) {PARTS['READ']}",
}
COPY = "for (int q = t; q < 8; q += 4) if (t < 4) { const int r = 7 - q; s[SLOT][r] = x[FROM + r] * w[r]; }"
IN_TURN = {
    "two slots": {},
    "no load ahead": REFILLED,
    "one minus the slot": {"AHEAD": "s[1 - now][t] = x[(j + 1) * 8 + t];"},
    "a remainder": {"NAMES": "const int now = j % 2;", "AHEAD": "s[(j + 1) % 2][t] = x[8 * j + t + 8];"},
    "three slots": {"NAMES": "const int now = j % 3;", "AHEAD": "s[(j + 1) % 3][t] = x[(j + 1) * 8 + t];"},
    "two tiles ahead": TWO_AHEAD,
    "a counter of elements": STRIDED,
    "a name for what comes next": {
        "NAMES": "const int now = j & 1, next = (j + 1) * 8 + t;",
        "AHEAD": "s[now ^ 1][t] = x[next];",
    },
    "a name inside the block": {"AHEAD": "const int next = j + 1; s[next & 1][t] = x[next * 8 + t];"},
    "a load that bounds choose": {
        "FIRST": "s[0][t] = t < n - 3 ? x[t] : 0.5f; __syncthreads();",
        "AHEAD": "s[now ^ 1][t] = (j + 1) * 8 + t < n - 3 ? x[(j + 1) * 8 + t] : 0.5f;",
    },
    "a guard on the first tile": {"FIRST": "if (0 < tiles) s[0][t] = x[t]; __syncthreads();"},
    "a guard by the last tile": {"GUARD": "if (j < tiles - 1)"},
    "a name for the guard": {
        "NAMES": "const int now = j & 1; const bool more = j + 1 < tiles;",
        "GUARD": "if (more)",
    },
    "a barrier before the loads": {"NAMES": "const int now = j & 1; __syncthreads();", "LAST": ""},
    "loads after the reads": LATE,
    "one slot, with a barrier after the reads": {
        **LATE,
        "NAMES": "const int now = 0;",
        "GUARD": f"{PARTS['READ']} __syncthreads(); {PARTS['GUARD']}",
        "AHEAD": "s[now][t] = x[(j + 1) * 8 + t];",
    },
    "loops of loads": {
        "FIRST": COPY.replace("SLOT", "0").replace("FROM", "0") + " __syncthreads();",
        "AHEAD": COPY.replace("SLOT", "now ^ 1").replace("FROM", "8 * j + 8"),
    },
    "a first tile beyond the first": {
        "FIRST": "s[1][t] = x[t]; __syncthreads();",
        "LOOP": "for (int j = 1; j <= tiles; ++j)",
        "GUARD": "if (j + 1 <= tiles)",
        "AHEAD": "s[now ^ 1][t] = x[j * 8 + t];",
    },
}
TAPED = {
    "another first tile": {"FIRST": "s[0][t] = 2.0f * x[t]; __syncthreads();"},
    "a first tile from another place": {"FIRST": "s[0][t] = x[8 + t]; __syncthreads();"},
    "a first tile in another slot": {
        "FIRST": "s[0][t] = 0.5f; s[1][t] = x[t]; __syncthreads();",
    },
    "no guard": {"GUARD": "", "AHEAD": "s[now ^ 1][t] = x[(j + 1 < tiles ? j + 1 : 0) * 8 + t];"},
    "a guard that leaves a tile out": {
        "GUARD": "if (j + 1 < tiles && j != 1)",
        "FIRST": "s[0][t] = x[t]; s[1][t] = 1.0f; __syncthreads();",
    },
    "a read after the loop": {"LAST": "__syncthreads(); } { sum += s[0][t] * s[0][t];"},
    "a tile that is changed in place": {
        "READ": PARTS["READ"] + " __syncthreads(); s[now][t] *= 2.0f; __syncthreads(); sum += s[now][7 - t];"
    },
    "a read of the slot that is loaded": {
        "READ": PARTS["READ"] + " __syncthreads(); if (j + 1 < tiles) sum += s[now ^ 1][t] * w[t];"
    },
    "a read of the slot before it is loaded": {
        "NAMES": "const int now = j & 1;"
        " if (j > 0) sum += s[now ^ 1][7 - t] * s[now ^ 1][t]; __syncthreads();"
    },
    "two tiles ahead into two slots": {
        **TWO_AHEAD,
        "NAMES": "const int now = j & 1;",
        "GUARD": f"{PARTS['READ']} __syncthreads(); if (j + 2 < tiles)",
        "AHEAD": "s[now][t] = x[(j + 2) * 8 + t];",
        "READ": "",
    },
    "an outer loop": {
        "LOOP": "for (int o = 0; o < 2; ++o) for (int j = 0; j < tiles; ++j)",
        "FIRST": "s[0][t] = x[t]; s[1][t] = 0.0f; __syncthreads();",
    },
    "memory that the kernel writes": {
        "XTYPE": "float *",
        "LAST": "__syncthreads(); x[n - 1 - (8 * j + t)] *= 2.0f; __syncthreads();",
    },
    "a variable that moves on": {
        "NAMES": "const int now = j & 1;",
        "FIRST": "int from = 8; s[0][t] = x[t]; __syncthreads();",
        "AHEAD": "s[now ^ 1][t] = x[from + t]; from += 8;",
    },
    "another tile that is read after the loop": {
        "FIRST": "__shared__ float r[2][8]; s[0][t] = x[t]; r[0][t] = x[8 + t]; __syncthreads();",
        "AHEAD": "s[now ^ 1][t] = x[(j + 1) * 8 + t]; r[now ^ 1][t] = x[(j + 1) * 8 + 8 + t];",
        "READ": PARTS["READ"] + " sum += w[t] * r[now][7 - t];",
        "LAST": "__syncthreads(); } { sum += w[t] * r[0][t];",
    },
    "another tile of memory that the kernel writes": {
        "XTYPE": "float *",
        "FIRST": "__shared__ float r[2][8]; s[0][t] = w[t]; r[0][t] = x[t]; __syncthreads();",
        "AHEAD": "s[now ^ 1][t] = w[(j + 1) * 8 + t]; r[now ^ 1][t] = x[(j + 1) * 8 + t];",
        "READ": "for (int e = 0; e < 8; ++e) sum += s[now][e] * r[now][e];",
        "LAST": "__syncthreads(); x[8 * j + 8 + t] *= 2.0f;",
    },
    "a remainder that would be negative": {
        "FIRST": "s[0][t] = x[8 + t]; __syncthreads();",
        "AHEAD": "s[now ^ 1][t] = x[8 * (j % 2) + t];",
    },
    "a counter that would be a large number": {
        "LOOP": "for (unsigned int j = 0; j < tiles; ++j)",
        "AHEAD": "s[now ^ 1][t] = x[(size_t)j * 8 + 8 + t];",
    },
    "a read of another thread's element": {
        "AHEAD": "s[0][t] = x[(j + 1) * 8 + t];",
        "READ": "__syncthreads(); if (t < 7) sum += w[t] * s[0][t + 1] * s[0][t + 1];",
    },
    "a slot of each thread's own": {
        **REFILLED,
        "NAMES": "const int now = (t + j) & 1;",
    },
    "a slot that another iteration stores": {
        **REFILLED,
        "READ": REFILLED["READ"].replace("now", "now ^ 1"),
    },
    "other elements of a slot": {
        **REFILLED,
        "AHEAD": "if (t < 4) s[now][(t + 2 * j) & 7] = x[j * 8 + t];",
        "READ": REFILLED["READ"].replace("j > 0", "j > 1"),
    },
}
CASE = """kernel = "k"
of = ["y"]
wrt = ["x"]
[launch]
grid = 1
block = 8
[args]
n = 40
x = { shape = "n + 16", fill = "normal" }
w = { shape = "n + 16", fill = "normal" }
y = { shape = 8, fill = "zeros" }
"""
COUNTS = (0, 1, 2, 3, 5)


@pytest.fixture(scope="module")
def backend() -> Iterator[Backend]:
    with Isolated("cpu", timeout=60.0) as isolated:
        yield isolated


def made(parts: dict[str, str]) -> Transformed:
    text = KERNEL
    for name, part in {**PARTS, **parts}.items():
        text = text.replace(name, part)
    return transform(Source("k.cu", text), Options(of=("y",), wrt=("x",)))


def check(done: Transformed, backend: Backend) -> None:
    for tiles in COUNTS:
        case = Case.parse(CASE.replace("n = 40", f"n = {8 * tiles}"), done.pair.primal)
        report = check_pair(done.pair, case, backend, tolerance=1e-8)
        assert report.ok, f"{tiles} tiles: {report.text()}"


@pytest.mark.parametrize("name", IN_TURN)
def test_what_is_loaded_ahead_is_loaded_again(name: str, backend: Backend) -> None:
    done = made(IN_TURN[name])
    assert not done.adjoint.tape
    check(done, backend)


@pytest.mark.parametrize("name", TAPED)
def test_where_that_isnt_known_the_tile_is_recorded(name: str, backend: Backend) -> None:
    done = made(TAPED[name])
    assert done.adjoint.tape
    check(done, backend)


def test_loads_stay_ahead_where_nothing_is_recorded() -> None:
    """A sum needs no value of the tile, but its sine needs the sum, so the loop runs forward."""
    linear = made(
        {
            "READ": "for (int e = 0; e < 8; ++e) sum += w[e] * s[now][e];",
            "LAST": "__syncthreads(); } { sum = sinf(sum);",
        }
    )
    assert not linear.adjoint.tape
    assert "(j + 1) * 8" in linear.text


def test_l42_an_iteration_stores_what_it_may_read_of_its_slot() -> None:
    """Whichever elements the stores of an iteration go to, and whichever slot each iteration has."""
    draw = random.Random(42)
    for _ in range(300):
        slots, extent = draw.randint(1, 3), draw.randint(1, 5)
        stores = [draw.randrange(extent) for _ in range(draw.randint(0, 4))]
        stored: dict[tuple[int, int], int] = {}
        for iteration in range(draw.randint(1, 8)):
            slot = draw.randrange(slots)
            stored.update({(slot, element): iteration for element in stores})
            for element in range(extent):
                assert stored.get((slot, element), iteration) == iteration


def test_l43_a_store_may_be_postponed_past_reads_of_other_slots() -> None:
    """With as many slots as keep a store from the reads that it passes."""
    draw = random.Random(43)
    for _ in range(300):
        ahead, trips = draw.randint(1, 3), draw.randint(0, 6)
        slots = draw.randint(ahead + 1, ahead + 3)

        def read(tile: dict[int, int], turn: int, slots: int = slots) -> int | None:
            return tile.get(turn % slots)

        first: dict[int, int] = {q % slots: q for q in range(ahead)}
        before, after = [], []
        for turn in range(trips):
            if turn + ahead < trips:
                first[(turn + ahead) % slots] = turn + ahead
            before.append(read(first, turn))
        later: dict[int, int] = {}
        for turn in range(trips):
            later[turn % slots] = turn
            after.append(read(later, turn))
        assert before == after == list(range(trips))
