"""The GPU backend without a GPU: what it would pass, and what it says of what is missing."""

from __future__ import annotations

import importlib
import struct
import sys
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from run_kit import signature

from s2sad.run import pycuda
from s2sad.run.backend import BackendUnavailable, CompileFailed, LaunchFailed
from s2sad.run.registry import find
from s2sad.signature import Argument, Layout, Part, Signature

KERNEL = signature("k(float a, const float *x, float *y, unsigned char c, bool b, long long n)")


class Device(ModuleType):
    """Stands for pycuda.driver: memory is a dictionary of bytes."""

    class Error(Exception):
        pass

    class CompileError(Error):
        def __init__(self, stderr: str) -> None:
            super().__init__("nvcc failed")
            self.stderr = stderr

    def __init__(self) -> None:
        super().__init__("pycuda.driver")
        self.memory: dict[int, bytes] = {}
        self.Context = ModuleType("Context")
        self.Context.synchronize = lambda: None  # type: ignore[attr-defined]

    def mem_alloc(self, size: int) -> int:
        self.memory[len(self.memory)] = bytes(size)
        return len(self.memory) - 1

    def memcpy_htod(self, place: int, array: np.ndarray[Any, Any]) -> None:
        self.memory[place] = array.tobytes()

    def memcpy_dtoh(self, array: np.ndarray[Any, Any], place: int) -> None:
        array[...] = np.frombuffer(self.memory[place], array.dtype).reshape(array.shape)


def test_numbers_are_packed_with_exactly_the_parameters_size() -> None:
    x = np.zeros(3, np.float32)
    args = {"a": 2, "x": x, "y": x.copy(), "c": 7, "b": True, "n": np.int32(5)}
    packed = pycuda.pack(KERNEL, args, "float")
    assert [p.dtype.name for p in packed] == ["float32", "float32", "float32", "uint8", "uint8", "int64"]
    assert packed[1] is x
    with pytest.raises(
        LaunchFailed, match="argument x: a contiguous array of float64 is expected, not float32"
    ):
        pycuda.pack(KERNEL, args, "double")


def test_a_launch_copies_there_and_back_but_not_what_is_const() -> None:
    device = Device()
    seen: dict[str, Any] = {}

    class Function:
        def prepare(self, formats: list[str]) -> None:
            seen["formats"] = formats

        def prepared_call(self, grid: Any, block: Any, *args: Any, shared_size: int) -> None:
            seen.update(grid=grid, block=block, shared=shared_size, scalars=args[3:])
            device.memory[args[1]] = device.memory[args[2]] = np.full(3, 9, np.float32).tobytes()

    class Compiled:
        def get_function(self, name: str) -> Any:
            return Function()

    module = pycuda.CudaModule(device, Compiled(), "", [KERNEL], "float", "k.cu")
    x, y = np.zeros(3, np.float32), np.zeros(3, np.float32)
    for _ in range(2):
        args = {"a": 2, "x": x, "y": y, "c": 7, "b": False, "n": 5}
        module.launch(KERNEL, (2, 1, 1), (32, 1, 1), args, 64)
    assert (x.tolist(), y.tolist()) == ([0, 0, 0], [9, 9, 9])
    assert seen["formats"] == ["f", "P", "P", "B", "B", "q"]
    assert (seen["grid"], seen["block"], seen["shared"]) == ((2, 1, 1), (32, 1, 1), 64)
    assert len(device.memory) == 2


