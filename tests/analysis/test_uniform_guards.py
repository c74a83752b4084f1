"""L31, proved and tried on small launches; and which guards a launch can be tested for."""

from __future__ import annotations

from itertools import product

import pytest
import z3
from test_injectivity import proves

from s2sad import parse
from s2sad.analysis import ssa_construction
from s2sad.analysis.ssa import Versions
from s2sad.analysis.threads import warp_uniformity
from s2sad.analysis.threads.block_uniformity import meetings, uniform
from s2sad.analysis.threads.uniform_guards import Even
from s2sad.source import Source
from s2sad.transform.normalise.structure_exits import structure

AT = "int i = blockIdx.x * blockDim.x + threadIdx.x;"
SYNC = "__syncthreads();"
SUM = "float v = x[0]; v += __shfl_xor_sync(~0u, v, 1);"


def test_l26_a_group_is_below_a_multiple_of_its_size_or_none_of_it_is() -> None:
    b, q, t, u, size = z3.Ints("b q t u size")
    # The product size * (b - q) as one symbol p: it is 0, or at least size, or at most -size.
    p = z3.Int("p")
    apart = z3.Or(z3.And(b == q, p == 0), z3.And(b > q, p >= size), z3.And(b < q, p <= -size))
    known = z3.And(t >= 0, t < size, u >= 0, u < size, apart)
    assert proves(z3.Implies(known, (p + t < 0) == (p + u < 0)))


@pytest.mark.parametrize("width", [None, 4])
def test_the_launches_that_are_let_through_have_groups_that_stay_together(width: int | None) -> None:
    for grid, block, group, n in product(range(1, 4), range(1, 6), (0, 2), range(-3, 20)):
        wide = block if width is None else width
        size = group or wide
        if group and (block % group or wide % group):
            continue  # rows are whole warps
        unsigned = n % 2**32
        if block > wide or (unsigned % size != 0 and unsigned < grid * wide):
            continue
        for b in range(grid):
            for first in range(0, block, group or block):
                alike = {b * wide + t < n for t in range(first, first + (group or block))}
                assert len(alike) == 1


def test_loops_that_go_on_by_whole_blocks_are_left_by_all_threads_at_once() -> None:
    for blocks, block, width, n in product(range(1, 4), range(1, 6), (None, 4), range(-8, 25)):
        wide = block if width is None else width
        rest = n - int(n / wide) * wide  # as C does it
        if block > wide or rest != 0:
            continue
        for b, step in product(range(blocks), (wide, blocks * wide)):
            trips = {len(range(b * wide + t, n, step)) for t in range(block)}
            assert len(trips) == 1


def survey(body: str) -> Versions:
    sizes = "int n, unsigned m, size_t big, short few"
    head = f"__global__ void k(const float *x, const int *idx, float *y, {sizes})"
    program = parse.program(Source("k.cu", f"{head}\n{{\n{body}\n}}\n"))
    return ssa_construction.survey(structure(program.kernel))


def in_block(body: str) -> list[tuple[str, str, int | None]] | None:
    """What the launch must be for all threads of a block to reach the barriers; None if they may part."""
    v = survey(body)
    found = uniform(v)
    if any(found.apart(v.scope_of[b]) for b in meetings(v)):
        return None
    return [told(e) for evens in found.even.values() for e in evens]


def in_warp(body: str) -> list[tuple[str, str, int | None]] | None:
    v = survey(body)
    found = warp_uniformity.survey(v, 1)
    if any(found.parting(s) for s in warp_uniformity.meetings(v)):
        return None
    return [told(e) for evens in found.even.values() for e in evens]


def told(even: Even) -> tuple[str, str, int | None]:
    return even.bound.name, even.over, None if even.width is None else int(even.width.value)


