"""Which sums over a row of threads are turned round, and which stay as they are."""

from __future__ import annotations

from itertools import product

import pytest

from s2sad.options import Options
from s2sad.pipeline import Transformed, transform
from s2sad.source import Source

ROW = (
    'extern "C" __global__ void k(const float *x, const float *w, float *y, int n) {'
    " __shared__ float s[16]; int t = threadIdx.x; int i = blockIdx.x * blockDim.x + t;"
    " FILL __syncthreads(); float xi = i < n ? x[i] : 1.0f; float a = 0.0f;"
    " BODY if (i < n) y[i] = a; }"
)
FILL = "s[t] = i < n ? x[i] : 0.0f;"
TILE = (
    'extern "C" __global__ void k(const float *x, const float *w, float *y, int n) {'
    " __shared__ float s[3][5]; int tx = threadIdx.x, ty = threadIdx.y;"
    " int i = (blockIdx.x * 3 + ty) * 5 + tx; s[ty][tx] = i < n ? x[i] : 0.0f;"
    " __syncthreads(); float xi = i < n ? x[i] : 1.0f; float a = 0.0f;"
    " BODY if (i < n) y[i] = a; }"
)
TURNED = {
    "a row": "for (int j = 0; j < 16; ++j) a += s[j] * sinf(s[j] - xi);",
    "as many as there are threads": "for (unsigned j = 0; j < blockDim.x; ++j) a += s[j] * s[j] * (xi + j);",
    "an index of the other thread's": "int key = (7 * t + i) % 8;"
    " for (int j = 0; j < 16; ++j) a += s[j] * w[(key + j) % 8] * xi;",
    "beside its own element": "for (int j = 0; j < 16; ++j) a += s[j] * sinf(s[j] - s[t]); a *= s[t];",
    "threads that have an element": "if (i < n) for (int j = 0; j < 16; ++j) a += s[j] * xi;",
    "in a loop": "for (int j = 0; j < 16; ++j) if (i < n) a += s[j] * xi;",
    "the first threads of two": "if (i < n && 4 >= 2 * t) for (int j = 0; j < 16; ++j) a += s[j] * xi;",
    "a position of the other thread's": "for (int j = 0; j < 16; ++j) a += s[j] * w[i % 8] * xi * (i - j);",
}
LEFT = {
    "a row that is shorter": "for (int j = 0; j < 15; ++j) a += s[j] * xi;",
    "a product over the row": "float p = 1.0f;"
    " for (int j = 0; j < 16; ++j) { p = p * (1.0f + s[j]); a += p * s[j]; }",
    "another element": "for (int j = 0; j < 16; ++j) a += s[(j + 1) % 16] * xi;",
    "an element that others have, too": "for (int j = 0; j < 16; ++j) a += s[j] * sinf(s[15 - t]) * xi;",
    "a guard": "for (int j = 0; j < 16; ++j) if (j != t) a += s[j] * xi;",
    "a guard of a thread and an element": "for (int j = 0; j < 16; ++j) if (i < n - j) a += s[j] * xi;",
    "a sum that wraps": "if ((unsigned)(t + n) < 8u) for (int j = 0; j < 16; ++j) a += s[j] * xi;",
    "an unsigned sum": "int at = t + n; if ((unsigned)at < 8u) for (int j = 0; j < 16; ++j) a += s[j] * xi;",
    "the last threads": "if (i >= n) for (int j = 0; j < 16; ++j) a += s[j] * xi;",
    "the last threads, counted down": "if (16 - t < n) for (int j = 0; j < 16; ++j) a += s[j] * xi;",
    "the others": "if (i < n) a = xi; else for (int j = 0; j < 16; ++j) a += s[j] * xi;",
    "threads by their values": "if (xi < 0.5f) for (int j = 0; j < 16; ++j) a += s[j] * xi;",
    "threads by memory": "if (t < w[i]) for (int j = 0; j < 16; ++j) a += s[j] * xi;",
    "counted by each thread": "for (int j = 0; j < 1 + t; ++j) a += s[j] * xi;",
    "counted by data": "int m = n < 16 ? n : 16; for (int j = 0; j < m; ++j) a += s[j] * xi;",
}


