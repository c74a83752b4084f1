"""Which stretches of shuffles and shared memory are sums over the block, and which only look like it."""

from __future__ import annotations

import contextlib
import re

import pytest

from s2sad.diagnostics import Rejected
from s2sad.options import Options
from s2sad.pipeline import transform
from s2sad.source import Source

KERNEL = """
#define FULL 0xffffffffu
#define WARPS {warps}
extern "C" __global__ void k(const float *x, float *y, int n)
{{
    __shared__ float part[WARPS], other[WARPS];
    __shared__ float first;
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    int i = blockIdx.x * blockDim.x + t;
    float v = i < n ? x[i] * x[i] : 0.0f;
    {body}
}}
"""
DOWN = "for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(FULL, v, d); "
ACROSS = "for (int d = 1; d < 32; d *= 2) v += __shfl_xor_sync(FULL, v, d); "
KEEP = "if (lane == 0) part[warp] = v; __syncthreads(); "
LOAD = "v = t < blockDim.x / 32 ? part[lane] : 0.0f; "
SERIAL = "v = 0.0f; for (int w = 0; w < blockDim.x / 32; ++w) v += part[w]; "
COUNTED = SERIAL.replace("blockDim.x / 32", "WARPS")
FIRST = "if (t == 0) y[blockIdx.x] = v * v; "
ALL = "if (i < n) y[i] = v * x[i]; "

SUMS = {
    "the first warp's, for the first thread": DOWN + KEEP + LOAD + "if (warp == 0) " + DOWN + FIRST,
    "for the first warp": ACROSS + KEEP + LOAD + ACROSS + "if (warp == 0) y[i] = v * x[i];",
    "every warp's": ACROSS + KEEP + "v = lane < blockDim.x / 32 ? part[lane] : 0.0f; " + ACROSS + ALL,
    "added up by each": DOWN + KEEP + SERIAL + ALL,
    "as many as the array has": ACROSS + KEEP + COUNTED + ALL,
    "added up by the first thread": DOWN
    + KEEP
    + "if (t == 0) { for (int w = 1; w < blockDim.x / 32; ++w) v += part[w]; first = v; }"
    + " __syncthreads(); if (i < n) y[i] = first * x[i];",
    "with integers of its own behind": "int row = blockIdx.x; "
    + DOWN
    + KEEP
    + LOAD
    + DOWN
    + "if (t == 0) { int from = 1 + row * n; y[blockIdx.x] = v * x[from]; }",
    "handed out in the same array": ACROSS
    + KEEP
    + "if (warp == 0) { v = lane < (blockDim.x + 31) / 32 ? part[lane] : 0.0f; "
    + ACROSS
    + "if (lane == 0) part[0] = v; } __syncthreads(); if (i < n) y[i] = part[0] * x[i];",
    "the rest of the block inside": DOWN + KEEP + "if (warp == 0) { " + LOAD + DOWN + FIRST + "}",
    "twice": ACROSS + KEEP + COUNTED + "v *= x[i % n]; __syncthreads(); " + ACROSS + KEEP + COUNTED + ALL,
    "in a loop": "float a = 0.0f; for (int k = 0; k < 3; ++k) { v = a + x[i % n]; "
    + ACROSS
    + KEEP
    + COUNTED
    + "a += v * v; __syncthreads(); } if (i < n) y[i] = a;",
    "two at once": "float u = x[i % n]; for (int d = 16; d > 0; d /= 2) { v += __shfl_xor_sync(FULL, v, d);"
    " u += __shfl_xor_sync(FULL, u, d); } if (lane == 0) { part[warp] = v; other[warp] = u; }"
    " __syncthreads(); v = 0.0f; u = 0.0f; for (int w = 0; w < WARPS; ++w) { v += part[w]; u += other[w]; }"
    " if (i < n) y[i] = v * u;",
}
NO_SUMS = {
    "a partial sum is read, too": ACROSS + KEEP + "float own = v; " + COUNTED + "if (i < n) y[i] = v * own;",
    "a warp's part is read, too": ACROSS + KEEP + COUNTED + "if (i < n) y[i] = v * part[warp];",
    "only the first lane has it": DOWN + KEEP + LOAD + "if (warp == 0) " + DOWN + ALL,
    "only the first warp has it": ACROSS + KEEP + LOAD + ACROSS + ALL,
    "a lane too few": DOWN.replace("d = 16", "d = 8") + KEEP + SERIAL + ALL,
    "one too early": ACROSS.replace("d < 32", "d < 16") + KEEP + SERIAL + ALL,
    "the wrong lane": DOWN + KEEP.replace("lane == 0", "lane == 1") + SERIAL + ALL,
    "a warp too few": ACROSS + KEEP + COUNTED.replace("w < WARPS", "w < WARPS - 1") + ALL,
    "one warp twice": ACROSS + KEEP + COUNTED.replace("v = 0.0f; ", "") + ALL,
    "not from nought": ACROSS + KEEP + COUNTED.replace("0.0f", "1.0f") + ALL,
    "the largest": ACROSS.replace(
        "v += __shfl_xor_sync(FULL, v, d)", "v = fmaxf(v, __shfl_xor_sync(FULL, v, d))"
    )
    + KEEP
    + COUNTED
    + ALL,
    "a difference": ACROSS + KEEP + COUNTED.replace("v +=", "v -=") + ALL,
    "a product": ACROSS + KEEP + COUNTED.replace("0.0f", "1.0f").replace("v +=", "v *=") + ALL,
    "an active flag": "bool active = i < n; "
    + ACROSS
    + KEEP.replace("lane == 0", "lane == 0 && active")
    + COUNTED
    + ALL,
    "what it was before": "if (t < WARPS) part[t] = x[t]; __syncthreads(); "
    + ACROSS
    + KEEP.replace("warp] = v", "warp] += v")
    + COUNTED
    + ALL,
    "kept for the next iteration": "float a = 0.0f; for (int k = 0; k < 3; ++k) {"
    " if (k > 0) a += part[warp]; __syncthreads(); v = x[i % n] * k; "
    + ACROSS
    + KEEP
    + COUNTED
    + "a += v; __syncthreads(); } if (i < n) y[i] = a;",
}
REFUSED = {
    "an early return": "if (i >= n) return; " + ACROSS + KEEP + COUNTED + "y[i] = v * x[i];",
    "half of the lanes": "if (lane < 16) for (int d = 8; d > 0; d /= 2) v += __shfl_xor_sync(0xffffu, v, d); "
    + KEEP
    + COUNTED
    + ALL,
}


