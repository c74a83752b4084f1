"""Stores that all threads of a block make alike: one of them takes the adjoint, where that is proved."""

from __future__ import annotations

import pytest

from s2sad.diagnostics import Rejected
from s2sad.options import Options
from s2sad.pipeline import transform
from s2sad.source import Source

HEAD = "__global__ void k(const float *x, const int *idx, float *y, float *z, int w, int n)"
BEGIN = (
    "__shared__ float s[64], m; int t = threadIdx.x, b = blockIdx.x; s[t] = x[b * 64 + t]; __syncthreads();"
)
END = "__syncthreads(); y[b * 64 + t] = m * m * s[t];"


def refused(body: str) -> list[str]:
    """The codes of what stands against the adjoint."""
    try:
        text = transform(Source("k.cu", f"{HEAD}\n{{\n{body}\n}}\n"), Options(of=("y", "z"), wrt=("x",))).text
    except Rejected as rejected:
        return [d.code.slug for d in rejected.diagnostics]
    assert "atomicExch" in text
    return []


@pytest.mark.parametrize(
    "store",
    [
        "m = s[0] + s[1];",
        "m = x[b * 64] * w;",
        "m = s[idx[b]];",  # wherever it is, it is one place
        "float v = s[3]; __syncthreads(); m = v;",
        "if (t < 2) m = s[0] * s[1];",
        "float v = 0.0f; for (int k = 0; k < n; ++k) v += s[k]; m = v;",
        "for (int k = 0; k < n; ++k) if (idx[k]) m = s[k];",
        "for (int k = 0; k < n; ++k) { __syncthreads(); m = s[k]; }",
        "m = s[0]; __syncthreads(); z[b] = m;",
        "m = s[0]; for (int k = 0; k < n; ++k) z[b * n + k] = s[k] * s[k];",
    ],
)
def test_what_all_threads_of_a_block_store_alike_one_of_them_takes_back(store: str) -> None:
    assert refused(f"{BEGIN} {store} {END}") == []


@pytest.mark.parametrize(
    "store",
    [
        "m = s[t];",
        "m = x[b * 64] * t;",
        "m = s[idx[t]];",
        "float v = 0.0f; if (t > 2) v = s[1]; m = v;",
        "float v = 0.0f; for (int k = t; k < n; ++k) v += s[k]; m = v;",
        "float v = s[t]; v += __shfl_down_sync(0xffffffffu, v, 16); m = v;",
        "float a[2]; a[0] = s[0]; a[1] = s[t]; m = a[w];",
        "for (int k = 0; k < n; ++k) if (t < k) m = s[k];",  # the last iteration is each thread's own
        "for (int k = 0; k < t; ++k) m = s[k];",
        "for (int k = 0; k < n; ++k) { if (s[t] < 0.0f) break; m = s[k]; }",
        "m = s[0]; z[b * 64 + t] = m * m;",  # no barrier between the stores and what reads them
        "m += s[0];",
        "m = s[0]; __syncthreads(); m = m * m;",
        "m = s[0]; z[w] = s[0] * s[0];",  # that of other blocks too
        "m = s[0]; z[b / 2] = s[0] * s[0];",
    ],
)
def test_what_threads_may_store_differently_stays_refused(store: str) -> None:
    assert set(refused(f"{BEGIN} {store} {END}")) == {"shared-writer"}


WARPS = (
    "__shared__ float s[64], q[4]; int t = threadIdx.x, b = blockIdx.x; s[t] = x[b * 64 + t];"
    "__syncthreads(); float v = s[t], p;"
)
SUM = "for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffffu, v, d);"
BEHIND = "__syncthreads(); y[b * 64 + t] = q[(t / 32 + 1) % 2] * s[t];"


@pytest.mark.parametrize(
    "store",
    [
        f"{SUM} q[t / 32] = v;",
        f"{SUM} q[t / 32] = v / 32.0f * w;",
        f"{SUM} p = v + x[b]; int u = threadIdx.x >> 5; q[u] = -p;",
        "for (int d = 1; d < 32; d *= 2) v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, d)); q[t / 32] = v;",
        "v = __shfl_sync(0xffffffffu, v, 0); q[t / 32] = v;",
    ],
)
def test_what_all_lanes_of_a_warp_store_alike_one_of_them_takes_back(store: str) -> None:
    assert refused(f"{WARPS} {store} {BEHIND}") == []


@pytest.mark.parametrize(
    "store",
    [
        f"{SUM.replace('xor', 'down')} q[t / 32] = v;",
        f"{SUM.replace('16', '8')} q[t / 32] = v;",
        f"{SUM.replace('d > 0', 'd > 1')} q[t / 32] = v;",
        f"{SUM.replace('16', '8').replace('v, d', 'v, d, 16')} q[t / 32] = v;",
        f"{SUM} q[t / 32] = v * s[t];",
        f"{SUM} q[t / 32] = v * t;",
        f"{SUM} q[t / 64] = v;",  # two warps
        f"{SUM} q[t / 32 % 2 * 0] = v;",
        f"{SUM} if (s[t] > 0.0f) v = 1.0f; q[t / 32] = v;",
        f"for (int k = 0; k < n; ++k) {{ {SUM} q[t / 32] = v; }}",
        f"{SUM} q[t / 32] = v; z[b * 64 + t] = q[0];",  # read without a barrier
    ],
)
def test_what_lanes_of_a_warp_may_store_apart_is_refused(store: str) -> None:
    assert set(refused(f"{WARPS} {store} {BEHIND}")) == {"shared-writer"}


def test_l27_lanes_that_exchange_over_all_distances_have_one_value() -> None:
    for order in ([16, 8, 4, 2, 1], [1, 2, 4, 8, 16], [4, 16, 1, 8, 2]):
        values = [frozenset({lane}) for lane in range(32)]
        for d in order:
            values = [values[lane] | values[lane ^ d] for lane in range(32)]
        assert set(values) == {frozenset(range(32))}
    # four of the distances leave two values
    values = [frozenset({lane}) for lane in range(32)]
    for d in (8, 4, 2, 1):
        values = [values[lane] | values[lane ^ d] for lane in range(32)]
    assert len(set(values)) == 2
