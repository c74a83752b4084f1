"""Kernels without barriers on the CPU, and what compiling them costs and says."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from calls_kit import calls
from run_kit import signature

from s2sad.run.backend import BackendUnavailable, CompileFailed, LaunchFailed
from s2sad.run.cpu import compiler
from s2sad.run.registry import find
from s2sad.run.values import Order, dtype

CPU = find("cpu")

SAXPY = """\
extern "C" __global__ void saxpy(float a, const float *__restrict__ x, float *__restrict__ y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}
"""
SAXPY_SIGNATURE = signature("saxpy(float a, const float *x, float *y, int n)")


@pytest.mark.parametrize("order", ["forward", "reverse", 1, 7])
def test_saxpy(order: Order) -> None:
    x = np.arange(100, dtype=np.float32)
    y = np.ones_like(x)
    module = CPU.compile(SAXPY, [SAXPY_SIGNATURE])
    module.launch(SAXPY_SIGNATURE, (4, 1, 1), (27, 1, 1), {"a": 2.0, "x": x, "y": y, "n": 99}, order=order)
    assert np.array_equal(y[:99], 2 * x[:99] + 1)
    assert y[99] == 1


def test_two_dimensional_launch_and_members_are_unsigned() -> None:
    text = """
        __global__ void place(int *out, int width, int height)
        {
            unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
            if (x < width && y < height)
                out[y * width + x] += 100 * y + x + (threadIdx.x - 1u > 1000u && threadIdx.x == 0 ? 10000 : 0)
                    + (gridDim.z == 1 && blockDim.z == 1 && warpSize == 32 ? 0 : 7);
        }"""
    kernel = signature("place(int *out, int width, int height)")
    out = np.zeros((5, 11), np.int32)
    args = {"out": out, "width": 11, "height": 5}
    CPU.compile(text, [kernel]).launch(kernel, (3, 2, 1), (4, 3, 1), args)
    y, x = np.mgrid[:5, :11]
    assert np.array_equal(out, 100 * y + x + np.where(x % 4 == 0, 10000, 0))


def test_grid_stride_and_atomics_of_every_type() -> None:
    text = """
        extern "C" __global__ void sums(const float *x, float *f, double *d, int *i, unsigned *u,
                                        unsigned long long *l, int n)
        {
            for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < n; k += gridDim.x * blockDim.x) {
                atomicAdd(f, x[k]);
                atomicAdd(&d[0], (double)x[k]);
                atomicAdd(i, -1);
                atomicMax(u, (unsigned)k);
                atomicAdd(l, 1ull << 32);
            }
        }"""
    kernel = signature(
        "sums(const float *x, float *f, double *d, int *i, unsigned int *u, unsigned long long *l, int n)"
    )
    x = np.arange(1000, dtype=np.float32)
    f, d = np.zeros(1, np.float32), np.zeros(1)
    i, u, el = np.zeros(1, np.int32), np.zeros(1, np.uint32), np.zeros(1, np.uint64)
    args = {"x": x, "f": f, "d": d, "i": i, "u": u, "l": el, "n": 1000}
    CPU.compile(text, [kernel]).launch(kernel, (3, 1, 1), (32, 1, 1), args, order=5)
    assert (f[0], d[0], i[0], u[0], int(el[0])) == (499500, 499500, -1000, 999, 1000 << 32)


def test_overloads_are_nvccs() -> None:
    text = """
        template <class A, class B> constexpr bool same = false;
        template <class A> constexpr bool same<A, A> = true;
        static_assert(same<decltype(sin(1.0f)), float> && same<decltype(sin(1)), double>, "sin");
        static_assert(same<decltype(pow(1.0f, 2)), double> && same<decltype(powf(1, 2)), float>, "pow");
        static_assert(same<decltype(fmax(1.0f, 2.0)), double> && same<decltype(max(1, 2u)), unsigned>, "max");
        static_assert(same<decltype(min(1ll, 2u)), long long> && same<decltype(abs(-1.0f)), float>, "abs");
        static_assert(same<decltype(threadIdx.x), unsigned> && same<decltype(__fdividef(1, 2)), float>, "x");
        extern "C" __global__ void nothing() {}"""
    CPU.compile(text, [signature("nothing()")])


def test_double_mode_is_good_to_double_and_leaves_strings_alone() -> None:
    text = """
        // a float here stays
        #define SIXTH (1.0f / 6.0f)
        static __device__ float wave(float v) { return sinf(v) * SIXTH + __expf(-v) / rsqrtf(v); }
        extern "C" __global__ void waves(const float *x, float *y, int *size)
        {
            float local[2] = {x[threadIdx.x], 0.1f};
            y[threadIdx.x] = wave(local[0]) + local[1];
            size[0] = sizeof(float) + sizeof "float";
        }"""
    kernel = signature("waves(const float *x, float *y, int *size)")
    x = np.linspace(0.1, 3, 7)
    y, size = np.zeros(7), np.zeros(1, np.int32)
    module = CPU.compile(text, [kernel], real="double")
    module.launch(kernel, (1, 1, 1), (7, 1, 1), {"x": x, "y": y, "size": size})
    assert np.allclose(y, np.sin(x) / 6 + np.exp(-x) * np.sqrt(x) + 0.1, rtol=1e-14, atol=0)
    assert size[0] == 8 + 6


def test_tape_bytes_and_shared_bytes_ask_the_text() -> None:
    text = """
        #ifndef __CUDACC_RTC__
        extern "C" size_t k_adj_tape_bytes(dim3 grid, dim3 block, float a, int n)
        {
            return 16 + (size_t)grid.x * grid.y * block.x * n * sizeof(float) + (a > 0.5f);
        }
        extern "C" size_t k_adj_shared_bytes(dim3 grid, dim3 block, size_t shared_bytes, float a, int n)
        {
            return shared_bytes + block.x * sizeof(float);
        }
        #endif
        extern "C" __global__ void k_adj(float a, const float *x, int n, char *tape) {}"""
    kernel = signature("k_adj(float a, const float *x, int n, char *tape)")
    args: dict[str, Any] = {"a": 1.0, "n": 3}
    for real, size in (("float", 4), ("double", 8)):
        module = CPU.compile(text, [kernel], real=real)  # type: ignore[arg-type]
        assert module.tape_bytes(kernel, (2, 5, 1), (32, 1, 1), args) == 17 + 2 * 5 * 32 * 3 * size
        assert module.shared_bytes(kernel, (2, 1, 1), (32, 1, 1), args, 100) == 100 + 32 * size


def test_integers_wrap_and_booleans_pass() -> None:
    text = """
        __global__ void take(unsigned char c, bool b, unsigned long long l, short s, double *out)
        {
            out[0] = c, out[1] = b, out[2] = l == 18446744073709551615ull, out[3] = s;
        }"""
    kernel = signature("take(unsigned char c, bool b, unsigned long long l, short s, double *out)")
    out = np.zeros(4)
    args = {"c": 257, "b": True, "l": -1, "s": np.int16(-5), "out": out}
    CPU.compile(text, [kernel]).launch(kernel, (1, 1, 1), (1, 1, 1), args)
    assert out.tolist() == [1, 1, 1, -5]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"x": np.zeros(4)}, "argument x: an array of float32 is expected, not of float64"),
        ({"x": np.zeros(8, np.float32)[::2]}, "argument x: the array isn't contiguous"),
        ({"x": 1.0}, "argument x: an array of float32 is expected"),
        ({"n": np.zeros(2, np.int32)}, "argument n: a number is expected"),
    ],
)
def test_wrong_arguments_are_named(change: dict[str, Any], message: str) -> None:
    args: dict[str, Any] = {"a": 1.0, "x": np.zeros(4, np.float32), "y": np.zeros(4, np.float32), "n": 4}
    module = CPU.compile(SAXPY, [SAXPY_SIGNATURE])
    with pytest.raises(LaunchFailed, match=re.escape(message)):
        module.launch(SAXPY_SIGNATURE, (1, 1, 1), (4, 1, 1), args | change)
    del args["y"]
    with pytest.raises(LaunchFailed, match="saxpy: no argument y"):
        module.launch(SAXPY_SIGNATURE, (1, 1, 1), (4, 1, 1), args)


def test_a_signature_that_isnt_the_kernels_is_refused() -> None:
    other = signature("saxpy(float a, const double *x, float *y, int n)")
    args = {"a": 1.0, "x": np.zeros(4), "y": np.zeros(4, np.float32), "n": 4}
    with pytest.raises(LaunchFailed, match=r"parameter x of saxpy isn't double \*"):
        CPU.compile(SAXPY, [SAXPY_SIGNATURE]).launch(other, (1, 1, 1), (4, 1, 1), args)


def test_geometry_is_checked() -> None:
    args = {"a": 1.0, "x": np.zeros(4, np.float32), "y": np.zeros(4, np.float32), "n": 4}
    module = CPU.compile(SAXPY, [SAXPY_SIGNATURE])
    with pytest.raises(LaunchFailed, match="at most 1024"):
        module.launch(SAXPY_SIGNATURE, (1, 1, 1), (64, 32, 1), args)
    with pytest.raises(LaunchFailed, match="at least 1"):
        module.launch(SAXPY_SIGNATURE, (0, 1, 1), (64, 1, 1), args)


def test_a_compile_error_names_the_texts_own_line() -> None:
    broken = SAXPY.replace("a * x[i]", "a * z[i]")
    with pytest.raises(CompileFailed, match=r"broken\.cu:5:\d+: error: 'z' was not declared|undeclared"):
        CPU.compile(broken, [SAXPY_SIGNATURE], name="broken.cu")


def test_an_assertion_ends_the_launch_and_no_more() -> None:
    text = """\
