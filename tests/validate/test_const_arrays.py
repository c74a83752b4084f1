"""An adjoint that writes where it said `const`: a cast gets past the compiler, not past `check`."""

from __future__ import annotations

import pytest
from validate_kit import adjoint, array, number, signatures

from s2sad.run.isolated import Isolated
from s2sad.validate import Case, Pair, check_pair

PRIMAL = """
extern "C" __global__ void k(int n, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i] * x[i];
}
"""
ADJOINT = """
extern "C" __global__ void k_adj(int n, const float *x, float *adj_x, float *y, const float *adj_y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        adj_x[i] += 2.0f * x[i] * adj_y[i];
        WRITTEN
    }
}
"""


@pytest.mark.parametrize(
    ("written", "promise"),
    [
        ("", ""),
        ("const_cast<float *>(adj_y)[i] = 0.0f;", "adj_y is not modified"),
        ("((float *)x)[i] = 0.0f;", "x is not written"),
    ],
)
def test_a_write_through_a_cast_is_seen(written: str, promise: str) -> None:
    x, y = array("x"), array("y", written=True)
    k, k_adj, _ = signatures(
        "k",
        (number("n"), x, y),
        (adjoint("x", "accumulates"), adjoint("y", "seed")),
        of=("y",),
        wrt=("x",),
    )
    pair = Pair(PRIMAL, ADJOINT.replace("WRITTEN", written), k, k_adj, None)
    text = '[launch]\ngrid = "(n + 7) / 8"\nblock = 8\n[args]\nn = 21\n'
    text += 'x = { shape = "n", fill = "normal" }\ny = { shape = "n", fill = "zeros" }\n'
    with Isolated("cpu", timeout=20.0) as backend:
        report = check_pair(pair, Case.parse(text, k), backend)
    assert [finding.what for finding in report.findings if not finding.ok] == [promise] * bool(promise)
