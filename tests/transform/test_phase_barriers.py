"""Increments of a shared array are parted by barriers of their own: a sum over the block is none."""

from __future__ import annotations

import pytest

from s2sad.options import Options
from s2sad.pipeline import transform
from s2sad.source import Source

# Blocks behind `n` skip the sum of w's adjoint, and the barriers in it, but add to both elements of the tile.
SKIPPED = """
__global__ void pairs(const float *x, const float *w, float *y, int n)
{
    __shared__ float tile[16];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    tile[t] = x[i];
    __syncthreads();
    float near = tile[t];
    float f = 1.0f;
    if (i < n)
        f = w[2 * blockIdx.x] * x[i] + w[2 * blockIdx.x + 1];
    y[i] = near * near * f * tile[15 - t];
}
"""
# Of a struct's fields, the sum of `g` is written behind the additions to `v`.
SORTED = """
struct Tile {
    float v[16];
    float g;
};
__global__ void pairs(const float *x, const float *w, float *y, int n)
{
    __shared__ Tile tile;
    int t = threadIdx.x;
    tile.v[t] = x[t];
    if (t == 0)
        tile.g = w[0];
    __syncthreads();
    y[t] = tile.v[15 - t] * tile.g * tile.v[t];
}
"""


@pytest.mark.parametrize(("text", "tile"), [(SKIPPED, "adj_tile"), (SORTED, "adj_tile.v")])
def test_a_sum_over_the_block_is_no_barrier_between_increments(text: str, tile: str) -> None:
    made = transform(Source("pairs.cu", text), Options(of=("y",), wrt=("x", "w"))).text
    sweep = made[made.index("void pairs_adj(") :]
    places = sorted(sweep.index(f"{tile}[{index}] +=") for index in ("15 - t", "t"))
    assert "__syncthreads();" in sweep[slice(*places)]
