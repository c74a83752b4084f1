"""Which shared tiles are gathered, which are scattered to in phases, and that all gradients are right."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from gradient_kit import made, right

from s2sad.options import Mode
from s2sad.run.backend import Backend
from s2sad.run.isolated import Isolated

KERNEL = """\
#define BLOCK 16
#define HALO 2
extern "C" __global__ void k(const float *x, const float *w, float *y, int n)
{
    __shared__ float tile[BLOCK + 2 * HALO];
    int t = threadIdx.x + HALO;
    int i = blockIdx.x * BLOCK + threadIdx.x;
    LOAD
    __syncthreads();
    COMPUTE
}
"""
RIMS = """\
    tile[t] = i < n ? x[i] : 0.0f;
    if (threadIdx.x < HALO) {
        tile[threadIdx.x] = i >= HALO ? x[i - HALO] : 0.0f;
        tile[t + BLOCK] = i + BLOCK < n ? x[i + BLOCK] : 0.0f;
    }
"""
LOOP = """\
    for (int q = threadIdx.x; q < BLOCK + 2 * HALO; q += BLOCK) {
        int j = blockIdx.x * BLOCK + q - HALO;
        tile[q] = j >= 0 && j < n ? x[j] : 0.0f;
    }
"""
GATHERED = {
    "further away": (RIMS, "if (i < n) y[i] = tile[t - 2] - tile[t + 2];"),
    "to one side": (RIMS, "if (i < n) y[i] = sinf(tile[t - 2] + tile[t - 1]);"),
    "to the other side": (LOOP, "if (i < n) y[i] = expf(tile[t] + tile[t + 1] - tile[t + 2]);"),
    "unsigned positions": (
        RIMS,
        "unsigned p = threadIdx.x + HALO; if (i < n) { float s = 0.0f;"
        " for (int k = HALO; k >= -HALO; --k) s += w[k + HALO] * tile[p + k]; y[i] = s * s; }",
    ),
    "unsigned positions backwards": (
        RIMS,
        "if (i < n) { float s = 0.0f;"
        " for (int k = 0; k <= 2 * HALO; ++k) s += w[k] * tile[threadIdx.x - k + 2 * HALO]; y[i] = s * s; }",
    ),
    "a rim of another array": (
        RIMS.replace("x[i - HALO]", "w[i - HALO]"),
        "if (i < n) y[i] = tile[t - 1] + w[i] * tile[t] + tile[t + 1];",
    ),
    "in two branches": (
        RIMS,
        "if (i < n) { if (w[i] > 0.8f) y[i] = w[i] * (tile[t - 1] + tile[t + 2]);"
        " else y[i] = sinf(tile[t + 1] * 2.0f + tile[t]); }",
    ),
    "three points": (RIMS, "if (i < n) y[i] = w[i] * (tile[t - 1] + 2.0f * tile[t] + tile[t + 1]);"),
    "a filter": (
        LOOP,
        "if (i < n) { float s = 0.0f;"
        " for (int k = -HALO; k <= HALO; ++k) s += w[k + HALO] * tile[t + k]; y[i] = s * s; }",
    ),
    "a filter from the start": (
        LOOP,
        "if (i < n) { float s = 0.0f;"
        " for (int k = 0; k <= 2 * HALO; ++k) s += w[k] * tile[threadIdx.x + k]; y[i] = s * s; }",
    ),
    "a filter backwards": (
        LOOP,
        "if (i < n) { float s = 0.0f;"
        " for (int k = 2 * HALO; k >= 0; --k) s += w[k] * tile[threadIdx.x - k + 2 * HALO]; y[i] = s * s; }",
    ),
    "a filter and a point": (
        LOOP,
        "if (i < n) { float s = tile[t] * tile[t];"
        " for (int k = -1; k <= 1; ++k) s += w[k + 1] * tile[t + k]; y[i] = s * s; }",
    ),
    "every second tap": (
        LOOP,
        "if (i < n) { float s = 0.0f;"
        " for (int k = 0; k < 2; ++k) for (int j = 0; j < 2; ++j) s += w[k + j] * tile[t + k - j];"
        " y[i] = s * s; }",
    ),
    "one's own, changed once it is stored": (
        RIMS,
        "if (i < n) { float v = w[i] * w[i]; v = 0.5f * v + tile[t];"
        " y[i] = v * sinf(tile[t + 1] + tile[t - 1]); }",
    ),
    "all threads": (RIMS, "float d = tile[t + 1] - tile[t - 1]; if (i < n) y[i] = d * d * w[i];"),
}
SCATTERED = {
    "a sum that decays": (
        LOOP,
        "if (i < n) { float s = 0.0f;"
        " for (int k = 0; k <= 2 * HALO; ++k) s = 0.5f * s + w[k] * tile[threadIdx.x + k]; y[i] = s; }",
    ),
    "a value that changes in between": (
        RIMS,
        "if (i < n) { float s = tile[t + 1] + tile[t]; s = s * s + tile[t - 1]; y[i] = s; }",
    ),
    "a counter twice": (
        LOOP,
        "if (i < n) { float s = 0.0f;"
        " for (int k = 0; k < 8; ++k) s += w[k] * tile[t + k - k]; y[i] = s * s; }",
    ),
    "a weight for one of two": (RIMS, "if (i < n) y[i] = tile[t - 2] - tile[t + 2] * w[i];"),
    "two factors": (RIMS, "if (i < n) y[i] = sinf(tile[t - 2]) * tile[t - 1];"),
    "three factors": (LOOP, "if (i < n) y[i] = sinf(tile[t]) * tile[t + 1] * tile[t + 2];"),
    "three factors in two branches": (
        RIMS,
        "if (i < n) { if (w[i] > 0.8f) y[i] = w[i] * tile[t - 1]; else y[i] = sinf(tile[t + 1] * tile[t]); }",
    ),
    "where the thread's own element may not exist": (LOOP, "if (i < n) y[i] = tile[t - 2] * tile[t - 1];"),
    "mirrored": (RIMS, "if (i < n) y[i] = tile[BLOCK + 2 * HALO - 1 - t] * tile[t];"),
    "by data": (RIMS, "int d = i < n && w[i] > 0.8f; if (i < n) y[i] = tile[t + d] * tile[t];"),
    "if the tap says so": (
        LOOP,
        "if (i < n) { float s = 0.0f;"
        " for (int k = 0; k <= 2 * HALO; ++k) if (w[k] > 0.8f) s += w[i] * tile[threadIdx.x + k];"
        " y[i] = s * s; }",
    ),
    "a weight that each tap changes": (
        LOOP,
        "if (i < n) { float s = 0.0f, v = w[i];"
        " for (int k = 0; k <= 2 * HALO; ++k) { s += v * tile[threadIdx.x + k]; v *= v; }"
        " y[i] = s * s; }",
    ),
    "every second element": (
        LOOP,
        "if (i < n && threadIdx.x < 8) y[i] = tile[2 * threadIdx.x] * tile[2 * threadIdx.x + 1];",
    ),
    "as many taps as the launch says": (
        LOOP,
        "if (i < n) { float s = 0.0f;"
        " for (int k = 0; k < n / 8; ++k) s += w[k] * tile[t + k - 2]; y[i] = s * s; }",
    ),
}
"""What loads the tile, and what is computed from it."""

SCATTER = r"adj_tile\[\w"

CASE = """\
[launch]
grid = 3
block = 16
[args]
n = 37
x = { shape = "n", fill = "uniform(0.3, 1.5)" }
w = { shape = "n", fill = "uniform(0.4, 1.2)" }
y = { shape = "n", fill = "zeros" }
"""


@pytest.fixture(scope="module")
def backend() -> Iterator[Backend]:
    with Isolated("cpu", timeout=60.0) as isolated:
        yield isolated


def one_dimensional(load: str, compute: str) -> str:
    return KERNEL.replace("    LOAD\n", load).replace("COMPUTE", compute)


@pytest.mark.parametrize("mode", ["joint", "split"])
@pytest.mark.parametrize("name", GATHERED)
def test_the_reader_of_an_element_sums_what_threads_stored(name: str, mode: Mode, backend: Backend) -> None:
    done = made(one_dimensional(*GATHERED[name]), "y", "x,w", mode)
    assert not re.search(SCATTER, done.text), done.text
    right(done, CASE, backend)


@pytest.mark.parametrize("name", SCATTERED)
def test_what_isn_t_a_shift_is_scattered(name: str, backend: Backend) -> None:
    done = made(one_dimensional(*SCATTERED[name]), "y", "x,w")
    assert re.search(SCATTER, done.text), done.text
    right(done, CASE, backend)


def test_threads_that_share_a_position_scatter(backend: Backend) -> None:
    text = one_dimensional(
        LOOP.replace("threadIdx.x; q", "threadIdx.y * BLOCK + threadIdx.x; q").replace(
            "q += BLOCK", "q += 2 * BLOCK"
        ),
        "if (i < n && 2 * i + threadIdx.y < n) y[2 * i + threadIdx.y] = tile[t - 1] + tile[t] + tile[t + 1];",
    )
    done = made(text, "y", "x")
    assert re.search(SCATTER, done.text), done.text
    right(done, CASE.replace("block = 16", "block = [16, 2]"), backend)