def test_what_a_struct_points_to_is_copied_there_and_back_too() -> None:
    device = Device()
    layout = Layout("View", (("x", "const float *", ()), ("y", "float *", ()), ("n", "int", ())))
    parts = (Part(("x",), "entry", True), Part(("y",), "entry", False, True), Part(("n",), "entry", True))
    kernel = Signature("k", (Argument("v", "View", False, layout=layout, parts=parts),)).leaves
    seen: dict[str, Any] = {}

    class Function:
        def prepare(self, formats: list[str]) -> None:
            seen["formats"] = formats

        def prepared_call(self, grid: Any, block: Any, *args: Any, shared_size: int) -> None:
            x, y, n = struct.unpack("=QQi4x", args[0])
            seen.update(x=np.frombuffer(device.memory[x], np.float32).tolist(), n=n)
            device.memory[x] = device.memory[y] = np.full(3, 9, np.float32).tobytes()

    class Compiled:
        def get_function(self, name: str) -> Any:
            return Function()

    module = pycuda.CudaModule(device, Compiled(), "", [kernel], "float", "k.cu")
    x, y = np.ones(3, np.float32), np.zeros(3, np.float32)
    module.launch(kernel, (1, 1, 1), (32, 1, 1), {"v.x": x, "v.y": y, "v.n": 3})
    assert seen == {"formats": ["24s"], "x": [1, 1, 1], "n": 3}
    assert (x.tolist(), y.tolist()) == ([1, 1, 1], [9, 9, 9])


def test_the_text_keeps_its_lines_and_its_linkage() -> None:
    text = 'extern "C" __global__ void k(float *y)\n{ y[0] = __fdividef(sinf(1.0f), 3.0f); }\n'
    assert pycuda.has_extern_c(text)
    assert not pycuda.has_extern_c('__global__ void k() {} // extern "C"')
    assert pycuda.cuda_text(text, "float", "k.cu").endswith('#line 1 "k.cu"\n' + text)
    double = pycuda.cuda_text(text, "double", "k.cu").partition('#line 1 "k.cu"\n')[2]
    assert double == 'extern "C" __global__ void k(double *y)\n{ y[0] = s2sad_divide(sin(1.0), 3.0); }\n'


def test_half_precision_is_passed_as_it_is_or_not_at_all() -> None:
    text = "__global__ void k(half *y) { y[0] = __float2half(1.0f); }"
    assert "#include <cuda_fp16.h>" in pycuda.cuda_text(text, "float", "k.cu")
    with pytest.raises(CompileFailed, match=r"k\.cu: nvcc has no half precision that is a double"):
        pycuda.cuda_text(text, "double", "k.cu")
    with pytest.raises(CompileFailed, match="numpy has no bfloat16"):
        pycuda.cuda_text("__global__ void k(__nv_bfloat16 *y) {}", "float", "k.cu")


def test_errors_of_nvcc_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    device = Device()
    compiler = ModuleType("pycuda.compiler")

    def refuse(*args: Any, **kwargs: Any) -> None:
        raise Device.CompileError("k.cu(2): error: identifier q is undefined")

    compiler.SourceModule = refuse  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "pycuda.compiler", compiler)
    monkeypatch.setattr(pycuda, "driver", lambda: device)
    with pytest.raises(
        CompileFailed, match=r"k\.cu doesn't compile with nvcc:\nk\.cu\(2\): error: identifier q"
    ):
        find("cuda").compile("q", [], name="k.cu")


def test_without_pycuda_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pycuda, "find_spec", lambda _: None)
    with pytest.raises(BackendUnavailable, match=r"pycuda is not installed: pip install s2sad\[cuda\]"):
        find("cuda")


def test_without_a_driver_or_a_device_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pycuda, "find_spec", lambda _: True)

    def no_driver(name: str) -> ModuleType:
        raise ImportError("libcuda.so.1: cannot open shared object file")

    monkeypatch.setattr(importlib, "import_module", no_driver)
    with pytest.raises(BackendUnavailable, match=r"can't load the CUDA driver.*libcuda\.so\.1"):
        find("cuda")

    device = Device()

    def no_device() -> None:
        raise Device.Error("no CUDA-capable device is detected")

    device.init = no_device  # type: ignore[attr-defined]
    monkeypatch.setattr(importlib, "import_module", lambda name: device)
    with pytest.raises(BackendUnavailable, match="finds no CUDA device: no CUDA-capable device"):
        find("cuda")
