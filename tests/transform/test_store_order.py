"""L44, L45: which elements that threads exchange are final when they are read, and so are read again."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product

import pytest

from s2sad.analysis.access.store_order import impossible
from s2sad.analysis.symbolic.polynomials import Atom, Atoms, Poly, number, variable
from s2sad.options import Options
from s2sad.pipeline import Transformed, transform
from s2sad.run.backend import Backend
from s2sad.run.isolated import Isolated
from s2sad.source import Source
from s2sad.validate import Case, check_pair

KERNEL = """extern "C" __global__ void k(const float *x, float *table, float *y, int w)
{
    SHARED
    const int t = threadIdx.x;
    FIRST
    __syncthreads();
    LOOP {
        STEP
        __syncthreads();
    }
    LAST
}
"""
PARTS = {
    "SHARED": "__shared__ float r[10][10];",
    "FIRST": "for (int q = t; q < 100; q += 8) r[q / 10][q % 10] = x[q];",
    "LOOP": "for (int p = 0; p < 15; ++p)",
    "STEP": "int j = p - t; if (j >= 0 && j < 8) r[t + 1][j + 1] = F;",
    "LAST": "for (int q = 0; q < 10; ++q) y[10 * (blockIdx.x * 8 + t) + q] = r[t][q] * r[t][q];",
    "F": "sinf(r[t][j]) * r[t][j + 1] + cosf(r[t + 1][j])",
}
FLAT = {
    "SHARED": "__shared__ float r[100];",
    "FIRST": "for (int q = t; q < 100; q += 8) r[q] = x[q];",
    "LAST": "for (int q = 0; q < 10; ++q) y[10 * (blockIdx.x * 8 + t) + q] = r[10 * t + q] * r[10 * t + q];",
    "F": "sinf(r[t * w + j]) * r[t * w + j + 1] + cosf(r[(t + 1) * w + j])",
}
FLAT_STEP = "int j = p - t; if (j >= 0 && j < END) r[(t + 1) * w + j + 1] = F;"
GLOBAL = {
    **FLAT,
    "SHARED": "float *r = table + blockIdx.x * w * 9;",
    "FIRST": "for (int q = t; q < 9 * w; q += 8) r[q] = x[q];",
    "LAST": "for (int q = 0; q < w; ++q) y[10 * (blockIdx.x * 8 + t) + q] = r[w * t + q] * r[w * t + q];",
}
ROWS = {"LOOP": "for (int p = 0; p < 8; ++p)", "STEP": "r[p + 1][t] = F;", "F": "sinf(r[p][t]) * r[p][7 - t]"}
FINAL = {
    "anti-diagonals": {},
    "anti-diagonals of columns": {
        "STEP": "int j = p - t; if (j >= 0 && j < 8) r[j + 1][t + 1] = F;",
        "F": "sinf(r[j][t]) * r[j][t + 1] + cosf(r[j + 1][t])",
    },
    "anti-diagonals from the other corner": {
        "LOOP": "for (int p = 14; p >= 0; --p)",
        "STEP": "int j = p - t; if (j >= 0 && j < 8) r[t][j] = F;",
        "F": "sinf(r[t + 1][j + 1]) * r[t][j + 1] + cosf(r[t + 1][j])",
    },
    "diagonals": {
        "LOOP": "for (int p = -7; p < 8; ++p)",
        "STEP": "int i = 7 - t, j = p + t; if (j >= 0 && j < 8) r[i + 1][j + 1] = F;",
        "F": "sinf(r[i][j]) * r[i][j + 1] + cosf(r[i + 1][j])",
    },
    "rows of a constant width": {
        **FLAT,
        "STEP": FLAT_STEP.replace("END", "8").replace("w", "10"),
        "F": FLAT["F"].replace("w", "10"),
    },
    "rows of a width of the launch": {**FLAT, "STEP": FLAT_STEP.replace("END", "w - 1")},
    "a table of the block in global memory": {**GLOBAL, "STEP": FLAT_STEP.replace("END", "w - 1")},
    "a row in each step": ROWS,
    "two rows in each step": {
        **ROWS,
        "LOOP": "for (int p = 0; p < 8; p += 2)",
        "STEP": "r[p + 1][t] = F; __syncthreads(); r[p + 2][t] = sinf(r[p + 1][7 - t]) * r[p][t];",
    },
    "rows from the last": {
        **ROWS,
        "LOOP": "for (int p = 8; p > 0; --p)",
        "STEP": "r[p - 1][t] = F;",
    },
    "a prefix of which one thread makes each element": {
        **ROWS,
        "STEP": "if (t == p) r[0][p + 1] = sinf(r[0][p]) * r[1][p]; __syncthreads(); r[p + 2][t] = F;",
        "LOOP": "for (int p = 0; p < 7; ++p)",
        "F": "r[0][p + 1] * sinf(r[0][p])",
    },
    "columns that are eliminated": {
        "LOOP": "for (int p = 0; p < 8; ++p)",
        "STEP": "for (int j = p + 1; j < 9; ++j) if (t > p) r[t][j] -= r[t][p] * r[p][j];",
    },
}
TAPED = {
    "a loop around that fills the table": {
        "LOOP": "for (int o = 0; o < 2; ++o)",
        "STEP": "for (int q = t; q < 100; q += 8) r[q / 10][q % 10] = x[q] + o; __syncthreads();"
        " for (int p = 0; p < 15; ++p) { int j = p - t; if (j >= 0 && j < 8) r[t + 1][j + 1] = F;"
        " __syncthreads(); } y[80 * (1 + o) + t] = r[8][t];",
        "LAST": "",
    },
    "a second sweep over the table": {"LOOP": "for (int o = 0; o < 2; ++o) for (int p = 0; p < 15; ++p)"},
    "a read of what is stored next": {"F": "sinf(r[t][j]) * cosf(r[t + 1][j + 2])"},
    "a read of what another thread stores later": {
        "LOOP": "for (int p = 0; p < 14; ++p)",
        "F": "sinf(r[t][j]) * cosf(r[t + 2][j + 1])",
        "STEP": "int j = p - t; if (t < 7 && j >= 0 && j < 8) r[t + 1][j + 1] = F;",
    },
    "rows that overlap": {
        **FLAT,
        "STEP": FLAT_STEP.replace("END", "w"),
        "LOOP": "for (int p = 0; p < 16; ++p)",
    },
    "rows that overlap in global memory": {
        **GLOBAL,
        "STEP": FLAT_STEP.replace("END", "w").replace("w) r", "w && t < 7) r"),
        "LOOP": "for (int p = 0; p < 16; ++p)",
    },
    "a row that is stored in place": {
        **ROWS,
        "STEP": "float v = F; __syncthreads(); r[0][t] = v;",
        "F": "sinf(r[0][t]) * r[0][7 - t]",
    },
    "two rows in turn": {
        **ROWS,
        "STEP": "r[(p + 1) & 1][t] = F;",
        "F": "sinf(r[p & 1][t]) * r[p & 1][7 - t]",
    },
    "four rows in turn": {
        **ROWS,
        "STEP": "r[(p + 1) % 4][t] = F;",
        "F": "sinf(r[p % 4][t]) * r[p % 4][7 - t]",
    },
    "a row that the next step stores again": {
        **ROWS,
        "STEP": "r[p + 1][t] = F; __syncthreads(); r[p + 2][t] = sinf(r[p + 1][7 - t]) * r[p + 2][t];",
    },
    "rows from the first that are stored from the last": {
        **ROWS,
        "LOOP": "for (int p = 8; p > 0; --p)",
        "STEP": "r[p][t] = F;",
        "F": "sinf(r[p - 1][t]) * r[p - 1][7 - t]",
    },
    "a row that is changed after the loop's reads": {
        **ROWS,
        "STEP": "r[p + 1][t] = F; __syncthreads(); r[p][t] *= 2.0f;",
    },
    "a row that is changed after the loop": {
        **ROWS,
        "LAST": "r[3][t] = 2.0f * x[t]; __syncthreads(); " + PARTS["LAST"],
    },
    "steps of other sizes for each thread": {
        **ROWS,
        "STEP": "int q = (p * (t + 1)) % 8; r[q + 1][t] = F;",
        "F": "sinf(r[q][t]) * r[q][t]",
    },
    "barriers of a warp": {
        **ROWS,
        "STEP": "r[p + 1][t] = F; __syncwarp();",
    },
}
CASE = """kernel = "k"
of = ["y"]
wrt = ["x"]
[launch]
grid = BLOCKS
block = 8
[args]
w = 9
x = { shape = 100, fill = "uniform(-1, 1)" }
table = { shape = 200, fill = "zeros" }
y = { shape = 240, fill = "zeros" }
"""


@pytest.fixture(scope="module")
def backend() -> Iterator[Backend]:
    with Isolated("cpu", timeout=60.0) as isolated:
        yield isolated


def made(parts: dict[str, str]) -> Transformed:
    text = KERNEL
    for name, part in {**PARTS, **parts}.items():
        text = text.replace(name, part)
    return transform(Source("k.cu", text), Options(of=("y",), wrt=("x",)))


def recorded(done: Transformed) -> bool:
    return any("overwrites it" in line for line in done.text.splitlines())


def check(done: Transformed, backend: Backend) -> None:
    blocks = 1 if "y[80" in done.text else 2
    case = Case.parse(CASE.replace("BLOCKS", str(blocks)), done.pair.primal)
    report = check_pair(done.pair, case, backend, tolerance=1e-6)
    assert report.ok, report.text()


@pytest.mark.parametrize("name", FINAL)
def test_what_no_thread_stores_again_is_read_again(name: str, backend: Backend) -> None:
    done = made(FINAL[name])
    assert not recorded(done), done.text
    check(done, backend)


@pytest.mark.parametrize("name", TAPED)
def test_where_a_thread_may_store_again_the_element_is_recorded(name: str, backend: Backend) -> None:
    done = made(TAPED[name])
    assert recorded(done), done.text
    check(done, backend)


def test_l45_what_is_impossible_has_no_solution() -> None:
    """Small random systems of equations and inequalities, against all values of their variables."""
    draw = random.Random(45)
    refuted = 0
    for _ in range(1500):
        atoms = Atoms()
        names = [atoms.fresh(f"v{k}", "free", 0) for k in range(3)]
        for atom in names:
            atoms.bound(atom, number(4) - variable(atom))
        equations = [_form(draw, names, 4) for _ in range(draw.randint(1, 2))]
        facts = tuple(_form(draw, names, 4) for _ in range(draw.randint(1, 3)))
        if impossible(equations, facts, atoms):
            refuted += 1
            for values in product(range(5), repeat=3):
                put = {a: number(v) for a, v in zip(names, values, strict=True)}
                assert any(p.with_values(put) != Poly() for p in equations) or any(
                    (f.with_values(put).constant or 0) < 0 for f in facts
                )
    assert refuted > 100


def _form(draw: random.Random, names: list[Atom], most: int) -> Poly:
    total = number(draw.randint(-most, most))
    for atom in names:
        total = total + variable(atom).scaled(draw.choice((-2, -1, -1, 0, 0, 1, 1, 3)))
    return total
