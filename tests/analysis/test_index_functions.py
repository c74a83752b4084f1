"""What a function of one line returns is known where it is called; anything else it might be."""

from __future__ import annotations

import pytest

from s2sad.options import Options
from s2sad.pipeline import transform
from s2sad.source import Source

KERNEL = """\
__device__ int scratch[64];
__device__ int it(int i) { BODY }
__global__ void k(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[it(i)] * x[it(i)];
}
"""

FUNCTIONS = [
    ("return 2 * i + 1;", "+="),
    ("return i < 3 ? 3 - i - 1 : i;", "+="),  # a permutation
    ("return i < 3 ? 3 - i : i;", "atomicAdd"),  # none
    ("return i / 2;", "atomicAdd"),
    ("return (short)i;", "atomicAdd"),
    ("return blockIdx.x * blockDim.x + threadIdx.x;", "+="),
    ("return threadIdx.x;", "atomicAdd"),
    ("return scratch[i];", "atomicAdd"),
    ("int j = i; if (j > 3) j = 0; return j;", "atomicAdd"),
]


@pytest.mark.parametrize(("body", "how"), FUNCTIONS)
def test_an_index_is_what_the_function_returns(body: str, how: str) -> None:
    done = transform(Source("k.cu", KERNEL.replace("BODY", body)), Options())
    added = next(line for line in done.text.splitlines() if line.startswith("//   adj_x["))
    assert how in added
