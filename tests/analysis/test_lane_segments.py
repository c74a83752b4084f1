"""Masks of lane segments: what is recognised is true of every thread of a block."""

from __future__ import annotations

from itertools import product

import pytest

from s2sad import parse
from s2sad.analysis import ssa_construction
from s2sad.analysis.ssa import Versions
from s2sad.analysis.threads.lane_segments import Segments
from s2sad.analysis.threads.warp_uniformity import Lanes
from s2sad.ir import Declare, collective
from s2sad.source import Source
from s2sad.transform.normalise.structure_exits import structure

RANK = "(threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x"
STARTS = {
    "threadIdx.x % 32 / {n} * {n}": True,
    "(threadIdx.x & 31) / {n} * {n}": True,
    "(threadIdx.x & (32 - {n}))": True,
    "(threadIdx.x % 32 & -{n})": True,
    "(threadIdx.x % 32 & ~({n} - 1))": True,
    f"({RANK}) % 32 / {{n}} * {{n}}": True,
    "threadIdx.x / {n} * {n}": False,
    "threadIdx.x % 32 / {n} * 2": False,
    "threadIdx.x % 32 / 2 * {n}": False,
    "threadIdx.x % 32 / {n}": False,
    "threadIdx.x % 64 / {n} * {n}": False,
    "(threadIdx.x & {n})": False,
    "threadIdx.y % 32 / {n} * {n}": False,
}


def surveyed(body: str) -> Versions:
    source = f"__global__ void k(const float *x, float *y, int n) {{ {body} }}"
    return ssa_construction.survey(structure(parse.program(Source("k.cu", source)).kernel))


def size_of(body: str, mask: str, dimensions: int, aligned: bool) -> int | None:
    """Return what is recognised of the mask of a shuffle."""
    versions = surveyed(f"{body} float v = x[threadIdx.x]; v += __shfl_xor_sync({mask}, v, 1); y[0] = v;")
    stmt, call = next((s, c) for s in versions.order if (c := collective(s)) is not None)
    return Segments(versions, dimensions, aligned).size(stmt, call.args[0])


def lanes_named(start: str, size: int, dims: tuple[int, int, int], thread: tuple[int, int, int]) -> bool:
    """Whether the mask that a thread computes names its own segment."""
    text = start.format(n=size).replace("/", "//")
    for name, value in zip(("threadIdx", "blockDim"), (thread, dims), strict=True):
        for axis, of_axis in zip("xyz", value, strict=True):
            text = text.replace(f"{name}.{axis}", str(of_axis))
    (w, h, _), (x, y, z) = dims, thread
    lane = ((z * h + y) * w + x) % 32
    return (((1 << size) - 1) << eval(text) & 0xFFFFFFFF) == ((1 << size) - 1) << lane // size * size


@pytest.mark.parametrize("start", STARTS)
def test_a_recognised_mask_names_each_lanes_own_segment(start: str) -> None:
    for size, (dimensions, aligned) in product((2, 4, 8, 16), ((1, False), (2, False), (2, True), (3, True))):
        mask = f"0x{(1 << size) - 1:x}u << ({start.format(n=size)})"
        found = size_of("", mask, dimensions, aligned)
        assert found in (None, size)
        if dimensions == 1:
            same = start == "threadIdx.x % 32 / 2 * {n}" and size == 2  # written otherwise
            same |= start == "threadIdx.x % 32 / {n} * 2" and size == 2
            same |= start == "(threadIdx.x & {n})" and size == 16
            assert found == (size if STARTS[start] or same else None)
        if found is None:
            continue
        dims = {1: (96, 1, 1), 2: (64, 3, 1) if aligned else (12, 5, 1), 3: (32, 2, 3)}[dimensions]
        for thread in product(*map(range, dims)):
            assert lanes_named(start, size, dims, thread)


def test_the_parts_of_a_mask_may_have_names() -> None:
    assert (
        size_of(
            "int lane = threadIdx.x % 32, first = lane / 8 * 8; unsigned m = 0xffu << first;", "m", 1, False
        )
        == 8
    )
    assert (
        size_of(
            "int lane = threadIdx.x % 32; lane += n; unsigned m = 0xffu << (lane / 8 * 8);", "m", 1, False
        )
        is None
    )
    assert size_of("unsigned m = 0x7fu << (threadIdx.x % 32 / 8 * 8);", "m", 1, False) is None


@pytest.mark.parametrize(("group", "kind"), [(4, "uniform"), (8, "uniform"), (16, "apart"), (32, "apart")])
def test_a_vote_is_the_same_for_the_lanes_that_vote(group: int, kind: str) -> None:
    versions = surveyed(
        "int any = __any_sync(0xffu << (threadIdx.x & 24), x[threadIdx.x] > 0.0f); y[any] = 1.0f;"
    )
    stmt = next(s for s in versions.order if isinstance(s, Declare) and s.sym.name == "any")
    assert Lanes(versions, 1, False, group).of(versions.makes[stmt][stmt.sym]) == kind
