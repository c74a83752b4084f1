"""What the GPU backends share, without a GPU: the text, the arguments, and which backend is used."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any, SupportsInt

import numpy as np
import pytest
from golden_kit import file, made, modes
from run_kit import signature

from s2sad.run import gpu, nvrtc, pycuda
from s2sad.run.backend import BackendUnavailable, CompileFailed, LaunchFailed, Module
from s2sad.run.cpu import CpuBackend
from s2sad.run.float_widening import Real
from s2sad.run.registry import find
from s2sad.run.values import Extent
from s2sad.signature import Argument, Layout, Part, Signature
from s2sad.validate import Case, check_pair

KERNEL = signature("k(float a, const float *x, float *y, unsigned char c, bool b, long long n)")


class Device:
    """Implements gpu.Loaded: memory is a dictionary; each launch fills what `written` returns."""

    def __init__(self) -> None:
        self.memory: dict[int, bytes] = {}
        self.launches: list[tuple[Any, ...]] = []
        self.written: Any = lambda words: ()

    def allocate(self, size: int) -> int:
        place = 1000 * (len(self.memory) + 1)
        self.memory[place] = bytes(size)
        return place

    def write(self, place: SupportsInt, array: np.ndarray[Any, Any]) -> None:
        self.memory[int(place)] = array.tobytes()

    def read(self, array: np.ndarray[Any, Any], place: SupportsInt) -> None:
        array[...] = np.frombuffer(self.memory[int(place)], array.dtype).reshape(array.shape)

    def run(
        self, kernel: str, grid: Extent, block: Extent, words: Sequence[gpu.Word], shared_bytes: int
    ) -> None:
        self.launches.append((kernel, grid, block, list(words), shared_bytes))
        for place in self.written(words):
            self.memory[place] = np.full(3, 9, np.float32).tobytes()


def test_numbers_are_packed_with_exactly_the_parameters_size() -> None:
    x = np.zeros(3, np.float32)
    args = {"a": 2, "x": x, "y": x.copy(), "c": 7, "b": True, "n": np.int32(5)}
    packed = gpu.pack(KERNEL, args, "float")
    assert [p.dtype.name for p in packed] == ["float32", "float32", "float32", "uint8", "uint8", "int64"]
    assert packed[1] is x
    with pytest.raises(
        LaunchFailed, match="argument x: a contiguous array of float64 is expected, not float32"
    ):
        gpu.pack(KERNEL, args, "double")


def test_a_launch_copies_there_and_back_but_not_what_is_const() -> None:
    device = Device()
    device.written = lambda words: words[1:3]
    module = gpu.GpuModule(device, "", [KERNEL], "float", "k.cu")
    x, y = np.zeros(3, np.float32), np.zeros(3, np.float32)
    for _ in range(2):
        args = {"a": 2, "x": x, "y": y, "c": 7, "b": False, "n": 5}
        module.launch(KERNEL, (2, 1, 1), (32, 1, 1), args, 64)
    assert (x.tolist(), y.tolist()) == ([0, 0, 0], [9, 9, 9])
    kernel, grid, block, words, shared = device.launches[-1]
    assert (kernel, grid, block, shared) == ("k", (2, 1, 1), (32, 1, 1), 64)
    assert words == [2.0, 1000, 2000, 7, 0, 5]
    assert [isinstance(word, gpu.Address) for word in words] == [False, True, True, False, False, False]
    assert len(device.memory) == 2


def test_an_empty_array_is_a_null_pointer() -> None:
    device = Device()
    kernel = signature("k(float *y)")
    gpu.GpuModule(device, "", [kernel], "float", "k.cu").launch(
        kernel, (1, 1, 1), (1, 1, 1), {"y": np.zeros(0, np.float32)}
    )
    assert device.launches[-1][3] == [0]
    assert not device.memory


def test_what_a_struct_points_to_is_copied_there_and_back_too() -> None:
    device = Device()
    layout = Layout("View", (("x", "const float *", ()), ("y", "float *", ()), ("n", "int", ())))
    parts = (Part(("x",), "entry", True), Part(("y",), "entry", False, True), Part(("n",), "entry", True))
    kernel = Signature("k", (Argument("v", "View", False, layout=layout, parts=parts),)).leaves
    seen: dict[str, Any] = {}

    def written(words: Sequence[gpu.Word]) -> tuple[int, int]:
        assert isinstance(words[0], np.void)
        x, y, n = struct.unpack("=QQi4x", words[0].tobytes())
        seen.update(x=np.frombuffer(device.memory[x], np.float32).tolist(), n=n)
        return x, y

    device.written = written
    module = gpu.GpuModule(device, "", [kernel], "float", "k.cu")
    x, y = np.ones(3, np.float32), np.zeros(3, np.float32)
    module.launch(kernel, (1, 1, 1), (32, 1, 1), {"v.x": x, "v.y": y, "v.n": 3})
    assert seen == {"x": [1, 1, 1], "n": 3}
    assert (x.tolist(), y.tolist()) == ([1, 1, 1], [9, 9, 9])


def test_a_failure_names_the_file_and_the_kernel() -> None:
    class Broken(Device):
        def run(self, *arguments: Any) -> None:
            raise gpu.DeviceFailed("an illegal memory access was encountered")

    kernel = signature("k(float *y)")
    module = gpu.GpuModule(Broken(), "", [kernel], "float", "k.cu")
    with pytest.raises(LaunchFailed, match=r"k\.cu: k: an illegal memory access"):
        module.launch(kernel, (1, 1, 1), (1, 1, 1), {"y": np.zeros(1, np.float32)})


def test_the_text_keeps_its_lines_and_its_linkage() -> None:
    text = 'extern "C" __global__ void k(float *y)\n{ y[0] = __fdividef(sinf(1.0f), 3.0f); }\n'
    assert gpu.has_extern_c(text)
    assert not gpu.has_extern_c('__global__ void k() {} // extern "C"')
    assert gpu.cuda_text(text, "float", "k.cu").endswith('#line 1 "k.cu"\n' + text)
    double = gpu.cuda_text(text, "double", "k.cu").partition('#line 1 "k.cu"\n')[2]
    assert double == 'extern "C" __global__ void k(double *y)\n{ y[0] = s2sad_divide(sin(1.0), 3.0); }\n'


def test_half_precision_is_passed_as_it_is_or_not_at_all() -> None:
    text = "__global__ void k(half *y) { y[0] = __float2half(1.0f); }"
    assert "#include <cuda_fp16.h>" in gpu.cuda_text(text, "float", "k.cu")
    with pytest.raises(CompileFailed, match=r"k\.cu: nvcc has no half precision that is a double"):
        gpu.cuda_text(text, "double", "k.cu")
    with pytest.raises(CompileFailed, match="numpy has no bfloat16"):
        gpu.cuda_text("__global__ void k(__nv_bfloat16 *y) {}", "float", "k.cu")


def _there(monkeypatch: pytest.MonkeyPatch, **reasons: str | None) -> None:
    """Have the libraries of these backends installed; a reason is why one doesn't work."""
    for module, backend in ((nvrtc, "NvrtcBackend"), (pycuda, "PycudaBackend")):
        name = module.__name__.rpartition(".")[2]

        def made(name: str = name) -> str:
            if reasons[name]:
                raise BackendUnavailable(reasons[name])
            return name

        monkeypatch.setattr(module, "installed", lambda name=name: name in reasons)
        monkeypatch.setattr(module, backend, made)