@pytest.mark.parametrize(
    ("body", "relied"),
    [
        (f"{AT} if (i < n) {{ {SYNC} }}", [("n", "grid", None)]),
        (f"{AT} if (i >= n) return; {SYNC}", [("n", "grid", None)]),
        (f"{AT} if (!(n > i)) return; {SYNC}", [("n", "grid", None)]),
        (f"{AT} if (i < m) {{ {SYNC} }}", [("m", "grid", None)]),
        (
            f"size_t i = threadIdx.x + (size_t)blockDim.x * blockIdx.x; if (i < big) {{ {SYNC} }}",
            [("big", "grid", None)],
        ),
        (
            f"int b = blockDim.x; int i = blockIdx.x * b + threadIdx.x; if (i < n) {{ {SYNC} }}",
            [("n", "grid", None)],
        ),
        (f"int i = blockIdx.x * 64 + threadIdx.x; if (i < n) {{ {SYNC} }}", [("n", "grid", 64)]),
        (f"if (threadIdx.x < n) {{ {SYNC} }}", [("n", "block", None)]),
        (f"{AT} if (i < n && blockIdx.y < m) {{ {SYNC} }}", [("n", "grid", None)]),
        (f"{AT} if (i >= n || threadIdx.x >= m) return; {SYNC}", [("n", "grid", None), ("m", "block", None)]),
        (f"{AT} if (blockIdx.x < n) {{ {SYNC} }}", []),
        # loops that go on by whole blocks
        (f"for (int k = threadIdx.x; k < n; k += blockDim.x) {{ {SYNC} }}", [("n", "part", None)]),
        (f"for (int k = threadIdx.x; k < n; k = k + 64) {{ {SYNC} }}", [("n", "part", 64)]),
        (f"{AT} for (; i < n; i += gridDim.x * blockDim.x) {{ {SYNC} }}", [("n", "part", None)]),
        (f"{AT} for (int k = i; k < n; k += 2 * blockDim.x) {{ {SYNC} }}", [("n", "part", None)]),
        (
            f"for (int k = blockIdx.x * 8 + threadIdx.x; k < n; k += 24) {{ {SYNC} }}",
            [("n", "part", 8)],
        ),
        (f"for (int k = blockIdx.x * 8 + threadIdx.x; k < n; k += 20) {{ {SYNC} }}", None),
        (f"{AT} for (; i < n; i += gridDim.x) {{ {SYNC} }}", None),
        (f"{AT} for (; i < n; i += gridDim.x * blockDim.y) {{ {SYNC} }}", None),
        (f"for (int k = threadIdx.x; k <= n; k += blockDim.x) {{ {SYNC} }}", None),
        (f"for (int k = threadIdx.x + 1; k < n; k += blockDim.x) {{ {SYNC} }}", None),
        (f"for (int k = threadIdx.x; k < n; k += blockDim.x) {{ if (x[k] > 1) break; {SYNC} }}", None),
        (f"for (int k = n - 1 - threadIdx.x; k >= 0; k -= blockDim.x) {{ {SYNC} }}", None),
        # numbers that a launch isn't asked for
        (f"{AT} if (i <= n) {{ {SYNC} }}", None),
        (f"{AT} if (i + 1 < n) {{ {SYNC} }}", None),
        (f"{AT} if (i < n - 1) {{ {SYNC} }}", None),
        (f"{AT} if (i < few) {{ {SYNC} }}", None),
        (f"{AT} if (i == n) {{ {SYNC} }}", None),
        (f"{AT} if (i < x[0]) {{ {SYNC} }}", None),
        (f"{AT} if (i < n && x[i] > 0) {{ {SYNC} }}", None),
        (f"{AT} n /= 2; if (i < n) {{ {SYNC} }}", None),
        (f"{AT} if (n > 3) i += 1; if (i < n) {{ {SYNC} }}", None),
        (f"{AT} i += 1; if (i < n) {{ {SYNC} }}", None),
        (f"{AT} if (n < i) {{ {SYNC} }}", None),
        (f"int i = blockIdx.x * blockDim.y + threadIdx.x; if (i < n) {{ {SYNC} }}", None),
        (f"int i = blockIdx.x * blockDim.x + threadIdx.y; if (i < n) {{ {SYNC} }}", None),
        (f"int i = blockIdx.y * blockDim.x + threadIdx.x; if (i < n) {{ {SYNC} }}", None),
        (f"{AT} short s = i; if (s < n) {{ {SYNC} }}", None),
        (f"{AT} for (int k = i; k < n; k += 8) {{ {SYNC} }}", None),
        (f"{AT} if (i < n) {{ if (idx[i] > 0) {{ {SYNC} }} }}", None),
    ],
)
def test_guards_around_barriers(body: str, relied: list[tuple[str, str, int | None]] | None) -> None:
    assert in_block(body) == relied


@pytest.mark.parametrize(
    ("body", "relied"),
    [
        (f"{AT} if (i < n) {{ {SUM} }}", [("n", "grid", None)]),
        (f"{AT} if (i >= n) return; {SUM}", [("n", "grid", None)]),
        (f"if (threadIdx.x >= n) return; {SUM}", [("n", "block", None)]),
        (f"int i = blockIdx.x * 64 + threadIdx.x; if (i < n) {{ {SUM} }}", [("n", "part", None)]),
        (f"for (int k = threadIdx.x; k < n; k += blockDim.x) {{ {SUM} }}", [("n", "part", None)]),
        (f"for (int k = threadIdx.x % 32; k < n; k += 32) {{ {SUM} }}", [("n", "part", None)]),
        (f"{AT} for (; i < n; i += gridDim.x * blockDim.x) {{ {SUM} }}", [("n", "part", None)]),
        (f"if (threadIdx.x / 32 < n) {{ {SUM} }}", []),
        (f"int i = blockIdx.x * 48 + threadIdx.x; if (i < n) {{ {SUM} }}", None),
        (f"int i = threadIdx.x / 4; if (i < n) {{ {SUM} }}", None),
        (f"for (int k = threadIdx.x; k < n; k += 8) {{ {SUM} }}", None),
        (f"for (int k = threadIdx.x; k < n; k += 32) {{ if (x[k] > 1) break; {SUM} }}", None),
        (f"{AT} if (idx[i] < n) {{ {SUM} }}", None),
    ],
)
def test_guards_around_exchanges(body: str, relied: list[tuple[str, str, int | None]] | None) -> None:
    assert in_warp(body) == relied
