"""Shared memory that templates declare: one place for all threads of a block, watched and named."""

from __future__ import annotations

import numpy as np
import pytest
from run_kit import signature

from s2sad.run.backend import LaunchFailed
from s2sad.run.cpu import CpuBackend
from s2sad.run.sanitizer_report import Fault

REVERSED = """\
template <typename T, int N> struct Box { T v[N]; };

template <typename T, int N> __device__ void turned(const T *x, T *y)
{
    __shared__ Box<T, N> held; __shared__ T first, last[2];
    held.v[threadIdx.x] = x[blockIdx.x * N + threadIdx.x];
    if (threadIdx.x == 0) {
        first = 1;
        last[1] = 2;
    }
    BARRIER
    y[blockIdx.x * N + threadIdx.x] = first * last[1] * held.v[N - 1 - threadIdx.x];
}

template <typename T> __device__ void shifted(const T *x, T *y)
{
    extern __shared__ __align__(sizeof(double)) unsigned char memory[];
    T *held = reinterpret_cast<T *>(memory);
    held[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = held[(threadIdx.x + 1) % blockDim.x];
}

__global__ void turn(const float *x, float *y) { turned<float, 8>(x, y); }
__global__ void shift(const float *x, float *y) { shifted<float>(x, y); }
"""
TURN = signature("turn(const float *x, float *y)")
SHIFT = signature("shift(const float *x, float *y)")


def inspected(barrier: str) -> tuple[Fault, ...]:
    text = REVERSED.replace("BARRIER", barrier)
    module = CpuBackend().watch(text, [TURN, SHIFT], name="folder/turn.cu")
    x = np.arange(16, dtype=np.float32)
    return module.inspect(TURN, (2, 1, 1), (8, 1, 1), {"x": x, "y": np.zeros_like(x)}).faults


def test_a_template_shares_memory_within_each_block() -> None:
    module = CpuBackend().compile(REVERSED.replace("BARRIER", "__syncthreads();"), [TURN, SHIFT])
    x, y = np.arange(16, dtype=np.float32), np.zeros(16, np.float32)
    module.launch(TURN, (2, 1, 1), (8, 1, 1), {"x": x, "y": y})
    assert np.array_equal(y, 2 * np.concatenate([x[7::-1], x[:7:-1]]))


def test_a_template_has_dynamic_shared_memory_of_its_type() -> None:
    module = CpuBackend().compile(REVERSED.replace("BARRIER", ""), [TURN, SHIFT])
    x, y = np.arange(8, dtype=np.float32), np.zeros(8, np.float32)
    module.launch(SHIFT, (1, 1, 1), (8, 1, 1), {"x": x, "y": y}, 32)
    assert np.array_equal(y, np.roll(x, -1))


def test_shared_memory_of_a_template_has_no_false_race_between_blocks() -> None:
    assert inspected("__syncthreads();") == ()


def test_a_missing_barrier_in_a_template_is_told_with_variable_and_lines() -> None:
    races = [fault for fault in inspected("__syncwarp(1u << threadIdx.x);") if fault.kind == "race"]
    assert {race.array for race in races} == {"held", "first", "last"}
    assert all(access.line in (6, 8, 9, 12) for race in races for access in race.accesses)


def test_each_launch_has_the_shared_memory_of_its_own_templates() -> None:
    function = """\
template <int N> __device__ void copied(const float *x, float *y)
{
    __shared__ float held[10000 + N];
    held[N + threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = held[N + (threadIdx.x + 1) % blockDim.x];
}
"""
    kernels = [signature(f"k{n}(const float *x, float *y)") for n in range(4)]
    bodies = (f"__global__ void k{n}(const float *x, float *y) {{ copied<{n}>(x, y); }}" for n in range(4))
    module = CpuBackend().compile("\n".join([function, *bodies]), kernels)
    x = np.arange(8, dtype=np.float32)
    for kernel in (*kernels, *kernels):
        y = np.zeros_like(x)
        module.launch(kernel, (1, 1, 1), (8, 1, 1), {"x": x, "y": y})
        assert np.array_equal(y, np.roll(x, -1))


def test_a_function_that_nobody_defines_is_a_text_that_does_not_compile() -> None:
    text = "template <class T> T missing(T x);\n__global__ void k(float *y) { y[0] = missing(y[0]); }"
    with pytest.raises(LaunchFailed, match=r"(?s)missing"):
        CpuBackend().compile(text, [signature("k(float *y)")])