def made(text: str, body: str, fill: str = FILL) -> Transformed:
    source = Source("k.cu", text.replace("FILL", fill).replace("BODY", body))
    return transform(source, Options(of=("y",), wrt=("x",)))


def how(done: Transformed) -> set[str]:
    return {row.how for row in done.adjoint.plan.accumulations if row.target == "adj_s[..]"}


@pytest.mark.parametrize("name", TURNED)
def test_each_owner_collects(name: str) -> None:
    done = made(ROW, TURNED[name])
    assert how(done) == {"gathered"}
    assert "atomicAdd(&adj_s" not in done.text
    assert "block_add(&adj_s" not in done.text


@pytest.mark.parametrize("name", LEFT)
def test_what_is_not_proved_stays(name: str) -> None:
    assert "gathered" not in how(made(ROW, LEFT[name]))


@pytest.mark.parametrize(
    "fill",
    [
        "if (t < 16) s[t] = xi0;",
        "s[15 - t] = xi0;",
        "s[t] = xi0; if (t == 0) s[7] = 1.0f;",
    ],
)
def test_a_row_that_others_may_have_filled_stays(fill: str) -> None:
    """With more threads than elements, or fewer, the counter and the coordinate don't change places."""
    fill = "float xi0 = i < n ? x[i] : 0.0f; " + fill
    assert "gathered" not in how(made(ROW, TURNED["a row"], fill))


def test_rows_and_columns_of_a_tile_that_is_not_square() -> None:
    rows = "for (int j = 0; j < 5; ++j) a += s[ty][j] * sinf(s[ty][j] - xi) * w[j];"
    columns = "for (int j = 0; j < 3; ++j) a += s[j][tx] * cosf(s[j][tx] * xi) * tx;"
    done = made(TILE, rows + columns)
    assert how(done) == {"gathered"}
    assert "__shared__ float xi_tile[3][5];" in done.text


@pytest.mark.parametrize("element", ["s[ty][j]", "s[tx % 3][j]", "s[j][ty]", "s[j][j]", "s[ty][j + 2]"])
def test_another_order_of_a_tile_stays(element: str) -> None:
    """A row of 5 read as one of 3, a transposed tile, a diagonal."""
    assert "gathered" not in how(made(TILE, f"for (int j = 0; j < 3; ++j) a += {element} * xi;"))


def test_what_changes_in_a_loop_is_put_down_in_it() -> None:
    body = "for (int r = 0; r < n; ++r) { float c = xi * r; for (int j = 0; j < 16; ++j) a += s[j] * c; }"
    text = made(ROW, body).text
    down = text.index("c_tile[t] = c;")
    assert text.index("for (int r") < down < text.index("__syncthreads();", down) < text.index("c_tile[j]")
    assert "__syncthreads();" in text[text.index("c_tile[j]") :]
    body = "for (int r = 0; r < n; ++r) for (int j = 0; j < 16; ++j) a += s[j] * xi;"
    text = made(ROW, body).text
    assert text.index("xi_tile[t] = xi;") < text.index("for (int r")


@pytest.mark.parametrize(("extent", "expected"), [(5000, {"gathered"}), (6120, {"reduce"})])
def test_a_block_has_no_more_shared_memory_than_it_has(extent: int, expected: set[str]) -> None:
    """A tile of the primal, its adjoint, and what is put down."""
    more = f"__shared__ float big[{extent}]; big[t] = x[i]; " + FILL
    body = "for (int j = 0; j < 16; ++j) a += s[j] * xi; a += big[t] * big[t] + big[t + 1];"
    assert how(made(ROW, body, more)) == expected


def test_l18_the_counter_and_the_coordinate_change_places() -> None:
    for width, others in product(range(1, 6), range(1, 4)):
        owed = [((u, j), (u, t, j)) for u, t, j in product(range(others), range(width), range(width))]
        collected = [((u, t), (u, j, t)) for u, t, j in product(range(others), range(width), range(width))]
        assert sorted(owed) == sorted(collected)


def test_l18_a_full_row_has_as_many_threads() -> None:
    """Of rows that fit, in which thread t fills element t, only a row of N threads fills all N."""
    for size in range(1, 8):
        fitting = [threads for threads in range(1, 12) if all(t < size for t in range(threads))]
        filled = [threads for threads in fitting if set(range(threads)) >= set(range(size))]
        assert filled == [size]