def emitted(body: str, warps: int = 4) -> str:
    text = KERNEL.format(warps=warps, body=body)
    return transform(Source("k.cu", text), Options(of=("y",), wrt=("x",))).text


@pytest.mark.parametrize("body", SUMS.values(), ids=SUMS)
def test_such_a_stretch_is_a_sum_over_the_block(body: str) -> None:
    text = emitted(body)
    assert re.search(r"block_sum(_2)?\(", text)
    assert "adj_part" not in text
    assert not re.search(r"\n +(if .*)?part\[", text)


@pytest.mark.parametrize("body", NO_SUMS.values(), ids=NO_SUMS)
def test_any_other_is_gone_through_backwards(body: str) -> None:
    text = emitted(body)
    assert "block_sum(" not in text
    assert "adj_part[" in text


@pytest.mark.parametrize("body", REFUSED.values(), ids=REFUSED)
def test_what_has_no_meaning_for_some_threads_is_no_sum(body: str) -> None:
    with contextlib.suppress(Rejected):
        assert "block_sum(" not in emitted(body)


def test_a_literal_says_how_many_threads_a_block_has() -> None:
    text = emitted(ACROSS + KEEP + COUNTED + ALL, warps=3)
    assert "Sum over the block's 96 threads" in text
    assert "blockDim.x % 32" not in text


def test_blocks_of_any_number_of_warps_are_tested_for_whole_ones() -> None:
    text = emitted(ACROSS + KEEP + SERIAL + ALL, warps=32)
    assert "Sum over the block's threads" in text
    assert "if (blockDim.x % 32 != 0) {" in text
    assert "blockDim.x is a multiple of 32" in text


def test_an_array_for_more_warps_than_are_added_up_says_nothing_of_the_block() -> None:
    four = COUNTED.replace("WARPS", "4")
    assert "block_sum(" not in emitted(ACROSS + KEEP + four + ALL, warps=8)
    assert "block_sum(" in emitted(ACROSS + KEEP + four + ALL, warps=4)


def test_blocks_are_rows_where_nothing_tells_threads_apart_otherwise() -> None:
    added = "if (t == 0) atomicAdd(&y[0], v);"
    text = emitted(ACROSS + KEEP + COUNTED + added)
    assert "block_sum" not in text  # what the first thread alone adds is handed to all
    assert "if (blockDim.y * blockDim.z != 1) {" in text
    assert "blockDim.y and blockDim.z are 1" in text
    with contextlib.suppress(Rejected):
        other = emitted(ACROSS + KEEP + COUNTED + added.replace("t == 0", "t == 0 && threadIdx.y == 0"))
        assert "adj_part" in other


def test_a_sum_of_halves_is_gone_through_backwards() -> None:
    body = ACROSS + KEEP + COUNTED + ALL
    text = KERNEL.format(warps=4, body=body).replace("float", "__half").replace("0.0f", "__float2half(0.0f)")
    with contextlib.suppress(Rejected):
        found = transform(
            Source("k.cu", "#include <cuda_fp16.h>\n" + text), Options(of=("y",), wrt=("x",))
        ).text
        assert "block_sum(" not in found


def test_a_sum_in_double_is_one() -> None:
    text = KERNEL.format(warps=4, body=ACROSS + KEEP + COUNTED + ALL).replace("float", "double")
    found = transform(Source("k.cu", text), Options(of=("y",), wrt=("x",))).text
    assert "static __device__ double block_sum(double value)" in found


def test_what_the_first_thread_declares_behind_a_sum_stays_declared() -> None:
    text = """
__device__ float total(float v)
{
    static __shared__ float part[32];
    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    for (int m = 16; m > 0; m >>= 1)
        v += __shfl_xor_sync(0xffffffff, v, m);
    if (lane == 0)
        part[warp] = v;
    __syncthreads();
    v = threadIdx.x < blockDim.x / 32.0f ? part[lane] : 0.0f;
    for (int m = 16; m > 0; m >>= 1)
        v += __shfl_xor_sync(0xffffffff, v, m);
    return v;
}
extern "C" __global__ void k(const float *x, const int *ids, const int *lengths, float *y,
                             int rows, int width)
{
    int t = threadIdx.x;
    int step = blockIdx.x;
    int row = blockIdx.y;
    if (row < rows && step < lengths[row] - 1) {
        float s = 0.0f;
        for (int i = t; i < width; i += blockDim.x)
            s += expf(x[i]);
        float sum = total(s);
        if (t == 0) {
            int at = step + row * (width - 1);
            int id = step + 1 + row * width;
            y[at] = x[ids[id]] - logf(sum);
        }
    }
}
"""
    done = transform(Source("k.cu", text), Options(of=("y",), wrt=("x",)))
    assert "adj_x[ids[id]]" in done.text
