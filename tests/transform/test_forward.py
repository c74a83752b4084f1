"""The launch that does what the primal does and hands over what the reverse sweep needs."""

from s2sad.options import Options
from s2sad.pipeline import transform
from s2sad.source import Source

NEVER_STORED = """
__global__ void k(const float *x, float *y, int n)
{
    __shared__ float tile[64];
    float few[2];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] *= tile[threadIdx.x] + few[0] * x[i];
}
"""


def test_arrays_that_nothing_stores_to_are_declared_all_the_same() -> None:
    request = Options(of=("y",), wrt=("x",), mode="split")
    forward, _, _ = transform(Source("k.cu", NEVER_STORED), request).text.partition("k_adj(const")
    assert "    __shared__ float tile[64];\n    float few[2];\n" in forward
