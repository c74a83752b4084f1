"""Kernels whose threads wait for each other: barriers, votes, shuffles, shared memory."""

from __future__ import annotations

import numpy as np
import pytest
from run_kit import signature

from s2sad.run.backend import LaunchFailed
from s2sad.run.registry import find
from s2sad.run.values import Order

CPU = find("cpu")
ORDERS: list[Order] = ["forward", "reverse", 3]

TOTAL = """\
extern "C" __global__ void total(const float *x, float *out, int n)
{
    extern __shared__ float part[];
    int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x)
        sum += x[i];
    part[t] = sum;
    __syncthreads();
    for (int d = blockDim.x / 2; d > 0; d /= 2) {
        if (t < d)
            part[t] += part[t + d];
        __syncthreads();
    }
    if (t == 0)
        atomicAdd(out, part[0]);
}
"""
REDUCE = signature("total(const float *x, float *out, int n)")
OUT = signature("k(int *out)")


@pytest.mark.parametrize("order", ORDERS)
def test_a_tree_reduction(order: Order) -> None:
    x, out = np.arange(1000.0), np.zeros(1)
    module = CPU.compile(TOTAL, [REDUCE], real="double")
    args = {"x": x, "out": out, "n": 1000}
    module.launch(REDUCE, (3, 1, 1), (64, 1, 1), args, 64 * 8, order=order)
    assert out[0] == 499500


def test_dynamic_shared_memory_that_is_too_small_is_reported() -> None:
    args = {"x": np.arange(1000.0), "out": np.zeros(1), "n": 1000}
    with pytest.raises(
        LaunchFailed, match=r"wrote byte 256 of dynamic shared memory; the launch gave it 256"
    ):
        CPU.compile(TOTAL, [REDUCE], real="double").launch(REDUCE, (3, 1, 1), (64, 1, 1), args, 256)


def run(text: str, block: int, size: int, *, order: Order = "forward", strict: bool = False) -> list[int]:
    out = np.full(size, -9, np.int32)
    module = CPU.compile(text, [OUT], name="k.cu")
    module.launch(OUT, (1, 1, 1), (block, 1, 1), {"out": out}, order=order, strict=strict)
    return [int(v) for v in out]


DIVERGENT = """\
extern "C" __global__ void k(int *out)
{
    if (threadIdx.x < 7)
        __syncthreads();
    else
        __syncthreads();
    out[threadIdx.x] = 1;
}
"""


def test_a_divergent_barrier_is_reported_and_the_process_goes_on() -> None:
    message = (
        r"k\.cu: k: divergent barrier in block \(0, 0, 0\): "
        r"7 threads \(first \(0, 0, 0\)\) wait at the barrier in line 4; "
        r"33 threads \(first \(7, 0, 0\)\) wait at the barrier in line 6"
    )
    for _ in range(2):
        with pytest.raises(LaunchFailed, match=message):
            run(DIVERGENT, 40, 40)
    assert run(DIVERGENT, 7, 7) == [1] * 7


def test_a_barrier_after_others_returned_is_reported_where_strict() -> None:
    text = DIVERGENT.replace("else\n        __syncthreads();", "else\n        return;")
    assert run(text, 9, 9) == [1] * 7 + [-9] * 2
    with pytest.raises(LaunchFailed, match=r"7 threads .* wait at the barrier in line 4; 2 have returned"):
        run(text, 9, 9, strict=True)


def test_barriers_that_vote() -> None:
    text = """
        extern "C" __global__ void k(int *out)
        {
            int t = threadIdx.x;
            int count = __syncthreads_count(t % 3 == 0);
            int all = __syncthreads_and(t < 10);
            int any = __syncthreads_or(t == 9), none = __syncthreads_or(t == 10);
            out[t] = count * 1000 + all * 100 + any * 10 + none;
        }"""
    assert run(text, 10, 10) == [4110] * 10


