"""A declared block size: what it spares, and that the adjoint refuses other blocks."""

from __future__ import annotations

import pytest

from s2sad.options import Options, Unclear, assumption
from s2sad.pipeline import transform
from s2sad.source import Source

KERNEL = """\
__global__ void scaled(const float *x, const float *w, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = (w[0] + x[i] * (w[1] + x[i] * w[2])) * w[3];
}
"""


def made(assume: str) -> str:
    asked = Options(of=("y",), wrt=("x", "w"), assume=(assumption(assume),))
    return transform(Source("scaled.cu", KERNEL), asked).text


@pytest.mark.parametrize("text", ["block:256", "block:16:16", "block:8:8:4", "block:1024"])
def test_sizes_are_read(text: str) -> None:
    assert str(assumption(text)) == text


@pytest.mark.parametrize(
    "text", ["block:0", "block:", "block:n", "block:2048", "block:64:32", "block:1:1:1:1"]
)
def test_what_is_no_size_of_a_block_is_refused(text: str) -> None:
    with pytest.raises(Unclear):
        assumption(text)


def test_sums_of_whole_warps_need_no_code_for_partial_ones() -> None:
    plain, declared = made("launch:1d"), made("block:128")
    assert "partial" in plain
    assert "partial" not in declared
    assert "sums[4][4]" in declared


def test_partial_warps_keep_their_code() -> None:
    assert "partial" in made("block:48")


def test_a_block_of_more_dimensions_than_the_kernel_tells_apart_promises_nothing() -> None:
    assert "partial" in made("block:64:2")


def test_the_adjoint_refuses_another_block() -> None:
    assert "if (blockDim.x != 128) {" in made("block:128")
