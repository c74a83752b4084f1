"""Which copies in shared memory the adjoint reads past."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from gradient_kit import made, right

from s2sad.run.backend import Backend
from s2sad.run.isolated import Isolated

KERNEL = """\
#define W 8
extern "C" __global__ void k(const float *x, const float *w, float *y, int n, int m)
{
    __shared__ float tile[W + 4];
    int t = threadIdx.x + 1;
    int i = blockIdx.x * W + threadIdx.x;
    STORES
    __syncthreads();
    READS
}
"""
CASE = """\
[launch]
grid = 3
block = 8
[args]
n = 21
m = 19
x = { shape = 24, fill = "uniform(0.2, 1)" }
w = { shape = 24, fill = "uniform(0.4, 1.2)" }
y = { shape = 24, fill = "zeros" }
"""
OWN = "tile[t] = i < n ? x[i] : 0.0f;"
LOW = "if (threadIdx.x == 0) tile[0] = i > 0 ? x[i - 1] : 0.0f;"
HIGH = "if (threadIdx.x == W - 1) tile[W + 1] = i + 1 < n ? x[i + 1] : 0.0f;"
THREE = "if (i < n) y[i] = sinf(tile[t - 1] + 2.0f * tile[t] + tile[t + 1]) * w[i];"
FORMS = {
    "a line": (OWN + LOW + HIGH, THREE, "(i > 0 ? x[i - 1] : 0.0f)"),
    "its own element": (OWN + LOW + HIGH, "if (i < n) y[i] = sinf(tile[t]) + w[i] * tile[t + 1];", "x[i]"),
    "beyond what a guard lets through": (OWN, "y[i] = sinf(tile[t]) * w[i];", "i < n ? x[i] : 0.0f"),
    "as far as the last that the tile has": (
        OWN + LOW + HIGH,
        "if (i < n - 1) y[i] = sinf(tile[t + 1]) * w[i];",
        "x[i + 1]",
    ),
    "threads of a rim by their number": (
        "tile[threadIdx.x + 2] = i < n ? x[i] : 0.0f;"
        "if (threadIdx.x < 2) tile[threadIdx.x] = i >= 2 ? x[i - 2] : 0.0f;",
        "if (i < n) y[i] = sinf(tile[threadIdx.x] + w[i] * tile[threadIdx.x + 2]);",
        "(i >= 2 ? x[i - 2] : 0.0f)",
    ),
    "another bound of a rim": (
        OWN + LOW + "if (threadIdx.x == W - 1) tile[W + 1] = i + 1 < m ? x[i + 1] : 0.0f;",
        THREE,
        None,
    ),
    "a rim of another array": (
        OWN + "if (threadIdx.x == 0) tile[0] = i > 0 ? w[i - 1] : 0.0f;" + HIGH,
        THREE,
        None,
    ),
    "a rim that is shifted": (
        OWN + "if (threadIdx.x == 0) tile[0] = i > 1 ? x[i - 2] : 0.0f;" + HIGH,
        THREE,
        None,
    ),
    "a rim of the first element again": (
        OWN + "if (threadIdx.x == 0) tile[0] = i > 0 ? x[i] : 0.0f;" + HIGH,
        THREE,
        None,
    ),
    "a rim of another value outside": (
        OWN + "if (threadIdx.x == 0) tile[0] = i > 0 ? x[i - 1] : 0.5f;" + HIGH,
        THREE,
        None,
    ),
    "read by those beyond": (OWN + LOW + HIGH, "y[i] = sinf(tile[t - 1] + w[i] * tile[t]);", None),
    "what it holds changes": (
        OWN + LOW + HIGH + "__syncthreads(); if (threadIdx.x == 3) tile[4] = 0.25f;",
        THREE,
        None,
    ),
    "read in a loop": (
        OWN + LOW + HIGH,
        "if (i < n) { float s = 0.0f; for (int q = -1; q <= 1; ++q) s += sinf(tile[t + q]); y[i] = s; }",
        None,
    ),
    "read often": (
        OWN + LOW + HIGH,
        "if (i < n) y[i] = sinf(tile[t - 1] + tile[t]) * tile[t + 1] * cosf(tile[t]);",
        None,
    ),
    "computed": (
        "tile[t] = i < n ? expf(x[i]) : 0.0f;",
        "if (i < n) y[i] = sinf(tile[t]) * w[i];",
        None,
    ),
    "an unsigned bound": (
        "tile[t] = (unsigned)(i - 2) < (unsigned)n ? x[i - 2] : 0.0f;",
        "if (i < n) y[i] = sinf(tile[t]) * w[i];",
        None,
    ),
}


@pytest.fixture(scope="module")
def backend() -> Iterator[Backend]:
    with Isolated() as one:
        yield one


@pytest.mark.parametrize("name", FORMS)
def test_forms(name: str, backend: Backend) -> None:
    stores, reads, said = FORMS[name]
    text = KERNEL.replace("STORES", stores).replace("READS", reads)
    done = made(text, "y", "x")
    assert (" tile[W + 4]" in done.text) == (said is None)
    assert said is None or said in done.text
    right(done, CASE, backend)


PADDED = """\
extern "C" __global__ void k(const float *x, const float *w, float *y, int n)
{
    __shared__ float tile[40];
    int t = threadIdx.x;
    int i = blockIdx.x * 32 + threadIdx.x;
    tile[t] = i < n && PAD ? x[i] : 0.0f;
    __syncthreads();
    if (i < n && (t < 32 || blockIdx.x == 1)) y[i] = w[t] * tile[t];
}
"""
PADDED_CASE = """\
[launch]
grid = 2
block = 40
[args]
n = 72
x = { shape = 100, fill = "uniform(0.2, 1)" }
w = { shape = 40, fill = "uniform(0.4, 1.2)" }
y = { shape = 100, fill = "zeros" }
"""


@pytest.mark.parametrize("pad", ["t < 32", "i < (blockIdx.x + 1) * 32"])
def test_a_block_may_be_larger_than_the_literal_of_its_index(pad: str, backend: Backend) -> None:
    """Found from outside: the condition that pads the tile was taken for always true."""
    done = made(PADDED.replace("PAD", pad), "y", "w")
    right(done, PADDED_CASE, backend)


BINS = """\
extern "C" __global__ void k(const int *key, const float *w, float *y, const float *x, int n)
{
    __shared__ float bins[16];
    for (int b = threadIdx.x; b < 16; b += blockDim.x) bins[b] = 0.0f;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[key[i]], w[i] * w[i] * x[i]);
    __syncthreads();
    for (int b = threadIdx.x; b < 16; b += blockDim.x) atomicAdd(&y[b], VALUE);
}
"""
BINS_CASE = """\
[launch]
grid = 2
block = 8
[args]
n = 40
key = { shape = "n", fill = "randint(0, 16)" }
w = { shape = "n", fill = "uniform(0.4, 1.2)" }
x = { shape = "n", fill = "uniform(0.4, 1.2)" }
y = { shape = 16, fill = "zeros" }
"""


@pytest.mark.parametrize(("value", "direct"), [("bins[b]", True), ("bins[b] * bins[b]", False)])
def test_a_blocks_copy_of_a_seed(value: str, direct: bool, backend: Backend) -> None:
    done = made(BINS.replace("VALUE", value), "y", "w,x")
    assert ("adj_y[key[i]]" in done.text) == direct
    assert ("__syncthreads" in done.text) != direct
    right(done, BINS_CASE, backend)
