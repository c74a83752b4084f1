"""Which trees in shared memory are sums over the block, and what a tree by halves adds up."""

from __future__ import annotations

import pytest

from s2sad.options import Options
from s2sad.pipeline import transform
from s2sad.source import Source

KERNEL = """
#define BLOCK {block}
extern "C" __global__ void k(const float *x, float *y, int n)
{{
    {shared}
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    {body}
}}
"""
SHARED = "__shared__ float s[BLOCK];"
DYNAMIC = "extern __shared__ float s[];"
TREE = (
    "__syncthreads(); for (int d = BLOCK / 2; d > 0; d /= 2) {"
    " if (t < d) s[t] += s[t + d]; __syncthreads(); } "
)
HALF = TREE.replace("BLOCK", "blockDim.x")
LARGEST = TREE.replace("s[t] += s[t + d]", "s[t] = fmaxf(s[t], s[t + d])")
STORE = "s[t] = x[i] * x[i]; "
FIRST = "if (t == 0) y[blockIdx.x] = s[0] * s[0]; "
ALL = "y[i] = s[0] * x[i]; "

SUMS = {
    "the first thread's": STORE + TREE + FIRST,
    "everybody's": STORE + TREE + ALL,
    "otherwise written": STORE
    + "for (unsigned d = BLOCK >> 1; d; d >>= 1) { __syncthreads(); if (t < d) s[t] = s[t + d] + s[t]; }"
    + FIRST,
    "own elements before it": "s[t] = 0.0f; if (i < n) s[t] = x[i]; s[t] *= x[i]; " + TREE + ALL,
    "twice": STORE + TREE + "float m = s[0]; __syncthreads(); s[t] = x[i] * m; " + TREE + ALL,
    "in a loop": "float a = 0.0f; for (int k = 0; k < 3; ++k) { s[t] = x[i] + a; "
    + TREE
    + "a += s[0] * x[i]; __syncthreads(); } y[i] = a;",
    "beside a maximum": STORE
    + LARGEST
    + "float m = s[0]; __syncthreads(); s[t] = x[i] * m; "
    + TREE
    + "y[i] = s[0] + m;",
}
NO_SUMS = {
    "a partial sum is read": STORE + TREE + "if (t == 0) y[blockIdx.x] = s[0] * s[1];",
    "each reads its own": STORE + TREE + "y[i] = s[t];",
    "written behind it": STORE + TREE + "if (t == 3) s[t] = s[0] * x[i]; __syncthreads(); y[i] = s[3];",
    "half of the array": STORE + TREE.replace("BLOCK / 2", "BLOCK / 4") + FIRST,
    "no power of two": STORE + TREE.replace("BLOCK / 2", "6") + FIRST,
    "by thirds": STORE + TREE.replace("d /= 2", "d /= 3") + FIRST,
    "one too few": STORE + TREE.replace("d > 0", "d > 1") + FIRST,
    "one more": STORE + TREE.replace("t < d", "t <= d") + FIRST,
    "at an offset": STORE + TREE.replace("s[t] += s[t + d]", "s[t] += s[t + d - 1]") + FIRST,
    "a guard at the store": "if (i < n) s[t] = x[i]; " + TREE + FIRST,
    "another's element": "s[BLOCK - 1 - t] = x[i]; " + TREE + FIRST,
    "what the loop before left": "s[t] = x[i]; for (int k = 0; k < 3; ++k) { s[t] += x[i]; "
    + TREE
    + "} if (t == 0) y[blockIdx.x] = s[0];",
    "read behind the loop": "for (int k = 0; k < 3; ++k) { __syncthreads(); s[t] = x[i] * k; "
    + TREE
    + "} "
    + ALL,
    "a product": STORE + TREE.replace("+=", "*=") + FIRST,
}


def emitted(body: str, shared: str = SHARED, block: int = 8) -> str:
    text = KERNEL.format(block=block, shared=shared, body=body)
    return transform(Source("k.cu", text), Options(of=("y",), wrt=("x",))).text


@pytest.mark.parametrize("body", SUMS.values(), ids=SUMS)
def test_a_tree_is_a_sum_over_the_block(body: str) -> None:
    text = emitted(body)
    assert "s[t] += s[t + d]" not in text
    assert "adj_s[t + d] += adj_s[t]" not in text


@pytest.mark.parametrize("body", NO_SUMS.values(), ids=NO_SUMS)
def test_any_other_tree_is_gone_through_backwards(body: str) -> None:
    text = emitted(body)
    assert "block_sum" not in text
    assert "adj_s[" in text


def test_two_arrays_in_one_tree() -> None:
    both = "s[t] = x[i]; q[t] = x[i] * x[i]; " + TREE.replace(
        "s[t] += s[t + d];", "{ s[t] += s[t + d]; q[t] += q[t + d]; }"
    )
    shared = "__shared__ float s[BLOCK], q[BLOCK];"
    text = emitted(both + "y[i] = s[0] * q[0];", shared)
    assert "adj_s[" not in text
    assert "adj_q[" not in text
    # one of them alone would leave the loop standing
    text = emitted(both + "y[i] = s[0] * q[1];", shared)
    assert "block_sum" not in text


def test_a_block_that_no_literal_gives_must_be_a_power_of_two() -> None:
    text = emitted(STORE + HALF + ALL, DYNAMIC)
    assert "if ((blockDim.x & (blockDim.x - 1)) != 0) {" in text
    assert "blockDim.x is a power of two" in text
    assert "(blockDim.x - 1)" not in emitted(STORE + TREE + ALL)
    # a literal that is half of no array says nothing of the block
    assert "block_sum" not in emitted(STORE + TREE + ALL, DYNAMIC)
    assert "block_sum" not in emitted(STORE + TREE + ALL, SHARED.replace("BLOCK", "2 * BLOCK"))


def test_what_the_first_thread_alone_owes_needs_no_sum() -> None:
    assert "block_sum" not in emitted(STORE + TREE + "if (t == 0) y[blockIdx.x] = s[0];")
    assert emitted(STORE + TREE + FIRST).count("block_sum(") == 2  # its definition, and the sum itself
    assert emitted(STORE + TREE + FIRST.replace("s[0] * s[0]", "s[0] * x[i]")).count("block_sum(") == 3


# ---- the theorem -------------------------------------------------------------------


def tree(threads: int, start: int) -> list[int]:
    """How often each thread's element is in the first one behind a tree, by running it."""
    counts = [[int(k == j) for k in range(threads)] for j in range(threads)]  # of element j in each
    d = start
    while d > 0:
        before = [list(c) for c in counts]
        for t in range(d):
            for j in range(threads):
                counts[j][t] = before[j][t] + before[j][t + d]
        d //= 2
    return [counts[j][0] for j in range(threads)]


@pytest.mark.parametrize("threads", [1, 2, 4, 8, 16, 32, 64])
def test_a_tree_by_halves_has_every_element_once_in_a_power_of_two(threads: int) -> None:
    assert tree(threads, threads // 2) == [1] * threads


def test_it_misses_some_in_any_other_number() -> None:
    assert all(0 in tree(n, n // 2) for n in range(1, 65) if n & (n - 1))