extern "C" __global__ void sure(const float *x)
{
    assert(x[threadIdx.x] > 0.0f);
}"""
    kernel = signature("sure(const float *x)")
    module = CPU.compile(text, [kernel], name="sure.cu")
    module.launch(kernel, (1, 1, 1), (2, 1, 1), {"x": np.ones(2, np.float32)})
    message = r"sure\.cu: sure: line 3, block \(0, 0, 0\), thread \(1, 0, 0\): assertion failed: x\[threadIdx"
    with pytest.raises(LaunchFailed, match=message):
        module.launch(kernel, (1, 1, 1), (2, 1, 1), {"x": np.array([1, 0], np.float32)})


def test_a_hit_in_the_cache_needs_no_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    first = compiler.build("int x;\n", "x.cu")
    assert first.parent == compiler.cache_folder()
    assert [p.name for p in first.parent.iterdir()] == [first.name]

    def forbidden(*_: object) -> None:
        raise AssertionError("compiled again")

    monkeypatch.setattr(compiler, "_compile", forbidden)
    assert compiler.build("int x;\n", "x.cu") == first
    with pytest.raises(AssertionError, match="compiled again"):
        compiler.build("int x;\n", "x.cu", ("-DOTHER",))


def test_an_unwritable_cache_is_done_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocked))
    assert compiler.build("int y;\n", "y.cu").exists()


def test_no_compiler_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.setattr(compiler, "find_spec", lambda _: None)
    with pytest.raises(BackendUnavailable, match="install g\\+\\+ or clang"):
        find("cpu")


def test_a_tiny_launch_takes_few_calls() -> None:
    x = np.zeros(4, np.float32)
    args = {"a": 1.0, "x": x, "y": x.copy(), "n": 4}
    module = CPU.compile(SAXPY, [SAXPY_SIGNATURE])

    def once() -> None:
        module.launch(SAXPY_SIGNATURE, (1, 1, 1), (4, 1, 1), args)

    once()  # what is done once
    assert calls(once) < 40


def test_element_types() -> None:
    assert dtype("float") == np.float32
    assert dtype("float", "double") == np.float64
    assert dtype("const unsigned long long") == np.uint64
    assert dtype("unsigned char") == np.uint8
    assert dtype("long unsigned int") == np.dtype("L")
    assert dtype("size_t") == np.uint64
    with pytest.raises(KeyError):
        dtype("Params")
