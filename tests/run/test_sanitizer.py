"""What watching finds beside races: accesses that miss, barriers that not all reach, launches that don't end.

Each message word for word, with block, thread and line.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np
import pytest
from run_kit import signature

from s2sad.run.backend import BackendUnavailable, LaunchFailed, WatchUnavailable
from s2sad.run.cpu import CpuBackend, compiler
from s2sad.run.cpu.sanitizer import WatchedModule
from s2sad.run.isolated import Isolated, IsolatedModule
from s2sad.run.sanitizer_report import Inspection, Tally, Traffic

HEAD = "const float *x, float *y, int n"
BODIES = {
    "reads_past": "int i = blockIdx.x * 4 + threadIdx.x;\ny[i] = x[i] +\n    x[i + 1];",
    "writes_before": "if (threadIdx.x == 2)\n    y[(int)threadIdx.x - 3] = 1;",
    "wild": "y[0] = 1;\ny[100000000ll * n] = 2;",
    "null": "float *p = (float *)(size_t)(n - 8);\nif (n == 8)\n    y[0] = *p;",
    "local_array": "float own[4];\nfor (int k = 0; k <= n - 4; ++k)\n    own[k] = x[k];\ny[0] = own[n - 7];",
    "shared_array": "__shared__ float s[2][4];\ns[1][0] = 1;\ny[0] = s[1][threadIdx.x + 1 + n - 8];",
    "never_written": "__shared__ float s[4];\nif (threadIdx.x == 0)\n    s[0] = 1;\n__syncthreads();\n"
    "y[0] = 1;\nif (threadIdx.x == 1)\n    y[1] = s[threadIdx.x];",
    "copied_part": "struct Row { int k; double e[3]; };\n__shared__ Row s[4];\n"
    "for (int j = 0; j < 3; ++j)\n    s[threadIdx.x].e[j] = j;\ns[threadIdx.x].k = 2;\n__syncthreads();\n"
    "Row r = s[3 - threadIdx.x];\ny[4 * blockIdx.x + threadIdx.x] = r.e[(r.k + n) % 3];",
    "copied_unwritten": "struct Row { int k; double e[3]; };\n__shared__ Row s[4];\n"
    "if (threadIdx.x)\n    s[threadIdx.x].k = 2;\n__syncthreads();\nif (threadIdx.x == 1) {\n"
    "    Row r = s[0];\n    y[0] = r.e[(r.k + n) % 3];\n}",
    "past_dynamic": "extern __shared__ float room[];\nroom[threadIdx.x] = 1;\nif (threadIdx.x == 3)\n"
    "    room[n] = 2;",
    "past_shared": "__shared__ float s[4];\nfloat *p = s + n;\nif (threadIdx.x == 2)\n    *p = 1;",
    "unaligned": "if (threadIdx.x == 0)\n    *(float4 *)(y + 1) = make_float4(1, 2, 3, 4);",
    "divides": "int d = n - 8;\ny[0] = n /\n    d;",
    "returned": "if (threadIdx.x > 1 && n)\n    return;\n__syncthreads();\ny[0] = 1;",
    "returned_before_a_vote": "if (threadIdx.x == 3)\n    return;\nif (__syncthreads_or(n))\n    y[0] = 1;",
    "divergent": "if (threadIdx.x < 1)\n    __syncthreads();\nelse\n    __syncthreads();",
    "lane_missing": "if (threadIdx.x < 2)\n    __syncwarp(0x7);\nelse\n    __syncthreads();",
    "endless": "if (blockIdx.x == 1 && threadIdx.x == 3)\n    while (n) n |= 1;\ny[threadIdx.x] = 0;",
    "endless_with_accesses": "while (y[4] >= 0)\n    y[5] = 0;",
    "deep": "volatile float own[4000000];\nown[0] = x[0];\nown[3999999] = x[1];\ny[0] = own[n];",
    "fine": "y[blockIdx.x * 4 + threadIdx.x] = x[threadIdx.x];",
}
# The first line of each body is line 3 of its text.
MESSAGES = {
    "past_shared": "block (0, 0, 0), thread (2, 0, 0) writes s[8] in line 6: beyond its end",
    "reads_past": "block (1, 0, 0), thread (3, 0, 0) reads x[8] in line 5: x has 8 elements",
    "writes_before": "block (0, 0, 0), thread (2, 0, 0) writes y[-1] in line 4: y has 8 elements",
    "wild": "block (0, 0, 0), thread (0, 0, 0) writes memory in line 4: an address in no array",
    "null": "block (0, 0, 0), thread (0, 0, 0) reads memory in line 5: a null pointer",
    "local_array": "index 4 of an array float [4] in line 5, block (0, 0, 0), thread (0, 0, 0)",
    "shared_array": "index 4 of an array float [4] in line 5, block (0, 0, 0), thread (3, 0, 0)",
    "never_written": "block (0, 0, 0), thread (1, 0, 0) reads s[1] in line 9: "
    "no thread of the block has written it",
    "copied_unwritten": "block (0, 0, 0), thread (1, 0, 0) reads s[0] in line 9: "
    "no thread of the block has written it",
    "past_dynamic": "block (0, 0, 0), thread (3, 0, 0) writes room[8] in line 6: "
    "beyond the bytes that the launch asks for",
    "unaligned": "block (0, 0, 0), thread (0, 0, 0) writes y[1] in line 4: "
    "an address that isn't a multiple of 16",
    "divides": "division of int by zero in line 4, block (0, 0, 0), thread (0, 0, 0)",
    "returned": "thread (2, 0, 0) and 1 more of the block returned before the barrier in line 5, "
    "block (0, 0, 0), thread (0, 0, 0)",
    "returned_before_a_vote": "thread (3, 0, 0) of the block returned before the barrier in line 5, "
    "block (0, 0, 0), thread (0, 0, 0)",
    "divergent": "divergent barrier in block (0, 0, 0): 1 thread (first (0, 0, 0)) wait at the barrier "
    "in line 4; 3 threads (first (1, 0, 0)) wait at the barrier in line 6",
    "lane_missing": "divergent barrier in block (0, 0, 0): 2 threads (first (0, 0, 0)) wait in the warp "
    "operation in line 4; 2 threads (first (2, 0, 0)) wait at the barrier in line 6",
    "endless": "still running after 0.3 s (--timeout gives it longer) in line 4, "
    "block (1, 0, 0), thread (3, 0, 0)",
    "deep": "crashed: it accessed memory outside of its arrays, or overran its stack (SIGSEGV)",
}
KERNELS = {name: signature(f"{name}({HEAD})") for name in BODIES}


def text(name: str) -> str:
    return f'extern "C" __global__ void {name}({HEAD})\n{{\n{BODIES[name]}\n}}\n'


@pytest.fixture(scope="module")
def backend() -> Iterator[Isolated]:
    with Isolated("cpu", timeout=0.3) as isolated:
        yield isolated


def inspected(backend: Isolated, name: str) -> Inspection:
    module = backend.watch(text(name), [KERNELS[name]], name=f"{name}.cu")
    args = {"x": np.ones(8, np.float32), "y": np.zeros(8, np.float32), "n": 8}
    return module.inspect(KERNELS[name], (2, 1, 1), (4, 1, 1), args, 32)


@pytest.mark.parametrize("name", MESSAGES)
def test_a_fault_is_told_with_block_thread_and_line(name: str, backend: Isolated) -> None:
    found = inspected(backend, name)
    assert not found.ok
    assert f"{name}: {MESSAGES[name]}" in [fault.text() for fault in found.faults]


def test_a_copied_struct_may_have_unwritten_padding(backend: Isolated) -> None:
    assert inspected(backend, "copied_part").ok


def test_a_loop_that_never_ends_is_stopped_at_one_of_its_lines(backend: Isolated) -> None:
    begun = time.perf_counter()
    (fault,) = (f for f in inspected(backend, "endless_with_accesses").faults if f.kind == "endless")
    assert fault.accesses[0].line in (3, 4)
    assert time.perf_counter() - begun < 5


def test_after_any_of_them_the_next_launch_is_as_ever(backend: Isolated) -> None:
    for name in ("deep", "endless", "divergent", "wild"):
        assert not inspected(backend, name).ok
        assert inspected(backend, "fine") == Inspection((), Tally(Traffic(8, 8, 0, 64), active=8))


def test_what_a_launch_does_is_counted() -> None:
    body = """__shared__ float s[4];
