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
    assert how(guard, index) == "by phase"


@pytest.mark.parametrize(("guard", "index"), TOGETHER)
def test_threads_that_may_meet_add_atomically(guard: str, index: str) -> None:
    assert meet(guard, index, 256)
    assert how(guard, index) in ("atomic", "reduce")