def test_the_backend_is_the_one_that_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    for there, used in (
        ({"nvrtc": None}, "nvrtc"),
        ({"pycuda": None}, "pycuda"),
        ({"nvrtc": None, "pycuda": None}, "nvrtc"),
        ({"nvrtc": "no NVRTC", "pycuda": None}, "pycuda"),
    ):
        _there(monkeypatch, **there)
        assert str(find("cuda")) == used
    _there(monkeypatch, nvrtc="no NVRTC", pycuda="no nvcc")
    with pytest.raises(BackendUnavailable, match="no NVRTC; no nvcc"):
        find("cuda")


def test_without_either_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    _there(monkeypatch)
    with pytest.raises(BackendUnavailable) as caught:
        find("cuda")
    assert str(caught.value) == "no GPU backend is installed: pip install 's2sad[cuda]'"


class OnCpu(Device):
    """A device whose kernels the CPU engine runs, on the bytes that were copied there."""

    def __init__(self, module: Module, signatures: Sequence[Signature]) -> None:
        super().__init__()
        self.module = module
        self.kernels = {signature.name: signature for signature in signatures}
        self.room: dict[int, np.ndarray[Any, Any]] = {}

    def write(self, place: SupportsInt, array: np.ndarray[Any, Any]) -> None:
        self.room[int(place)] = array.copy()

    def read(self, array: np.ndarray[Any, Any], place: SupportsInt) -> None:
        array[...] = self.room[int(place)]

    def run(
        self, kernel: str, grid: Extent, block: Extent, words: Sequence[gpu.Word], shared_bytes: int
    ) -> None:
        signature = self.kernels[kernel]
        args = {
            argument.name: self.room[word] if isinstance(word, gpu.Address) else word
            for argument, word in zip(signature.arguments, words, strict=True)
        }
        self.module.launch(signature, grid, block, args, shared_bytes)


class GpuOnCpu:
    """Implements backend.Backend."""

    name = "cuda"

    def compile(
        self, text: str, signatures: Sequence[Signature], *, real: Real, name: str, quick: bool
    ) -> gpu.GpuModule:
        module = CpuBackend().compile(text, signatures, real=real, name=name, quick=quick)
        return gpu.GpuModule(OnCpu(module, signatures), text, signatures, real, name)


@pytest.mark.parametrize("name", ["attention_head", "batched_lu", "bilinear", "half_gain", "bounded_while"])
def test_gradients_are_the_same_through_device_memory(name: str) -> None:
    """What is copied there and back suffices for joint and split adjoints, with tapes and shared memory."""
    for mode in modes(name):
        pair = made(name, mode).pair
        report = check_pair(pair, Case.read(file(name).with_suffix(".toml"), pair.primal), GpuOnCpu())
        assert report.ok, report.text()
        assert report.backend == "cuda"
