"""The backend on pycuda without a GPU: what it would pass, and what it says of what is missing."""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from run_kit import signature

from s2sad.run import pycuda
from s2sad.run.backend import BackendUnavailable, CompileFailed, LaunchFailed
from s2sad.run.gpu import GpuModule
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


def module_on(device: Device, function: object, kernel: Signature) -> GpuModule:
    class Compiled:
        def get_function(self, name: str) -> Any:
            return function

    return GpuModule(pycuda.PycudaLoaded(device, Compiled()), "", [kernel], "float", "k.cu")


def test_a_launch_is_prepared_with_the_parameters_formats() -> None:
    device = Device()
    seen: dict[str, Any] = {}

    class Function:
        def prepare(self, formats: list[str]) -> None:
            seen["formats"] = formats

        def prepared_call(self, grid: Any, block: Any, *args: Any, shared_size: int) -> None:
            seen.update(grid=grid, block=block, shared=shared_size, scalars=args[3:])
            device.memory[args[1]] = device.memory[args[2]] = np.full(3, 9, np.float32).tobytes()

    module = module_on(device, Function(), KERNEL)
    x, y = np.zeros(3, np.float32), np.zeros(3, np.float32)
    for _ in range(2):
        args = {"a": 2, "x": x, "y": y, "c": 7, "b": False, "n": 5}
        module.launch(KERNEL, (2, 1, 1), (32, 1, 1), args, 64)
    assert (x.tolist(), y.tolist()) == ([0, 0, 0], [9, 9, 9])
    assert seen["formats"] == ["f", "P", "P", "B", "B", "q"]
    assert (seen["grid"], seen["block"], seen["shared"]) == ((2, 1, 1), (32, 1, 1), 64)
    assert len(device.memory) == 2


def test_a_struct_is_passed_as_its_bytes() -> None:
    seen: dict[str, Any] = {}
    layout = Layout("View", (("x", "const float *", ()), ("y", "float *", ()), ("n", "int", ())))
    parts = (Part(("x",), "entry", True), Part(("y",), "entry", False, True), Part(("n",), "entry", True))
    kernel = Signature("k", (Argument("v", "View", False, layout=layout, parts=parts),)).leaves

    class Function:
        def prepare(self, formats: list[str]) -> None:
            seen["formats"] = formats

        def prepared_call(self, grid: Any, block: Any, *args: Any, shared_size: int) -> None:
            seen["bytes"] = args[0]

    x, y = np.ones(3, np.float32), np.zeros(3, np.float32)
    args = {"v.x": x, "v.y": y, "v.n": 3}
    module_on(Device(), Function(), kernel).launch(kernel, (1, 1, 1), (32, 1, 1), args)
    assert seen["formats"] == ["24s"]
    assert isinstance(seen["bytes"], bytes)
    assert len(seen["bytes"]) == 24


def test_an_error_of_the_driver_is_shown() -> None:
    class Function:
        def prepare(self, formats: list[str]) -> None:
            raise Device.Error("invalid device function")

    args = {"a": 2, "x": np.zeros(3, "f4"), "y": np.zeros(3, "f4"), "c": 7, "b": False, "n": 5}
    with pytest.raises(LaunchFailed, match=r"k\.cu: k: invalid device function"):
        module_on(Device(), Function(), KERNEL).launch(KERNEL, (1, 1, 1), (1, 1, 1), args)


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
        pycuda.PycudaBackend().compile("q", [], name="k.cu")


def test_without_pycuda_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pycuda, "find_spec", lambda _: None)
    with pytest.raises(BackendUnavailable, match=r"pycuda is not installed: pip install 's2sad\[pycuda\]'"):
        pycuda.PycudaBackend()


def test_without_a_driver_or_a_device_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pycuda, "find_spec", lambda _: True)

    def no_driver(name: str) -> ModuleType:
        raise ImportError("libcuda.so.1: cannot open shared object file")

    monkeypatch.setattr(importlib, "import_module", no_driver)
    with pytest.raises(BackendUnavailable, match=r"can't load the CUDA driver.*libcuda\.so\.1"):
        pycuda.PycudaBackend()

    device = Device()

    def no_device() -> None:
        raise Device.Error("no CUDA-capable device is detected")

    device.init = no_device  # type: ignore[attr-defined]
    monkeypatch.setattr(importlib, "import_module", lambda name: device)
    with pytest.raises(BackendUnavailable, match="finds no CUDA device: no CUDA-capable device"):
        pycuda.PycudaBackend()