@pytest.mark.parametrize("order", ORDERS)
def test_shuffles_have_their_own_lane_terms(order: Order) -> None:
    text = """
        extern "C" __global__ void k(int *out)
        {
            int t = threadIdx.x, v = 100 + t;
            out[t] = __shfl_down_sync(0xffffffffu, v, 3, 8);
            out[64 + t] = __shfl_up_sync(0xffffffffu, v, 3, 8);
            out[128 + t] = __shfl_xor_sync(0xffffffffu, v, 5);
            out[192 + t] = (int)__shfl_sync(0xffffffffu, (double)v, 2, 4);
        }"""
    lanes = range(64)
    assert run(text, 64, 256, order=order) == (
        [100 + (t + 3 if t % 8 + 3 < 8 else t) for t in lanes]
        + [100 + (t - 3 if t % 8 >= 3 else t) for t in lanes]
        + [100 + (t ^ 5) for t in lanes]
        + [100 + t // 4 * 4 + 2 for t in lanes]
    )


def test_votes_matches_and_reductions_of_a_partial_warp() -> None:
    text = """
        extern "C" __global__ void k(int *out)
        {
            int t = threadIdx.x;
            unsigned full = 0xffffffffu;
            out[t] = __ballot_sync(full, t % 2);
            out[t] += 100 * __any_sync(full, t == 4) + 1000 * __all_sync(full, t < 4);
            out[5 + t] = __reduce_add_sync(full, t) * 100 + __reduce_max_sync(full, t - 10) + 50;
            out[10 + t] = __match_any_sync(full, t / 2);
            if (t < 2)
                out[15 + t] = __ballot_sync(3u, 1);
            __syncwarp();
        }"""
    assert run(text, 5, 17) == [110] * 5 + [1044] * 5 + [3, 3, 12, 12, 16] + [3, 3]


def test_a_warp_operation_that_lanes_never_reach_is_reported() -> None:
    text = """\
extern "C" __global__ void k(int *out)
{
    if (threadIdx.x < 4)
        out[0] = __shfl_sync(0xffu, 1, 0);
    else
        __syncthreads();
}"""
    message = (
        r"4 threads \(first \(0, 0, 0\)\) wait in the warp operation in line 4; 4 threads .*barrier in line 6"
    )
    with pytest.raises(LaunchFailed, match=message):
        run(text, 8, 8)
    with pytest.raises(
        LaunchFailed, match=r"line 2, .*thread \(1, 0, 0\): the mask of a warp operation lacks the lane"
    ):
        run('extern "C" __global__ void k(int *out)\n{ out[threadIdx.x] = __ballot_sync(1u, 1); }', 2, 2)


def test_shared_memory_that_a_block_didnt_write_isnt_a_value() -> None:
    text = """
        extern "C" __global__ void k(int *out)
        {
            __shared__ float left_over[4];
            __shared__ int number;
            out[threadIdx.x] += 10 + (left_over[threadIdx.x] == left_over[threadIdx.x]) + number;
            left_over[threadIdx.x] = 1.0f;
            number = 5;
        }"""
    out = np.zeros(1, np.int32)
    CPU.compile(text, [OUT]).launch(OUT, (3, 1, 1), (1, 1, 1), {"out": out})
    assert out[0] == 27


def test_a_large_block_and_large_local_arrays() -> None:
    text = """
        extern "C" __global__ void k(int *out)
        {
            int local[8192];
            for (int i = 0; i < 8192; ++i)
                local[i] = i + threadIdx.x;
            __syncthreads();
            out[threadIdx.x] = local[8191];
        }"""
    assert run(text, 1024, 1024) == [8191 + t for t in range(1024)]


def test_the_portable_fibers_do_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CXX", "c++ -DS2SAD_UCONTEXT")
    x, out = np.arange(1000.0), np.zeros(1)
    args = {"x": x, "out": out, "n": 1000}
    CPU.compile(TOTAL, [REDUCE], real="double").launch(REDUCE, (3, 1, 1), (64, 1, 1), args, 64 * 8)
    assert out[0] == 499500
    with pytest.raises(LaunchFailed, match="divergent barrier"):
        run(DIVERGENT, 40, 40)