s[threadIdx.x] = x[threadIdx.x];
__syncthreads();
atomicAdd(&s[0], 1.0f);
if (__syncthreads_or(n))
    atomicAdd(&y[0], s[threadIdx.x]);
"""
    kernel = signature(f"k({HEAD})")
    module = CpuBackend().watch(f'extern "C" __global__ void k({HEAD})\n{{\n{body}\n}}\n', [kernel])
    args = {"x": np.ones(8, np.float32), "y": np.zeros(8, np.float32), "n": 8}
    found = module.inspect(kernel, (3, 1, 1), (4, 1, 1), args)
    assert found.ok
    assert found.tally == Tally(Traffic(12, 0, 12, 96), Traffic(12, 12, 12, 144), 6, active=12)


def test_the_arrays_of_the_caller_stay_as_they_were() -> None:
    module = CpuBackend().watch(text("fine"), [KERNELS["fine"]])
    x, y = np.ones(8, np.float32), np.zeros(8, np.float32)
    assert module.inspect(KERNELS["fine"], (2, 1, 1), (4, 1, 1), {"x": x, "y": y, "n": 8}).ok
    assert not y.any()


def test_a_function_that_calls_itself_is_watched_as_well() -> None:
    """Others are inlined, for what they take by value to be seen."""
    text = """__device__ float power(float x, int n) { return n ? x * power(x, n - 1) : 1; }
    extern "C" __global__ void k(const float *x, float *y) { y[threadIdx.x] = power(x[threadIdx.x], 3); }
    """
    kernel = signature("k(const float *x, float *y)")
    watched = CpuBackend().watch(text, [kernel])
    args = {"x": np.full(4, 2, np.float32), "y": np.zeros(4, np.float32)}
    found = watched.inspect(kernel, (1, 1, 1), (4, 1, 1), args)
    assert not found.faults
    assert found.tally is not None


def test_a_barrier_that_no_thread_misses_is_no_fault(backend: Isolated) -> None:
    body = (
        "if (threadIdx.x < 2)\n    y[0] = 1;\n__syncthreads();\nif (threadIdx.x > 1)\n    return;\ny[0] = 2;"
    )
    kernel = signature(f"k({HEAD})")
    module = CpuBackend().watch(f'extern "C" __global__ void k({HEAD})\n{{\n{body}\n}}\n', [kernel])
    args = {"x": np.ones(8, np.float32), "y": np.zeros(8, np.float32), "n": 8}
    found = module.inspect(kernel, (1, 1, 1), (4, 1, 1), args)
    assert [f.kind for f in found.faults if f.kind != "same-value"] == []


def test_stores_of_one_value_by_many_are_told_and_harmless() -> None:
    body = "y[0] = 2 * n;\nif (threadIdx.x == 1)\n    y[1] = 3;\nelse if (threadIdx.x == 2)\n    y[1] = 4;"
    kernel = signature(f"k({HEAD})")
    module = CpuBackend().watch(f'extern "C" __global__ void k({HEAD})\n{{\n{body}\n}}\n', [kernel])
    args = {"x": np.ones(8, np.float32), "y": np.zeros(8, np.float32), "n": 8}
    found = module.inspect(kernel, (1, 1, 1), (4, 1, 1), args)
    assert [(f.kind, f.place, f.harmless) for f in found.faults] == [
        ("same-value", "y[0]", True),
        ("race", "y[1]", False),
    ]


def test_a_store_of_one_value_here_does_not_hide_a_race_there() -> None:
    """One statement: threads 6 and 7 store what is there already, threads 1 and 2 don't."""
    kernel = signature(f"k({HEAD})")
    body = "y[0] = threadIdx.x < 3 ? threadIdx.x : 0.0f;"
    module = CpuBackend().watch(f'extern "C" __global__ void k({HEAD})\n{{\n{body}\n}}\n', [kernel])
    args = {"x": np.ones(8, np.float32), "y": np.zeros(8, np.float32), "n": 8}
    (fault,) = module.inspect(kernel, (1, 1, 1), (8, 1, 1), args).faults
    assert (fault.kind, fault.place, fault.harmless) == ("race", "y[0]", False)
    assert {access.thread[0] for access in fault.accesses} <= {0, 1, 2, 3}


