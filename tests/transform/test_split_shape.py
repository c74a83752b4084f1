"""The launch that does what the primal does and hands over what the reverse sweep needs."""

import pytest

from s2sad.diagnostics import Rejected
from s2sad.options import Mode, Options
from s2sad.pipeline import transform
from s2sad.source import Source

MODES: tuple[Mode, ...] = ("joint", "split")
NEVER_STORED = """
__global__ void k(const float *x, float *y, int n)
{
    __shared__ float tile[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] *= tile[threadIdx.x] * x[i];
}
"""


def test_arrays_that_nothing_stores_to_are_declared_all_the_same() -> None:
    request = Options(of=("y",), wrt=("x",), mode="split")
    forward, _, _ = transform(Source("k.cu", NEVER_STORED), request).text.partition("k_adj(const")
    assert "    __shared__ float tile[64];\n" in forward


def test_a_local_array_that_nothing_stores_to_is_refused_as_a_variable_is() -> None:
    unset = NEVER_STORED.replace("__shared__ float tile[64]", "float tile[64]")
    for mode in MODES:
        with pytest.raises(Rejected, match="`tile` is read before it is set"):
            transform(Source("k.cu", unset), Options(of=("y",), wrt=("x",), mode=mode))
