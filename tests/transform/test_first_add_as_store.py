"""Where what is first added to an adjoint that is nought is stored, and where it must be added."""

from __future__ import annotations

import pytest

from s2sad.options import Assumption, Options
from s2sad.pipeline import transform
from s2sad.source import Source

HEAD = 'extern "C" __global__ void k(const float *x, const int *at, float *y, float *z, int n)'
ROW = Assumption("launch", "1d")
THREAD = "int i = blockIdx.x * blockDim.x + threadIdx.x;"
BINS = """
    __shared__ float bins[48];
    for (int b = threadIdx.x; b < 48; b += blockDim.x)
        bins[b] = 0.0f;
    __syncthreads();
    if (i < n)
        atomicAdd(&bins[at[i]], x[i]);
    __syncthreads();
"""
OUT = "for (int b = threadIdx.x; b < 48; b += blockDim.x) atomicAdd(&y[b], bins[b]);"


def adjoint(body: str, of: str = "y", *assume: Assumption) -> str:
    options = Options(of=tuple(of.split(",")), wrt=("x",), assume=assume)
    text = transform(Source("k.cu", f"{HEAD} {{ {THREAD} {body} }}"), options).text
    return " ".join(text[text.index("__global__ void k_adj") :].split())


def test_the_one_branch_that_adds_to_a_sum_stores() -> None:
    found = adjoint("if (i >= n) return; float v = x[i]; if (v > 0.0f) y[i] = v * v; z[i] = sinf(v);", "y,z")
    assert "if (v > 0.0f) { // y[i] = v * v adj_v += 2.0f * v * adj_y[i];" in found
    found = adjoint("if (i >= n) return; float v = x[i]; z[i] = sinf(v); if (v > 0.0f) y[i] = v * v;", "y,z")
    assert "adj_v = 2.0f * v * adj_y[i]; } // z[i] = sinf(v) adj_v += cosf(v) * adj_z[i];" in found


def test_both_ways_of_a_branch_store_what_they_add_first() -> None:
    found = adjoint("if (i >= n) return; float v = x[i]; y[i] = v > 0.0f ? v * v : v * sinf(v);")
    assert "float adj_v = 0.0f; // y[i] = v > 0.0f ? v * v : v * sinf(v) float g_y = adj_y[i];" in found
    assert "adj_v = 2.0f * v * g_y;" in found
    assert "adj_v +=" not in found


def test_two_branches_that_add_to_a_sum_look_alike() -> None:
    both = "if (v > 0.0f) y[i] = v * v; if (v < 1.0f) z[i] = v * v * v;"
    found = adjoint(f"if (i >= n) return; float v = x[i]; {both}", "y,z")
    assert (found.count("adj_v +="), "adj_v = 0.0f" in found) == (2, True)


def test_a_shared_adjoint_is_set_where_a_loop_comes_to_every_element() -> None:
    found = adjoint(BINS + OUT.replace("bins[b])", "0.5f * bins[b])"), "y", ROW)
    assert "adj_bins[b] = 0.5f * adj_y[b];" in found
    assert found.count("for (") == 1
    assert found.count("__syncthreads()") == 1


@pytest.mark.parametrize(
    ("why", "out"),
    [
        ("it doesn't come to all", OUT.replace("48", "n % 48")),
        ("it doesn't come to all", OUT.replace("= threadIdx.x", "= threadIdx.x + 1")),
        ("it comes to every second", OUT.replace("+= blockDim.x", "+= 2 * blockDim.x")),
        ("it comes to other elements", OUT.replace("bins[b]", "bins[47 - b]")),
        ("under a condition", OUT.replace("atomicAdd", "if (at[b] > 0) atomicAdd")),
        ("another loop was there before", OUT.replace("48", "24").replace("y[", "z[") + OUT),
    ],
)
def test_and_cleared_where_it_does_not(why: str, out: str) -> None:
    found = adjoint(BINS + out, "y,z" if "z[" in out else "y", ROW)
    assert ("adj_bins[q] = 0.0f;" in found) == ("before" not in why), why
    assert "bins[b] +=" in found or "atomicAdd(&adj_bins[47 - b]" in found, why
