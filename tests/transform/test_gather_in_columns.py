"""Which sums over a block's rows and columns are taken before they are added, and which aren't."""

from __future__ import annotations

from itertools import product

import pytest

from s2sad.options import Options
from s2sad.pipeline import Transformed, transform
from s2sad.source import Source

DENSE = (
    'extern "C" __global__ void k(const float *w, const float *b, const float *x, float *y,'
    " int h, int m, int n) {"
    " int o = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;"
    " if (o >= m || r >= h) return; float z = b[o]; BODY y[r * m + o] = z * z; }"
)
SUM = "for (int i = 0; i < n; ++i) z += w[i * m + o] * x[r * n + i];"
SUMMED = {
    "a product": SUM,
    "a function of one side": "for (int i = 0; i < n; ++i) { float a = sinf(x[r * n + i]);"
    " z += w[i * m + o] * a; }",
    "the thread in the partial": "for (int i = 0; i < n; ++i) z += w[i * m + o] * x[r * n + i] * (r - o);",
}
LEFT = {
    "a loop that a thread ends": "for (int i = 0; i < r; ++i) z += w[i * m + o] * x[r * n + i];",
    "a state": "for (int i = 0; i < n; ++i) z = z * z + w[i * m + o] * x[r * n + i];",
    "an element of each thread's": "for (int i = 0; i < n; ++i) z += w[(r * n + i) * m + o] * x[i];",
    "a condition": "for (int i = 0; i < n; ++i) if (x[r * n + i] > 0.0f) z += w[i * m + o] * x[r * n + i];",
}


def made(body: str) -> Transformed:
    return transform(Source("k.cu", DENSE.replace("BODY", body)), Options(of=("y",), wrt=("w", "b", "x")))


def how(done: Transformed, array: str) -> set[str]:
    return {row.how for row in done.adjoint.plan.accumulations if row.target == f"adj_{array}[..]"}


@pytest.mark.parametrize("name", SUMMED)
def test_a_column_adds_up_first(name: str) -> None:
    done = made(SUMMED[name])
    assert how(done, "w") == how(done, "b") == {"columns"}
    assert "for (int i = threadIdx.y; i < n; i += (int)blockDim.y)" in done.text
    assert "adj_z_tile[threadIdx.y * blockDim.x + threadIdx.x] =" in done.text


@pytest.mark.parametrize("name", LEFT)
def test_what_is_not_known_stays(name: str) -> None:
    assert "columns" not in how(made(LEFT[name]), "w")


def test_l21_every_term_is_summed_once() -> None:
    for rows, trips in product(range(1, 6), range(8)):
        owed = sorted(product(range(rows), range(trips)))
        summed = sorted((t, i) for own in range(rows) for i in range(own, trips, rows) for t in range(rows))
        assert summed == owed
