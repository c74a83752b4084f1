"""Which elements of shared memory one thread alone adds to, by guards that fix its warp or its lane."""

from __future__ import annotations

import pytest

from s2sad.options import Options
from s2sad.pipeline import transform
from s2sad.source import Source

ALONE = [
    ("t / 32 == 0", "t % 32"),
    ("t / 32 == 1", "t % 32"),
    ("t / 32 == 0 && t % 32 < n", "t % 32 + 2"),
    ("t % 32 == 3", "t / 32"),
    ("t % 8 == 0 && t < 40", "t / 8"),
]
TOGETHER = [
    ("t / 32 < 2", "t % 32"),
    ("t / 32 == 0", "t % 16"),
    ("t % 32 < 2", "t / 32"),
    ("t / 16 == 0 || t / 16 == 2", "t % 32"),
]


def how(guard: str, index: str) -> str:
    """How the plan adds to the adjoint of an element that threads behind a guard read."""
    text = (
        'extern "C" __global__ void k(const float *x, float *y, int n) {'
        " int t = threadIdx.x; int i = blockIdx.x * blockDim.x + t; __shared__ float s[64];"
        " if (t < 64) s[t] = x[i]; __syncthreads();"
        f" float v = 0.0f; if ({guard}) v = s[{index}]; y[i] = v; }}"
    )
    done = transform(Source("k.cu", text), Options(of=("y",), wrt=("x",)))
    (row,) = [r for r in done.adjoint.plan.accumulations if r.target == "adj_s[..]"]
    return row.how


def meet(guard: str, index: str, threads: int) -> bool:
    """Whether two threads of a block read one element: tried out."""
    c = guard.replace("/", "//").replace("&&", "and").replace("||", "or")
    found = [eval(index.replace("/", "//"), {"t": t}) for t in range(threads) if eval(c, {"t": t, "n": 20})]
    return len(set(found)) < len(found)


@pytest.mark.parametrize(("guard", "index"), ALONE)
def test_one_thread_alone_adds_plainly(guard: str, index: str) -> None:
    assert not any(meet(guard, index, threads) for threads in (7, 32, 45, 64, 96, 256))
    assert how(guard, index) == "phase"


@pytest.mark.parametrize(("guard", "index"), TOGETHER)
def test_threads_that_may_meet_add_atomically(guard: str, index: str) -> None:
    assert meet(guard, index, 256)
    assert how(guard, index) in ("atomic", "reduce")


APART = ["t + k", "2 * t + 3 * k", "63 - t - 2 * k", "t - k + 3", "8 * k + t", "k * k + t"]
MEETING = ["t / 2 + k", "(t + k) % 8", "t % 4 + 4 * k", "k * t + 1"]


def loop(index: str) -> str:
    """How the plan adds to an element that all threads read in each iteration of a loop."""
    text = (
        'extern "C" __global__ void k(const float *x, float *y, int n) {'
        " int t = threadIdx.x; int i = blockIdx.x * blockDim.x + t; __shared__ float s[64];"
        " s[t] = x[i]; s[t + 32] = 2.0f * x[i]; __syncthreads();"
        f" float v = 0.0f; for (int k = 0; k < n; ++k) v += s[{index}]; y[i] = v; }}"
    )
    done = transform(Source("k.cu", text), Options(of=("y",), wrt=("x",)))
    (row,) = [r for r in done.adjoint.plan.accumulations if r.target == "adj_s[..]"]
    barriers = done.text[done.text.index("adj_y[i]") :].count("__syncthreads();")
    assert barriers == (2 if row.how == "phase" else 1)  # one in the loop, and one behind it
    return row.how


@pytest.mark.parametrize("index", APART)
def test_l17_an_iteration_in_which_no_threads_meet_is_a_phase(index: str) -> None:
    python = index.replace("/", "//")
    for k in range(6):
        found = [eval(python, {"t": t, "k": k}) for t in range(32)]
        assert len(set(found)) == len(found)
    assert loop(index) == "phase"


@pytest.mark.parametrize("index", MEETING)
def test_an_iteration_in_which_threads_may_meet_is_atomic(index: str) -> None:
    python = index.replace("/", "//")
    assert any(len({eval(python, {"t": t, "k": k}) for t in range(32)}) < 32 for k in range(6))
    assert loop(index) == "atomic"


def test_a_sum_over_the_block_behind_barriers_ends_with_one() -> None:
    """The sum of s[0] is taken behind the loop's barriers, where another thread has the element."""
    text = (
        'extern "C" __global__ void k(const float *x, float *y, int n) {'
        " int t = threadIdx.x; int i = blockIdx.x * 32 + t; __shared__ float s[32];"
        " s[t] = x[i]; __syncthreads(); float v = s[31 - t];"
        " for (int r = 0; r < n; ++r) { __syncthreads(); v += s[0] * (r + 1.0f); } y[i] = v; }"
    )
    done = transform(Source("k.cu", text), Options(of=("y",), wrt=("x",)))
    added = done.text.index("block_add(&adj_s[0]")
    assert "__syncthreads();" in done.text[added : done.text.index("adj_s[31 - t] +=")]