def test_arguments_that_do_not_fit_are_no_faults(backend: Isolated) -> None:
    module = CpuBackend().watch(text("fine"), [KERNELS["fine"]])
    with pytest.raises(LaunchFailed, match="no argument x"):
        module.inspect(KERNELS["fine"], (1, 1, 1), (4, 1, 1), {"n": 8})
    with pytest.raises(LaunchFailed, match="1025 threads"):
        module.inspect(KERNELS["fine"], (1, 1, 1), (1025, 1, 1), {"n": 8})


def test_a_fault_as_plain_values(backend: Isolated) -> None:
    (fault,) = (f for f in inspected(backend, "reads_past").faults)
    assert fault.to_dict() == {
        "kind": "out-of-bounds",
        "kernel": "reads_past",
        "array": "x",
        "element": 8,
        "accesses": [{"what": "read", "block": [1, 0, 0], "thread": [3, 0, 0], "line": 5}],
        "times": 1,
        "warning": False,
        "text": f"reads_past: {MESSAGES['reads_past']}",
    }


def test_a_backend_that_cannot_watch_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiler, "WATCHED", (*compiler.WATCHED, "-fno-such-flag"))
    compiler._can_watch.cache_clear()
    try:
        with pytest.raises(WatchUnavailable, match="can't be watched"):
            CpuBackend().watch(text("fine"), [KERNELS["fine"]])
    finally:
        compiler._can_watch.cache_clear()


def test_every_compiler_that_is_here_can_watch(monkeypatch: pytest.MonkeyPatch) -> None:
    """clang++ is tried where there is one; its flags differ."""
    found = compiler.compilers()
    if not found:
        raise BackendUnavailable(compiler.MISSING)
    for one in found:
        monkeypatch.setattr(compiler, "compiler", lambda one=one: one)
        for name in ("reads_past", "never_written", "local_array"):
            module = CpuBackend().watch(text(name), [KERNELS[name]], name=f"{name}.cu")
            args = {"x": np.ones(8, np.float32), "y": np.zeros(8, np.float32), "n": 8}
            faults = module.inspect(KERNELS[name], (2, 1, 1), (4, 1, 1), args, 32).faults
            assert f"{name}: {MESSAGES[name]}" in [fault.text() for fault in faults]


def test_modules_are_what_they_were_compiled_for(backend: Isolated) -> None:
    module = backend.watch(text("fine"), [KERNELS["fine"]])
    assert isinstance(module, IsolatedModule)
    assert isinstance(CpuBackend().watch(text("fine"), [KERNELS["fine"]]), WatchedModule)
