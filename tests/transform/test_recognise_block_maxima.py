"""Which trees of maxima in shared memory become a block's maximum."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from gradient_kit import made, right

from s2sad.run.backend import Backend
from s2sad.run.isolated import Isolated

KERNEL = """\
extern "C" __global__ void k(const float *x, float *y, float *z, int n)
{
    __shared__ float part[64];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    float v = x[i];
    TREE
    part[t] = expf(v - m);
    __syncthreads();
    for (int d = HALF; d > 0; d /= 2) {
        if (t < d) part[t] += part[t + d];
        __syncthreads();
    }
    y[i] = expf(v - m) / part[0];
}
"""
TREE = """
    part[t] = v;
    __syncthreads();
    for (int d = HALF; d > 0; d /= 2) {
        if (t < d) part[t] = fmaxf(part[t], part[t + d]);
        __syncthreads();
    }
    float m = part[0];
    __syncthreads();
"""
CASE = """\
[launch]
grid = 2
block = 64
[args]
n = 128
x = { shape = 128, fill = "uniform(-2, 2)" }
y = { shape = 128, fill = "zeros" }
z = { shape = 128, fill = "zeros" }
"""
FORMS = {
    "of a known block": (TREE.replace("HALF", "32"), "32", "block_max("),
    "of a power of two": (TREE, "blockDim.x / 2", "block_max("),
    "minimum": (TREE.replace("fmaxf", "fminf"), "blockDim.x / 2", "block_min("),
    "sides exchanged": (
        TREE.replace("fmaxf(part[t], part[t + d])", "fmaxf(part[t + d], part[t])"),
        "blockDim.x / 2",
        "block_max(",
    ),
    "of a part": (TREE.replace("HALF", "16"), "blockDim.x / 2", None),
    "another thread's": (TREE.replace("= part[0]", "= part[1]"), "blockDim.x / 2", None),
    "of what others have": (TREE.replace("part[t] = v;", "part[t ^ 1] = v;"), "blockDim.x / 2", None),
}


@pytest.fixture(scope="module")
def backend() -> Iterator[Backend]:
    with Isolated("cpu", timeout=60.0) as isolated:
        yield isolated


@pytest.mark.parametrize("name", FORMS)
def test_forms(name: str, backend: Backend) -> None:
    tree, half, said = FORMS[name]
    text = KERNEL.replace("TREE", tree).replace("HALF", half)
    done = made(text, "y", "x")
    assert said is None or said in done.text, done.text
    assert said is not None or "block_m" not in done.text, done.text
    right(done, CASE, backend)


def test_one_that_the_adjoint_reverses_stays(backend: Backend) -> None:
    text = KERNEL.replace("TREE", TREE).replace("HALF", "32") + "\n"
    done = made(text.replace("/ part[0];", "/ part[0] + m * m;"), "y", "x")
    assert "block_max(" not in done.text
    right(done, CASE, backend)


def test_one_in_a_block_that_may_not_be_a_power_of_two_stays() -> None:
    """No sum asks for such a block, and the tree leaves elements out."""
    text = KERNEL.replace("TREE", TREE).replace("HALF", "blockDim.x / 2")
    without_sum = (
        text.partition("    part[t] = expf(v - m);\n")[0] + "    y[i] = v > 0.5f * m ? v * v : v;\n}\n"
    )
    assert "block_max(" not in made(without_sum, "y", "x").text
